//! What every test stands on.

mod letter;
mod words;
mod world;

pub(crate) use letter::{LEFT_OUT, SWITCH, letter};
pub(crate) use words::words;
pub(crate) use world::{Run, World};
