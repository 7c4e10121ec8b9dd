//! What every test stands on.

mod crowd;
mod folders;
mod letter;
mod not_run;
mod pane;
pub(crate) mod replay;
mod scattered;
mod traced;
mod words;
mod world;

pub(crate) use crowd::Crowd;
pub(crate) use folders::copy;
pub(crate) use letter::{LEFT_OUT, SWITCH, letter};
pub(crate) use not_run::not_run;
pub(crate) use pane::Pane;
pub(crate) use scattered::scattered;
pub(crate) use traced::{can_trace, traced};
pub(crate) use words::words;
mod git;

pub(crate) use git::Repository;
pub(crate) use world::{Run, World};
