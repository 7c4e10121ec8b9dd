//! What takes long: kills and failures at every system call, crowds, races, cut power, a million steps.
//!
//! `cargo test --release --locked --test torture` runs everything; docs/contributing.md names the parts and the
//! variables that turn them up. The parts run one after the other, because some of them measure time.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may end at the first surprise"
)]
#![allow(dead_code, unused_imports, reason = "what is shared with the main suite is not all needed here")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../simulation/mod.rs"]
mod simulation;
#[path = "../wait_ack_race.rs"]
mod wait_ack_race;
#[path = "../wait_ack_scene.rs"]
mod wait_ack_scene;

mod cases;
mod failed_calls;
mod killed_calls;
mod killed_workers;
mod long;
mod part;
mod power;
mod state;
mod tracing;
