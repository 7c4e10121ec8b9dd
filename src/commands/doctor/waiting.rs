//! What waits: handshakes that nobody drives, and places in queues whose processes died.

use std::time::Duration;

use super::{Check, Context, Mended};
use crate::commands::handshake::time_of;
use crate::commands::{holding, tick};
use crate::domain::handshake::Handshake;
use crate::domain::reservation::Waiter;
use crate::domain::{Timestamp, age};
use crate::failure::Failure;
use crate::store::sqlite::StoredHandshake;
use crate::store::{Store, Transaction};

/// Whoever drives a handshake does what is due within a moment.
const LEEWAY: Duration = Duration::from_secs(5);

/// The most operations that are named.
const NAMED: usize = 3;

/// An open handshake in which something has been due for a while.
struct Abandoned {
    operation_id: String,
    requester: String,
    due_for: Duration,
}

/// Says which handshakes are open and which of them nobody drives.
pub(super) fn handshakes(context: &Context, store: &Store) -> Check {
    const NAME: &str = "handshakes";
    let open = match store.read(|view| view.open_handshakes()) {
        Ok(open) => open,
        Err(error) => return Check::problem(NAME, error.about(store.location().file()).into()),
    };
    let abandoned: Vec<_> = open.iter().filter_map(|stored| abandoned(context, stored)).collect();
    let Some(first) = abandoned.first() else {
        return Check::ok(
            NAME,
            match open.len() {
                0 => "none is open".to_owned(),
                1 => "1 is open, and nothing in it is overdue".to_owned(),
                many => format!("{many} are open, and nothing in them is overdue"),
            },
        );
    };
    let named: Vec<_> = abandoned.iter().take(NAMED).map(described).collect();
    let more = match abandoned.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let are = if abandoned.len() == 1 { "is" } else { "are" };
    let detail =
        format!("{} of {} {are} driven by nobody: {}{more}", abandoned.len(), open.len(), named.join(", "));
    let resume = format!("bb wait-ack --resume {} waits again", first.operation_id);
    let hint = format!("bb doctor --fix and bb tick do what is due; {resume}");
    Check::warning(NAME, detail, hint)
}

fn abandoned(context: &Context, stored: &StoredHandshake) -> Option<Abandoned> {
    let at = time_of(stored, context.clock);
    let (due, _) = Handshake::resume(stored.snapshot.clone()).poll_timeout()?;
    (due + LEEWAY <= at).then(|| Abandoned {
        operation_id: stored.snapshot.id.clone(),
        requester: stored.snapshot.requester.to_string(),
        due_for: at.since(due),
    })
}

fn described(abandoned: &Abandoned) -> String {
    let Abandoned { operation_id, requester, due_for } = abandoned;
    format!("{operation_id} of {requester} (due for {})", age::short(*due_for))
}

/// Says whether everyone who queues for a reservation still runs.
pub(super) fn waiters(context: &Context, store: &Store) -> Check {
    const NAME: &str = "waiters";
    match store.read(|view| queues(view, context.now())) {
        Err(failure) => Check::problem(NAME, failure.at_store(store.location().file())),
        Ok((0, gone)) if gone.is_empty() => Check::ok(NAME, "nobody waits for a reservation"),
        Ok((waiting, gone)) if gone.is_empty() => {
            Check::ok(NAME, format!("{waiting} in the queue for reservations, and all of them run"))
        }
        Ok((_, gone)) => {
            let names: Vec<_> = gone.iter().map(|waiter| format!("`{}`", waiter.agent)).collect();
            let detail = format!("left in the queue for reservations by what died: {}", names.join(", "));
            Check::warning(NAME, detail, "they hold nobody up; bb doctor --fix takes them out")
        }
    }
}

/// How many wait, and who only seems to.
fn queues(view: &Transaction, now: Timestamp) -> Result<(usize, Vec<Waiter>), Failure> {
    let (mut waiting, mut gone) = (0, Vec::new());
    for project in view.projects_with_waiters()? {
        let queue = holding::queue(view, &project, now)?;
        waiting += queue.waiting.len();
        gone.extend(queue.gone);
    }
    Ok((waiting, gone))
}

/// Does what is due, and takes the dead out of the queues. What fails here is found again by looking.
pub(super) fn mend(context: &Context, store: &Store) -> Vec<Mended> {
    let mut mended = Vec::new();
    if let Ok(detail) = drive(context) {
        mended.extend(detail.map(|detail| Mended { check: "handshakes", detail }));
    }
    let any_gone = store.read(|view| queues(view, context.now())).is_ok_and(|(_, gone)| !gone.is_empty());
    let take_out = |transaction: &Transaction, now| {
        let (_, gone) = queues(transaction, now)?;
        gone.iter().try_for_each(|waiter| transaction.remove_waiter(waiter.place))?;
        Ok(gone.len())
    };
    if any_gone && let Ok(count) = context.write(take_out) {
        mended.push(Mended { check: "waiters", detail: format!("took out {count} of what died") });
    }
    mended
}

/// Every step that is due, as `tick` does it.
fn drive(context: &Context) -> Result<Option<String>, Failure> {
    let ticked = tick::run(context, &tick::Args {})?;
    let done: Vec<_> =
        ticked.advanced.into_iter().chain(ticked.tasks.iter().map(|task| task.task_id.to_string())).collect();
    Ok((!done.is_empty())
        .then(|| format!("did what was due in {}; {} ended by it", done.join(", "), ticked.ended.len())))
}
