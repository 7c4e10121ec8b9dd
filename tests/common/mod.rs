//! What every test stands on.

mod world;

pub(crate) use world::{Run, World};
