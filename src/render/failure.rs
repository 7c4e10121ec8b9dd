//! What went wrong, in words.

use std::fmt::Write;

use super::page::Tone;
use super::sanitize;
use crate::failure::Failure;

/// `error[CODE]: what happened`, and what to do about it.
pub(super) fn text(failure: &Failure, color: bool) -> String {
    let paint = |tone: Tone, text: &str| {
        let style = tone.style();
        if color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    };
    let mut text = format!(
        "{}: {}\n",
        paint(Tone::Bad, &format!("error[{}]", failure.code)),
        sanitize::line(&failure.message)
    );
    if let Some(hint) = &failure.hint {
        let _ = writeln!(text, "{}: {}", paint(Tone::Strong, "hint"), sanitize::line(hint));
    }
    text
}
