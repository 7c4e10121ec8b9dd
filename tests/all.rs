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

mod ack;
mod activity_lease;
mod architecture;
mod archive;
mod assign;
mod catalogue;
mod completions;
mod config;
mod conformance_a;
mod conformance_b;
mod conformance_c;
mod conformance_e;
mod conformance_h;
mod dependencies;
mod docs;
mod doctor;
mod doors;
mod errors;
mod explain;
mod export;
mod failing_calls;
mod fields;
mod following;
mod generated;
mod glance;
mod guard;
mod handoff;
mod hook;
mod import;
mod inbox;
mod list;
mod log;
mod many_writers;
mod onboard;
mod output;
mod promises;
mod properties;
mod quiet;
mod read;
mod register;
mod release;
mod replace;
mod replace_kills;
mod replacement_answers;
mod replacement_github;
mod replacement_scene;
mod replacement_turns;
mod reply;
mod reserve;
mod reserve_queue;
mod reserve_races;
mod send;
mod show;
mod simulation;
mod state;
mod status;
mod store;
mod task_ack;
mod task_flow;
mod task_scene;
mod task_wait;
mod tasks;
mod thread;
mod tick;
mod tokens;
mod wait_ack;
mod wait_ack_race;
mod wait_ack_races;
mod wait_ack_scene;
mod waits;
mod watch;
mod whoami;
mod widths;
