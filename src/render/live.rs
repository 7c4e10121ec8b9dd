//! A countdown for each agent on a terminal.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

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
        let lines = MultiProgress::new();
        let widest = agents.iter().map(|it| it.agent.as_str().len()).max().unwrap_or(0);
        let bars = agents
            .iter()
            .map(|it| {
                let bar = lines.add(ProgressBar::new(it.whole.as_secs()));
                let style = ProgressStyle::with_template("{prefix}  [{bar:20}]  {msg}");
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
