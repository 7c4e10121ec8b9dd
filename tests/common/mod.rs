//! What every test stands on.

mod letter;
mod world;

pub(crate) use letter::{LEFT_OUT, SWITCH, letter};
pub(crate) use world::{Run, World};
