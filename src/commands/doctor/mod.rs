//! `doctor`: what is well, what is not, and what was not looked at.

mod condition;
mod delegate;
mod hooks;
mod locks;
mod setup;
mod waiting;
mod writing;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::{Context, Me, Report};
use crate::exit::Exit;
use crate::failure::{Code, Failure};

/// What to do about a store that is damaged.
const RESTORE: &str = "nothing was changed: keep the file, and restore a backup made with `bb export --backup`, or \
                       begin a new store with BB_STORE";

/// Check the setup
///
/// Each check answers ok, warning, problem or not-checked, and ok is said only of what was looked at.
/// A problem is what makes commands fail, and carries the error code they fail with, or lets other users at
/// what is stored, while commands go on; a warning is what can be lived with. The exit code is that of the first problem, for example 69 for a damaged or newer
/// store, 77 for open permissions or a missing token, 78 for a wrong configuration, 67 for an agent that
/// is not registered; without a problem it is 0. Looking creates nothing and changes nothing.
///
/// With --fix it first closes permissions, returns the store to its journal, removes what waiting commands
/// that died left behind, does what is due in handshakes that nobody drives (as `bb tick`), sets a mail
/// delegate that is missing or is the shim of BeadBoard, and adds hooks that are missing beside others.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    /// Mend what can safely be mended, then look
    #[arg(long)]
    pub fix: bool,
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Ok,
    Warning,
    Problem,
    NotChecked,
}

impl Status {
    /// The word used in JSON and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
            Self::NotChecked => "not-checked",
        }
    }
}

/// One thing that was looked at, or not.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Check {
    pub check: &'static str,
    pub status: Status,
    pub detail: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The error code that commands fail with.
    #[serde(serialize_with = "name")]
    #[schemars(with = "Option<String>")]
    pub code: Option<Code>,
}

fn name<S: Serializer>(code: &Option<Code>, serializer: S) -> Result<S::Ok, S::Error> {
    code.map(Code::as_str).serialize(serializer)
}

impl Check {
    fn ok(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, status: Status::Ok, detail: detail.into(), hint: None, code: None }
    }

    fn warning(check: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { status: Status::Warning, hint: Some(hint.into()), ..Self::ok(check, detail) }
    }

    fn not_checked(check: &'static str, detail: impl Into<String>) -> Self {
        Self { status: Status::NotChecked, ..Self::ok(check, detail) }
    }

    fn problem(check: &'static str, failure: Failure) -> Self {
        // Whoever looks with the doctor is not sent to the doctor.
        let is_damage = failure.code == Code::StoreCorrupt;
        Self {
            check,
            status: Status::Problem,
            detail: failure.message,
            hint: if is_damage { Some(RESTORE.to_owned()) } else { failure.hint },
            code: Some(failure.code),
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Something that `--fix` mended.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Mended {
    pub check: &'static str,
    pub detail: String,
}

/// How many checks came out how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    pub ok: usize,
    pub warnings: usize,
    pub problems: usize,
    pub not_checked: usize,
}

/// Everything that was looked at.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Diagnosis {
    /// There is no problem; there may be warnings.
    pub healthy: bool,
    pub checks: Vec<Check>,
    pub summary: Summary,
    pub mended: Vec<Mended>,
}

impl Report for Diagnosis {
    /// The exit code of the first problem.
    fn exit_code(&self) -> u8 {
        self.checks.iter().find_map(|check| check.code).map_or(Exit::Done, Code::exit).code()
    }
}

/// Looks at everything, having mended what it may if it was asked to. What could not be mended is found again by
/// looking, and reported there.
pub fn run(context: &Context, args: &Args) -> Result<Diagnosis, Failure> {
    let mut mended = if args.fix { condition::mend(context) } else { Vec::new() };
    let (delegate, set) = delegate::tend(context, args.fix);
    mended.extend(set);
    mended.extend(if args.fix { hooks::mend(context) } else { Vec::new() });
    let condition = condition::look(context);
    let mut checks = vec![setup::identity(context, &args.me, &condition), setup::configuration(context)];
    checks.extend(condition.checks);
    checks.push(delegate);
    checks.extend(hooks::look(context));
    let count = |status| checks.iter().filter(|check| check.status == status).count();
    let summary = Summary {
        ok: count(Status::Ok),
        warnings: count(Status::Warning),
        problems: count(Status::Problem),
        not_checked: count(Status::NotChecked),
    };
    Ok(Diagnosis { healthy: summary.problems == 0, checks, summary, mended })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnosis(checks: Vec<Check>) -> Diagnosis {
        let summary = Summary { ok: 0, warnings: 0, problems: 0, not_checked: 0 };
        Diagnosis { healthy: true, checks, summary, mended: Vec::new() }
    }

    #[test]
    fn the_first_problem_gives_the_exit_code() {
        let problem = |code| Check::problem("store", Failure::new(code, "broken"));
        let warning = Check::warning("delegate", "none", "set one");
        assert_eq!(diagnosis(vec![warning.clone()]).exit_code(), 0);
        let two = vec![warning, problem(Code::StoreForbidden), problem(Code::StoreCorrupt)];
        assert_eq!(diagnosis(two).exit_code(), 77);
        assert_eq!(diagnosis(vec![problem(Code::StoreVersion)]).exit_code(), 69);
        assert_eq!(diagnosis(vec![problem(Code::ConfigInvalid)]).exit_code(), 78);
    }
}
