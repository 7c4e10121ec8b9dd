//! Pure rules: no clock, no SQL, no environment, no terminal.
//!
//! Everything here is a function of its arguments. What needs the time takes it as a
//! parameter; what can fail says so with [`Invalid`], which names the rule that was broken.

pub mod ack_text;
pub mod address;
pub mod age;
pub mod agent;
pub mod archive;
pub mod delegation;
pub mod diagnosis;
pub mod duration;
pub mod event;
pub mod handoff;
pub mod handshake;
pub mod hidden;
pub mod hook;
pub mod invalid;
pub mod mailbox;
pub mod message;
pub mod notice;
pub mod onboard;
pub mod question;
pub mod replacement;
pub mod reply;
pub mod reservation;
pub mod schedule;
pub mod scope;
pub mod story;
pub mod task;
pub mod time;
pub mod token;
pub mod yaml;

pub use invalid::{Invalid, Rule};
pub use time::Timestamp;
