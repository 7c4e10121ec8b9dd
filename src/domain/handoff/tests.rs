//! The life of a handoff, requirement by requirement.

mod acknowledging;
mod clarifying;
mod ending;
mod preparing;
mod properties;
mod publishing;
mod verifying;
