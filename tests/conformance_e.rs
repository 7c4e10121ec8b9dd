//! The protocol of delegated tasks, requirement by requirement, through the program itself.

mod acknowledging;
mod errors;
mod judging;
mod silence;
mod teaching;
mod text_form;
mod trouble;
mod working;
