//! Locks: does somebody keep writers waiting?

use std::collections::BTreeSet;
use std::fs;
use std::sync::mpsc;
use std::time::Duration;

use super::{Check, Context};
use crate::clock::Waker;
use crate::store::Location;

const NAME: &str = "locks";

/// Nobody writes for as long as this without a reason to be named.
const TURN: Duration = Duration::from_secs(1);

/// Sleeps until its time has come.
struct Pause;

impl Waker for Pause {
    fn sleep(&self, limit: Duration) {
        let (_kept, nobody) = mpsc::channel::<()>();
        let _ = nobody.recv_timeout(limit);
    }
}

/// Looks twice when somebody holds a lock: a writer has its turn and goes.
pub(super) fn look(context: &Context, location: &Location) -> Check {
    let Some(first) = location.lock_holders() else {
        return Check::not_checked(NAME, "the system does not tell who holds locks");
    };
    if first.is_empty() {
        let detail = "nobody is seen to hold a lock; a lock file that lies there means nothing";
        return Check::ok(NAME, detail);
    }
    context.clock.wait_until(context.now() + TURN, &Pause);
    let second = location.lock_holders().unwrap_or_default();
    verdict(&first.intersection(&second).copied().collect())
}

fn verdict(lasting: &BTreeSet<u32>) -> Check {
    let Some(first) = lasting.first() else {
        return Check::ok(NAME, "writers take turns; nobody holds a lock for long");
    };
    let named: Vec<_> = lasting.iter().map(|process| described(*process)).collect();
    let detail = format!("{} keeps writers waiting for a second or more", named.join(" and "));
    let hint = format!("wait for it, or end it if it is stuck: kill {first}; the lock goes with it");
    Check::warning(NAME, detail, hint)
}

fn described(process: u32) -> String {
    match fs::read_to_string(format!("/proc/{process}/comm")) {
        Ok(name) => format!("process {process} (`{}`)", name.trim()),
        Err(_) => format!("process {process}"),
    }
}
