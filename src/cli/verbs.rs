//! The verbs, in the groups that the help shows, and what each one runs.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use schemars::{JsonSchema, Schema, schema_for};

use crate::commands::{self, Context, Listener, Report};
use crate::failure::{Code, Failure};
use crate::render::{Draw, Out};

/// One verb.
#[derive(Debug)]
pub struct Verb {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub group: &'static str,
    pub about: &'static str,
    /// A line that works as it is, shown in the verb's help.
    pub example: &'static str,
    define: fn(Command) -> Command,
    pub(super) run: fn(&ArgMatches, &Context, &mut Out) -> Result<u8, Failure>,
}

impl Verb {
    /// The verb's own command; its flags are added when it is chosen.
    pub(super) fn command(&'static self) -> Command {
        self.bare().defer(self.define)
    }

    /// What may be typed for it.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// The verb's own command with its flags.
    pub fn whole_command(&'static self) -> Command {
        (self.define)(self.bare())
    }

    fn bare(&'static self) -> Command {
        Command::new(self.name)
            .visible_aliases(self.aliases)
            .about(self.about)
            .after_help(format!("Example:\n  {}", self.example))
            .disable_version_flag(true)
    }
}

/// Declares a verb. One that tells of things while it runs takes a listener; one whose arguments decide which
/// fields its answer has says so with a shape; one that describes the grammar lives beside it, in this room.
macro_rules! verb {
    (@ $group:literal, $name:literal, [$($alias:literal),*], $args:ty, $shape:expr, $run:expr, $about:literal, $example:literal) => {
        Verb {
            name: $name,
            aliases: &[$($alias),*],
            group: $group,
            about: $about,
            example: $example,
            define: |command| <$args>::augment_args(command).about($about),
            run: |matches, context, out| perform(matches, context, out, $shape, $run),
        }
    };
    ($group:literal, $name:literal, listening $module:ident, $about:literal, $example:literal) => {
        verb!(@ $group, $name, [], commands::$module::Args, None, commands::$module::run, $about, $example)
    };
    ($group:literal, $name:literal, shaped $module:ident, $about:literal, $example:literal) => {
        verb!(@ $group, $name, [], commands::$module::Args, Some(commands::$module::shape), commands::$module::run, $about, $example)
    };
    ($group:literal, $name:literal, describing $module:ident, $about:literal, $example:literal) => {
        verb!(@ $group, $name, [], super::$module::Args, None, |_, args, _| super::$module::run(args), $about, $example)
    };
    ($group:literal, $name:literal, [$($alias:literal),*], $module:ident, $about:literal, $example:literal) => {
        verb!(@ $group, $name, [$($alias),*], commands::$module::Args, None, |context, args, _| commands::$module::run(context, args), $about, $example)
    };
    ($group:literal, $name:literal, $module:ident, $about:literal, $example:literal) => {
        verb!($group, $name, [], $module, $about, $example)
    };
}

