//! The store: is it there, is it safe, is it sound?

use std::time::Duration;

use super::{Check, Context, Mended, locks, waiting, writing};
use crate::domain::{Timestamp, age};
use crate::failure::{Code, Failure};
use crate::store::sqlite::{Health, NEEDED_SQLITE};
use crate::store::{Archive, Location, Store, StoreError};

/// Another process may have recorded something since this one read the clock.
const LEEWAY: Duration = Duration::from_secs(1);

/// What can only be asked of a store that is open.
const INSIDE: [&str; 11] = [
    "integrity",
    "version",
    "sqlite",
    "journal",
    writing::NAME,
    "archive",
    "clock",
    "locks",
    "bells",
    "waiters",
    "handshakes",
];

const NAME: &str = "store";

/// Why something that changes from version to version was not looked at.
const OLDER: &str = "the store is older; the next command brings it up to date";

/// What was seen of the store.
pub(super) struct Condition<'a> {
    pub checks: Vec<Check>,
    /// The store, if it could be opened and has what commands look at; else why not.
    pub store: Result<&'a Store, &'static str>,
    /// There is none yet, which is no fault.
    pub is_missing: bool,
}

impl<'a> Condition<'a> {
    /// A store that was not opened, so that nothing inside it was looked at.
    fn closed(mut checks: Vec<Check>, why: &'static str) -> Self {
        checks.extend(INSIDE.map(|check| Check::not_checked(check, why)));
        Self { checks, store: Err(why), is_missing: false }
    }

    /// A store that can be opened. One without anything in it is what the next command begins with.
    fn open(context: &Context, location: &Location, permissions: Check, store: &'a Store) -> Self {
        let file = location.file().display();
        let health = store.health();
        if health.as_ref().is_ok_and(|health| health.version == 0) {
            let detail = format!("`{file}` is empty; the next command begins it");
            return Self::closed(vec![Check::ok(NAME, detail), permissions], "the store is empty");
        }
        let is_current = health.as_ref().is_ok_and(|health| health.version == health.known_version);
        let mut checks = vec![Check::ok(NAME, format!("`{file}` can be opened")), permissions];
        checks.extend(inside(context, store, health));
        Self { checks, store: if is_current { Ok(store) } else { Err(OLDER) }, is_missing: false }
    }
}

/// Looks from the outside, and inside only where it is safe to open.
pub(super) fn look<'a>(context: &'a Context) -> Condition<'a> {
    let location = match context.location() {
        Ok(location) => location,
        Err(failure) => {
            let checks = vec![
                Check::problem(NAME, failure),
                Check::not_checked("permissions", "the place of the store is not known"),
            ];
            return Condition::closed(checks, "the place of the store is not known");
        }
    };
    if let Err(error) = location.is_there() {
        let checks = vec![
            Check::problem(NAME, error.into()),
            Check::not_checked("permissions", "the store was not opened"),
        ];
        return Condition::closed(checks, "the store was not opened");
    }
    if is_missing(&location) {
        let detail = format!("there is no store at `{}` yet", location.file().display());
        let checks = vec![
            Check::warning(NAME, detail, "the first command that writes creates it, for example bb register"),
            Check::not_checked("permissions", "there is no store"),
        ];
        return Condition { is_missing: true, ..Condition::closed(checks, "there is no store") };
    }
    let permissions = permissions(&location);
    let refused = |failure| {
        let checks = vec![Check::problem(NAME, failure), permissions.clone()];
        Condition::closed(checks, "the store was not opened")
    };
    if let Err(error) = location.inspect() {
        return refused(error.into());
    }
    match context.existing_store() {
        Err(failure) => refused(failure),
        Ok(None) => refused(Failure::new(Code::IoReadFailed, "the store vanished while it was looked at")),
        Ok(Some(store)) => Condition::open(context, &location, permissions.clone(), store),
    }
}

