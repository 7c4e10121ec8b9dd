//! The life of a task, requirement by requirement.

mod acknowledging;
mod assigning;
mod judging;
mod properties;
mod reacting;
mod working;
