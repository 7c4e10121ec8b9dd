//! One test binary: every promise of `bb`, tested through the program itself.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may end at the first surprise"
)]

mod common;

mod architecture;
mod dependencies;
mod send;