fn is_missing(location: &Location) -> bool {
    std::fs::symlink_metadata(location.file())
        .is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// Whether others are kept out.
fn permissions(location: &Location) -> Check {
    const NAME: &str = "permissions";
    let exposures = location.exposures();
    if exposures.is_empty() {
        return Check::ok(NAME, "the folder and the files are yours alone");
    }
    let detail = exposures.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let hint = if exposures.iter().all(|exposure| exposure.mendable) {
        "bb doctor --fix"
    } else {
        "give the store a folder of its own with --store or BB_STORE"
    };
    if exposures.iter().any(|exposure| exposure.grave) {
        return Check::problem(NAME, Failure::new(Code::StoreForbidden, detail).hint(hint));
    }
    Check::warning(NAME, detail, hint)
}

fn inside(context: &Context, store: &Store, health: Result<Health, StoreError>) -> Vec<Check> {
    let (health, mut checks) = match health {
        Ok(health) => {
            let checks = vec![
                integrity(&health.complaints),
                version(&health),
                sqlite(store.sqlite_number(), health.sqlite_version),
                journal(&health.journal_mode),
                writing::look(store),
                archive(store, &health),
            ];
            (Some(health), checks)
        }
        Err(error) => {
            let mut checks = vec![Check::problem("integrity", error.into())];
            let unseen = ["version", "sqlite", "journal", writing::NAME, "archive"];
            checks.extend(unseen.map(|check| Check::not_checked(check, "the store cannot be read")));
            (None, checks)
        }
    };
    let file = store.location().file();
    checks.push(match store.read(|view| view.newest_event_at()) {
        Ok(newest) => clock(newest, context.now()),
        Err(error) => Check::problem("clock", error.about(file).into()),
    });
    checks.push(locks::look(context, store.location()));
    checks.push(bells(store.abandoned_bells().len()));
    checks.extend(match health {
        Some(health) if health.version != health.known_version => {
            ["waiters", "handshakes"].map(|check| Check::not_checked(check, OLDER))
        }
        _ => [waiting::waiters(context, store), waiting::handshakes(context, store)],
    });
    checks
}

fn integrity(complaints: &[String]) -> Check {
    match complaints {
        [] => Check::ok("integrity", "SQLite checked every page and found nothing"),
        [first, ..] => {
            let detail = format!("SQLite has {} complaints; the first: {first}", complaints.len());
            Check::problem("integrity", Failure::new(Code::StoreCorrupt, detail))
        }
    }
}

fn version(health: &Health) -> Check {
    let detail = if health.version == health.known_version {
        format!("version {}", health.version)
    } else {
        format!("version {}; the next command brings it to {}", health.version, health.known_version)
    };
    Check::ok("version", detail)
}

fn sqlite(number: i32, version: &str) -> Check {
    if number >= NEEDED_SQLITE {
        return Check::ok("sqlite", format!("SQLite {version}"));
    }
    let detail = format!("SQLite {version} can lose a commit when processes write at the same instant");
    let hint = "build bb with the SQLite that comes with it";
    Check::problem("sqlite", Failure::new(Code::InternalError, detail).hint(hint))
}

fn journal(mode: &str) -> Check {
    if mode.eq_ignore_ascii_case("wal") {
        return Check::ok("journal", "write-ahead log: readers and writers do not wait for one another");
    }
    let detail = format!("the journal is `{mode}`, not a write-ahead log: readers wait for writers");
    Check::warning("journal", detail, "bb doctor --fix")
}

/// Reads everything that was archived, as SQLite reads everything that was not.
fn archive(store: &Store, health: &Health) -> Check {
    const NAME: &str = "archive";
    if health.version < health.known_version {
        return Check::not_checked(NAME, "the store is older than its archive would be");
    }
    let mut events = 0_u64;
    let read =
        store.read(|view| view.archive_files()).and_then(|files: Vec<_>| -> Result<usize, StoreError> {
            Archive::of(store.location()).read_all(&files, &mut |_| events += 1)?;
            Ok(files.len())
        });
    match read {
        Ok(0) => Check::ok(NAME, "nothing was archived"),
        Ok(files) => Check::ok(NAME, format!("every event was read: {events}, in files: {files}")),
        Err(error) => Check::problem(NAME, error.into()),
    }
}

fn bells(abandoned: usize) -> Check {
    match abandoned {
        0 => Check::ok("bells", "no command that died left its socket behind"),
        1 => Check::warning(
            "bells",
            "a command that died while it waited left its socket behind",
            "bb doctor --fix",
        ),
        _ => {
            let detail = format!("commands that died while they waited left {abandoned} sockets behind");
            Check::warning("bells", detail, "bb doctor --fix")
        }
    }
}

fn clock(newest: Option<Timestamp>, now: Timestamp) -> Check {
    match newest {
        None => Check::not_checked("clock", "nothing has been recorded that it could be compared with"),
        Some(at) if at <= now + LEEWAY => Check::ok("clock", format!("not behind the newest event, of {at}")),
        Some(at) => {
            let ahead = age::short(at.since(now));
            let detail = format!("the newest event is of {at}, {ahead} ahead of the clock");
            Check::warning("clock", detail, "set the system's clock; deadlines count from it")
        }
    }
}

/// Closes what is open and tidies up. What fails here is found again by looking.
pub(super) fn mend(context: &Context) -> Vec<Mended> {
    let Ok(location) = context.location() else { return Vec::new() };
    let mut mended = Vec::new();
    for exposure in location.exposures().iter().filter(|exposure| exposure.mendable) {
        if exposure.mend().is_ok() {
            let detail = format!("`{}` now has permissions {:04o}", exposure.path.display(), exposure.wanted);
            mended.push(Mended { check: "permissions", detail });
        }
    }
    if is_missing(&location) || location.inspect().is_err() {
        return mended;
    }
    if let Ok(Some(store)) = context.existing_store() {
        mended.extend(mend_inside(store));
        mended.extend(waiting::mend(context, store));
    }
    mended
}

fn mend_inside(store: &Store) -> Vec<Mended> {
    let mut mended = Vec::new();
    // An empty store gets its journal when it is begun, with its other properties.
    let is_other = |health: Health| health.version > 0 && !health.journal_mode.eq_ignore_ascii_case("wal");
    if store.health().is_ok_and(is_other) && store.restore_journal().is_ok() {
        mended.push(Mended { check: "journal", detail: "returned to the write-ahead log".to_owned() });
    }
    let taken = store.take_down_abandoned_bells();
    if taken > 0 {
        mended.push(Mended { check: "bells", detail: format!("removed {taken} left by commands that died") });
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::super::Status;
    use super::*;

    #[test]
    fn an_old_sqlite_is_a_problem() {
        assert_eq!(sqlite(3_051_002, "3.51.2").status, Status::Problem);
        assert_eq!(sqlite(3_051_003, "3.51.3").status, Status::Ok);
    }

    #[test]
    fn an_event_in_the_future_is_warned_of() {
        let now = Timestamp::from_millis(1_000_000);
        assert_eq!(clock(None, now).status, Status::NotChecked);
        assert_eq!(clock(Some(now + LEEWAY), now).status, Status::Ok);
        let ahead = clock(Some(now + Duration::from_secs(3600)), now);
        assert_eq!(ahead.status, Status::Warning);
        assert!(ahead.detail.contains("1h"), "{}", ahead.detail);
    }

    #[test]
    fn complaints_make_a_store_corrupt() {
        assert_eq!(integrity(&[]).status, Status::Ok);
        assert_eq!(integrity(&["row 1 missing".to_owned()]).code, Some(Code::StoreCorrupt));
    }

    #[test]
    fn an_older_version_is_no_fault() {
        let health = |version| Health {
            version,
            known_version: 3,
            sqlite_version: "",
            journal_mode: String::new(),
            complaints: Vec::new(),
        };
        assert!(version(&health(2)).detail.contains("brings it to 3"));
        assert_eq!(version(&health(3)).detail, "version 3");
    }
}