pub const VERBS: &[Verb] = &[
    verb!(
        "Identity",
        "register",
        register,
        "Register an agent",
        "bb register --name amber-otter --role backend"
    ),
    verb!("Identity", "list", list, "List the agents", "bb list --role backend"),
    verb!("Identity", "show", show, "Show an agent or a message", "bb show amber-otter"),
    verb!("Identity", "whoami", whoami, "Say who you are, and why", "bb whoami --agent amber-otter"),
    verb!("Identity", "state", state, "Set what an agent is doing", "bb state amber-otter stuck"),
    verb!(
        "Identity",
        "activity-lease",
        ["heartbeat"],
        activity_lease,
        "Say that an agent is alive",
        "bb activity-lease --agent amber-otter"
    ),
    verb!(
        "Mail",
        "send",
        listening send,
        "Send a message",
        "bb send --from amber-otter --to lead-one --bead bb-1 --category BLOCKED -s 'Need a key' --body-file question.md"
    ),
    verb!("Mail", "inbox", shaped inbox, "List what you have received", "bb inbox --agent lead-one --pending"),
    verb!("Mail", "read", read, "Read a message", "bb read --agent lead-one k3v9x2m7qp"),
    verb!(
        "Mail",
        "ack",
        ack,
        "Acknowledge messages or a task",
        "bb ack --agent lead-one k3v9x2m7qp --note 'on it'"
    ),
    verb!("Mail", "reply", listening reply, "Answer a message", "bb reply --agent lead-one k3v9x2m7qp --ok"),
    verb!("Mail", "thread", thread, "Show a conversation", "bb thread bead:bb-1"),
    verb!(
        "Handshake",
        "wait-ack",
        listening wait_ack,
        "Wait until agents acknowledge",
        "bb wait-ack --from lead-one --to amber-otter --operation restart --describe 'restart the worker' --timeout 120"
    ),
    verb!("Handshake", "waits", waits, "Show open handshakes", "bb waits"),
    verb!("Handshake", "tick", tick, "Do every step that is due, once", "bb tick"),
    verb!(
        "Reservations",
        "reserve",
        reserve,
        "Reserve what you are going to change",
        "bb reserve --agent amber-otter --scope 'src/**/*.rs' --bead bb-1 --ttl 60"
    ),
    verb!(
        "Reservations",
        "release",
        release,
        "Release what you have reserved",
        "bb release --agent amber-otter --scope 'src/**/*.rs'"
    ),
    verb!("Reservations", "status", listening status, "Show who holds what and what is stuck", "bb status --bead bb-1"),
    verb!(
        "Reservations",
        "guard",
        guard,
        "Guard commits against what others have reserved",
        "bb guard install"
    ),
    verb!(
        "Tasks",
        "assign",
        assign,
        "Delegate a task",
        "bb assign --from lead-one --to amber-otter --task GH-42 --title 'Log in and out' --body-file task.md --criterion 'tests pass'"
    ),
    verb!(
        "Tasks",
        "clarify",
        clarify,
        "Answer questions, or say what was misunderstood",
        "bb clarify --agent lead-one --task GH-42 --answer '24 hours' --answer 'Yes'"
    ),
    verb!(
        "Tasks",
        "checkpoint",
        checkpoint,
        "Report a part of a task as done",
        "bb checkpoint --agent amber-otter --task GH-42 --number 1 --summary 'Tests written'"
    ),
    verb!(
        "Tasks",
        "complete",
        complete,
        "Report a task as done, or take it back",
        "bb complete --agent amber-otter --task GH-42 --summary 'Merged'"
    ),
    verb!(
        "Tasks",
        "tasks",
        tasks,
        "List the tasks, and whether they may begin",
        "bb tasks --agent amber-otter --open"
    ),
    verb!(
        "Replacement",
        "handoff",
        listening handoff,
        "Offer a failed agent's tasks to another one",
        "bb handoff --from lead-one --failed amber-otter --to zinc-yak --reason context_loss --document handoff.md --task GH-42"
    ),
    verb!(
        "Replacement",
        "verify-ack",
        verify_ack,
        "Check the acknowledgment of a handoff",
        "bb verify-ack --handoff 0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f --accept-understanding"
    ),
    verb!(
        "Replacement",
        "replace",
        listening replace,
        "Replace an agent, from handoff to audit entry",
        "bb replace --from lead-one --failed amber-otter --to zinc-yak --reason context_loss --document handoff.md --task GH-42"
    ),
    verb!("Records", "log", listening log, "Show what happened", "bb log --since 1h"),
    verb!("Records", "report", report, "Report on the replacements", "bb report"),
    verb!(
        "Records",
        "export",
        export,
        "Export the state, the audit log or the store",
        "bb export --format yaml"
    ),
    verb!(
        "Records",
        "archive",
        archive,
        "Move what is closed and old out of the store",
        "bb archive --older-than 30d --dry-run"
    ),
    verb!(
        "Records",
        "import",
        import,
        "Take over a BeadBoard store",
        "bb import --from ~/.beadboard/agent --dry-run"
    ),
    verb!("Setup", "doctor", doctor, "Check the setup", "bb doctor --agent amber-otter"),
    verb!("Setup", "config", config, "Print the configuration in force", "bb config"),
    verb!(
        "Setup",
        "hook",
        listening hook,
        "Tell an agent's harness of its mail",
        "bb hook install claude-code"
    ),
    verb!(
        "Setup",
        "onboard",
        onboard,
        "Print the instructions an agent needs",
        "bb onboard --write AGENTS.md"
    ),
    verb!(
        "Setup",
        "explain",
        explain,
        "Tell the whole story of anything that has an id",
        "bb explain k3v9x2m7qp"
    ),
    verb!(
        "Setup",
        "watch",
        listening watch,
        "Watch agents, mail and handshakes as they change",
        "bb watch --agent amber-otter"
    ),
    verb!(
        "Setup",
        "completions",
        describing completions,
        "Print a script that teaches a shell to complete",
        "bb completions bash"
    ),
    verb!("Setup", "man", describing man, "Print a manual page", "bb man send"),
];

/// What those see who type no verb and say who they are. It is no verb: `bb` alone is its name.
pub(super) const GLANCE: Verb = verb!("Setup", "glance", glance, "Look at what needs you", "bb");

/// Parses, runs, prints, and then does what may only be done once the answer was read.
fn perform<A, R>(
    matches: &ArgMatches,
    context: &Context,
    out: &mut Out,
    shape: Option<fn(&A) -> Schema>,
    run: impl FnOnce(&Context, &A, &mut dyn Listener) -> Result<R, Failure>,
) -> Result<u8, Failure>
where
    A: FromArgMatches,
    R: Report + Draw + JsonSchema,
{
    let args = A::from_arg_matches(matches).map_err(|error| {
        Failure::new(Code::InternalError, "the arguments cannot be read back").caused_by(error)
    })?;
    // Before anything is done: an answer that cannot be given as it is wanted must not have effects.
    if !out.fields.is_everything() {
        let schema = shape.map_or_else(|| schema_for!(R), |shape| shape(&args));
        out.fields.check(schema.as_value())?;
    }
    let report = run(context, &args, out)?;
    let written = out.report(&report);
    if !matches!(written, Ok(true)) {
        report.retract(context);
    }
    // Nobody reading the answer is no failure, and changes nothing about what the answer is.
    if !written? {
        return Ok(report.exit_code());
    }
    // The answer has been given: what fails now is said beside it, and not as a second answer.
    if let Err(failure) = report.settle(context) {
        out.complain(&failure);
        return Ok(failure.code.exit().code());
    }
    Ok(report.exit_code())
}
