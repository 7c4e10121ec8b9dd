//! The streams, and how they look.

use std::io::{self, IsTerminal, Write};

use ratatui::crossterm::style::force_color_output;
use serde::Serialize;

use super::fields::Selection;
use super::live::Live;
use super::watch::TerminalScreen;
use super::{Draw, Page, failure, json, sanitize};
use crate::commands::log::Format;
use crate::commands::wait_ack::Countdown;
use crate::commands::watch::{Board, Screen};
use crate::commands::{Listener, Report};
use crate::domain::Timestamp;
use crate::domain::event::Event;
use crate::domain::message::Message;
use crate::domain::notice::log::dated;
use crate::failure::{Code, Failure};
use crate::settings::Settings;

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// How text for people looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appearance {
    pub color: bool,
    /// Columns of the terminal; unlimited where there is none.
    pub width: Option<usize>,
}

impl Appearance {
    /// Colour only on a terminal unless said otherwise; the terminal's width, or what `COLUMNS` says.
    pub fn of_stdout(color: Color, settings: &Settings) -> Self {
        let terminal = io::stdout().is_terminal();
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !settings.is_set("NO_COLOR") && !is_dumb(settings),
        };
        if color {
            // What draws tables and the board would heed NO_COLOR once more.
            force_color_output(true);
        }
        let columns = settings.text("COLUMNS").ok().flatten().and_then(|text| text.parse().ok());
        let measured =
            || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
        let width = columns.or_else(|| terminal.then(measured).flatten());
        Self { color, width: width.filter(|width| *width >= 20) }
    }
}

/// Whether the terminal can only print one line after another.
pub fn is_dumb(settings: &Settings) -> bool {
    settings.text("TERM").is_ok_and(|term| term.as_deref() == Some("dumb"))
}

/// Where results and notices go.
#[derive(Debug)]
pub struct Out {
    pub json: bool,
    pub appearance: Appearance,
    /// The command as the JSON document names it, for example `agent send`.
    pub command: String,
    /// The fields of the JSON document that are wanted; all of them without a selection.
    pub fields: Selection,
    /// Whoever reads the answer takes nothing else for one: what goes wrong is said beside it, in words.
    pub never_fails: bool,
    /// Whether the terminal can only print one line after another.
    pub is_dumb: bool,
    /// The countdown on a terminal, once something is waited for.
    live: Option<Live>,
}

impl Out {
    /// Streams that look like this.
    pub fn new(json: bool, appearance: Appearance, command: String) -> Self {
        let fields = Selection::default();
        Self { json, appearance, command, fields, never_fails: false, is_dumb: false, live: None }
    }

    /// Writes the answer. Says whether anyone read it: a closed pipe is no error.
    pub fn report<R: Report + Draw>(&self, report: &R) -> Result<bool, Failure> {
        if let Some(live) = &self.live {
            live.finish();
        }
        if report.is_silent() {
            return Ok(true);
        }
        if self.json {
            return self.line(&json::success(&self.command, report, &self.fields)?);
        }
        let mut page = Page::new(self.appearance);
        report.draw(&mut page);
        self.text(&page.finish())
    }

    /// Writes what went wrong: JSON on stdout, or words on stderr.
    pub fn failure(&self, problem: &Failure) {
        let written = || json::failure(&self.command, problem).and_then(|document| self.line(&document));
        if self.never_fails || !self.json || written().is_err() {
            self.complain(problem);
        }
    }

    /// Writes what went wrong in words, on stderr.
    pub fn complain(&self, problem: &Failure) {
        let styled = io::stderr().is_terminal() && self.appearance.color;
        let _ = io::stderr().lock().write_all(failure::text(problem, styled).as_bytes());
    }

    /// Writes one value as one line of JSON.
    pub fn json_line<T: Serialize>(&self, value: &T) -> Result<bool, Failure> {
        self.line(&json::selected(value, &self.fields)?)
    }

    fn line(&self, line: &str) -> Result<bool, Failure> {
        self.text(&format!("{line}\n"))
    }

    /// Writes text as it is.
    pub fn text(&self, text: &str) -> Result<bool, Failure> {
        let mut stdout = io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => {
                Err(Failure::new(Code::IoWriteFailed, format!("cannot write to standard output: {error}")))
            }
        }
    }
}

impl Listener for Out {
    fn message(&mut self, message: &Message) -> Result<bool, Failure> {
        if self.json {
            return self.json_line(message);
        }
        let mut page = Page::new(self.appearance);
        super::inbox::arrival(message, &mut page);
        self.text(&page.finish())
    }

    fn logged(&mut self, event: &Event, format: Format) -> Result<bool, Failure> {
        if self.json {
            return self.json_line(event);
        }
        let mut page = Page::new(self.appearance);
        super::log::written(std::slice::from_ref(event), format, &mut page);
        self.text(&page.finish())
    }

    fn notice(&mut self, line: &str) -> Result<(), Failure> {
        self.aside(&sanitize::line(line));
        Ok(())
    }

    fn event(&mut self, at: Timestamp, line: &str) -> Result<(), Failure> {
        self.aside(&dated(&at.to_string(), &sanitize::line(line)));
        Ok(())
    }

    fn countdown(&mut self, agents: &[Countdown]) {
        if self.live.is_none() && io::stderr().is_terminal() && !self.is_dumb {
            self.live = Some(Live::new(agents));
        }
        if let Some(live) = &self.live {
            live.show(agents);
        }
    }

    fn makes_room(&mut self) {
        if let Some(live) = self.live.take() {
            live.finish();
        }
    }

    fn keeps_stdout(&self) -> bool {
        self.json
    }

    fn board(&mut self, board: &Board) -> Result<bool, Failure> {
        if self.json {
            return self.json_line(board);
        }
        let mut page = Page::new(self.appearance);
        board.draw(&mut page);
        self.text(&page.finish())
    }

    fn screen(&mut self, wake: Box<dyn Fn() + Send>) -> Result<Option<Box<dyn Screen>>, Failure> {
        if self.json || self.is_dumb || !io::stdout().is_terminal() {
            return Ok(None);
        }
        // A terminal that cannot be taken can still be written to.
        let taken = TerminalScreen::take(self.appearance.color, wake).ok();
        Ok(taken.map(|screen| Box::new(screen) as Box<dyn Screen>))
    }
}

impl Out {
    /// Writes a line to standard error, above the countdown if there is one.
    fn aside(&self, line: &str) {
        match &self.live {
            Some(live) => live.line(line),
            // Nobody reading the notices is no reason to stop.
            None => {
                let _ = writeln!(io::stderr().lock(), "{line}");
            }
        }
    }
}
