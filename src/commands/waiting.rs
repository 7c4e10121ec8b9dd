//! Waiting for another process without asking all the time.

use std::time::Duration;

use super::Context;
use crate::clock::Waker;
use crate::domain::Timestamp;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::store::changes::{Bell, Topic};

/// How long to wait.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    until: Option<Timestamp>,
    minds_time: bool,
    ends_by_signal: bool,
}

impl Patience {
    /// Waits until a point in time.
    pub(super) const fn until(at: Timestamp) -> Self {
        Self { until: Some(at), minds_time: false, ends_by_signal: false }
    }

    /// Waits until interrupted.
    pub(super) const fn endless() -> Self {
        Self { until: None, minds_time: false, ends_by_signal: false }
    }

    /// Looks again as time passes, for what becomes true without any change.
    pub(super) const fn minding_time(self, minds_time: bool) -> Self {
        Self { minds_time, ..self }
    }

    /// Leaves signals to the system, for whoever has nothing to put in order: a shell then ends the loop around
    /// the command as well.
    pub(super) const fn ended_by_signals(self) -> Self {
        Self { ends_by_signal: true, ..self }
    }
}

impl Waker for Bell {
    fn sleep(&self, limit: Duration) {
        Bell::sleep(self, limit);
    }
}

/// What a look found.
#[derive(Debug)]
pub(super) enum Look<T> {
    Found(T),
    /// Nothing, and only a change of the store can help.
    Nothing,
    /// Nothing yet; time alone may help by then.
    NothingBefore(Timestamp),
}

/// Looks, and looks again whenever something about the topic changed, until there is an answer,
/// the patience ends, or a signal comes. The bell hangs before the first look, so nothing is missed.
pub(super) fn until<T>(
    context: &Context,
    topic: &Topic,
    patience: Patience,
    mut look: impl FnMut() -> Result<Option<T>, Failure>,
) -> Result<Option<T>, Failure> {
    until_or_later(context, topic, patience, || Ok(look()?.map_or(Look::Nothing, Look::Found)))
}

/// The same for what changes with time too: a look may say when to look again.
pub(super) fn until_or_later<T>(
    context: &Context,
    topic: &Topic,
    patience: Patience,
    mut look: impl FnMut() -> Result<Look<T>, Failure>,
) -> Result<Option<T>, Failure> {
    let store = context.store()?;
    let bell = store.bell(topic);
    let interrupt = (!patience.ends_by_signal).then(|| Interrupt::listen(bell.cord()));
    loop {
        let version = store.version()?;
        let again = match look()? {
            Look::Found(found) => return Ok(Some(found)),
            Look::Nothing => None,
            Look::NothingBefore(at) => Some(at),
        };
        while store.version()? == version {
            let now = context.now();
            if interrupt.is_some_and(|interrupt| interrupt.asked())
                || patience.until.is_some_and(|until| until <= now)
            {
                return Ok(None);
            }
            if again.is_some_and(|at| at <= now) {
                break;
            }
            let next = [patience.until, again].into_iter().flatten().min();
            context.clock.wait_until(next.unwrap_or(now + Duration::from_secs(3600)), &bell);
            if patience.minds_time {
                break;
            }
        }
    }
}
