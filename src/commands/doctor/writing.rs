//! Whether the store can be written, which reading it does not tell.

use super::Check;
use crate::failure::{Code, Failure};
use crate::store::{Store, StoreError};

pub(super) const NAME: &str = "writing";

/// Less than this is gone with the next few messages.
const LITTLE: u64 = 4 * 1024 * 1024;

/// Begins to write and takes it back, and asks how much room there is.
pub(super) fn look(store: &Store) -> Check {
    match store.try_writing() {
        Ok(()) => room(store.location().free_bytes()),
        Err(StoreError::Busy { .. }) => Check::not_checked(NAME, "somebody is writing just now"),
        Err(error) => Check::problem(NAME, error.into()),
    }
}

fn room(free: Option<u64>) -> Check {
    match free {
        Some(free) if free < LITTLE => {
            let detail = format!("the disk of the store has only {} KiB left", free / 1024);
            Check::problem(NAME, Failure::new(Code::IoWriteFailed, detail).hint("free some space"))
        }
        Some(_) => Check::ok(NAME, "the store can be written, and its disk has room"),
        None => Check::ok(NAME, "the store can be written"),
    }
}
