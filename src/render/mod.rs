//! What is seen: one report, drawn as text for people or as JSON for machines.

mod ack;
mod archive;
mod config;
mod doctor;
mod explain;
mod export;
mod failure;
mod fields;
mod glance;
mod guard;
mod handoff;
mod hook;
mod identity;
mod import;
mod inbox;
mod json;
mod live;
mod log;
mod message;
mod onboard;
mod out;
mod page;
mod read;
mod reply;
mod reserve;
pub mod sanitize;
mod send;
mod show;
mod status;
mod table;
mod tasks;
mod thread;
mod wait_ack;
mod watch;
mod words;

pub use fields::Selection;
pub use out::{Appearance, Color, Out, is_dumb};
pub use page::{Page, Tone};

/// Something that can be drawn for people.
pub trait Draw {
    /// Writes it onto the page.
    fn draw(&self, page: &mut Page);
}
