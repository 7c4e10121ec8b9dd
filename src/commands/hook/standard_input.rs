//! What the harness says, without waiting long for one that says nothing.

use std::io::{self, BufReader, IsTerminal, Read};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::domain::hook::Input;

/// The most a harness may say; prompts and last words are part of it.
const LIMIT: u64 = 16 * 1024 * 1024;

/// How long a harness is waited for. One that says anything does so when it starts its hook.
const PATIENCE: Duration = Duration::from_secs(2);

/// Reads the harness's JSON. Nothing, and anything else, says nothing.
pub(super) fn read() -> Input {
    if io::stdin().is_terminal() {
        return Input::default();
    }
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let source = BufReader::new(io::stdin().take(LIMIT));
        // Ends with the value itself: a harness may leave its end of the pipe open.
        let said = Value::deserialize(&mut serde_json::Deserializer::from_reader(source));
        let _ = sender.send(said.unwrap_or_default());
    });
    Input::of(&receiver.recv_timeout(PATIENCE).unwrap_or_default())
}
