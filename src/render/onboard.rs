//! `onboard` for people and agents.

use super::Draw;
use super::page::{Page, Tone};
use crate::commands::onboard::Onboarding;

impl Draw for Onboarding {
    fn draw(&self, page: &mut Page) {
        if let Some(instructions) = self.instructions {
            page.put(Tone::Plain, instructions);
        }
        if let Some(file) = &self.file {
            let done = if self.changed { "brought up to date" } else { "up to date already" };
            page.put(Tone::Good, done).put_foreign(Tone::Plain, &format!(": {file}")).end();
        }
    }
}
