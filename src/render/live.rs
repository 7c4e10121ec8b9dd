//! A countdown for each agent on a terminal.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::commands::wait_ack::Countdown;

/// One line for each agent, redrawn in place on standard error.
#[derive(Debug)]
pub(super) struct Live {
    lines: MultiProgress,
    bars: Vec<ProgressBar>,
}

impl Live {
    /// A line for each of the agents.
    pub(super) fn new(agents: &[Countdown]) -> Self {
        let screen = ProgressDrawTarget::term_like_with_hz(Box::<Screen>::default(), 20);
        let lines = MultiProgress::with_draw_target(screen);
        let widest = agents.iter().map(|it| it.agent.as_str().len()).max().unwrap_or(0);
        // Where there is little room, the words matter more than the bar.
        let is_narrow = usize::from(Screen::default().width()) < widest + 60;
        let template = if is_narrow { "{prefix}  {wide_msg}" } else { "{prefix}  [{bar:20}]  {wide_msg}" };
        let bars = agents
            .iter()
            .map(|it| {
                let bar = lines.add(ProgressBar::new(it.whole.as_secs()));
                let style = ProgressStyle::with_template(template);
                bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
                bar.set_prefix(format!("{:<widest$}", it.agent.as_str()));
                bar
            })
            .collect();
        Self { lines, bars }
    }

    /// Moves the countdown on.
    pub(super) fn show(&self, agents: &[Countdown]) {
        for (bar, it) in self.bars.iter().zip(agents) {
            let (whole, left) = (it.whole.as_secs(), it.remaining.as_millis().div_ceil(1_000));
            bar.set_length(whole);
            if it.status.is_waiting() {
                bar.set_position(whole.saturating_sub(u64::try_from(left).unwrap_or(whole)));
                bar.set_message(format!(
                    "{}, {left} s left, {} sent",
                    it.status,
                    reminders(it.reminders_sent)
                ));
            } else {
                bar.set_position(whole);
                bar.set_message(it.status.to_string());
            }
        }
    }

    /// Writes a line above the countdown.
    pub(super) fn line(&self, line: &str) {
        let _ = self.lines.println(line);
    }

    /// Takes the countdown away.
    pub(super) fn finish(&self) {
        for bar in &self.bars {
            bar.finish_and_clear();
        }
        let _ = self.lines.clear();
    }
}

fn reminders(number: usize) -> String {
    super::words::count(number, "reminder")
}

/// Standard error, with the cursor left at the beginning of the last line: lines are filled up to the
/// edge, and the `^C` that a terminal echoes there would begin a new line and leave this one behind.
#[derive(Debug, Default)]
struct Screen {
    drawn: Mutex<String>,
}

impl Screen {
    fn draw(&self, what: std::fmt::Arguments<'_>) -> io::Result<()> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.write_fmt(what).map_err(io::Error::other)
    }

    fn move_cursor(&self, by: usize, direction: char) -> io::Result<()> {
        if by == 0 { Ok(()) } else { self.draw(format_args!("\x1b[{by}{direction}")) }
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| width.0)
    }

    fn height(&self) -> u16 {
        terminal_size::terminal_size_of(io::stderr()).map_or(24, |(_, height)| height.0)
    }

    fn move_cursor_up(&self, by: usize) -> io::Result<()> {
        self.move_cursor(by, 'A')
    }

    fn move_cursor_down(&self, by: usize) -> io::Result<()> {
        self.move_cursor(by, 'B')
    }

    fn move_cursor_right(&self, by: usize) -> io::Result<()> {
        self.move_cursor(by, 'C')
    }

    fn move_cursor_left(&self, by: usize) -> io::Result<()> {
        self.move_cursor(by, 'D')
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.draw(format_args!("{line}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.draw(format_args!("{text}"))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.draw(format_args!("\r\x1b[2K"))
    }

    fn flush(&self) -> io::Result<()> {
        self.draw(format_args!("\r"))?;
        let drawn = std::mem::take(&mut *self.drawn.lock().unwrap_or_else(PoisonError::into_inner));
        io::stderr().lock().write_all(drawn.as_bytes())
    }
}
