//! x
pub mod domain;
