//! Everything that can go wrong, with its code, its words and its exit status.

use std::fmt;
use std::path::Path;

use crate::domain::{Invalid, Rule};
use crate::exit::Exit;
use crate::store::StoreError;

/// Declares the registry of error codes: name on the wire, exit code, meaning.
macro_rules! registry {
    ($($variant:ident => $name:literal, $exit:ident, $meaning:literal;)+) => {
        /// A stable name for one way to fail.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code { $($variant),+ }

        impl Code {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name callers match on.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The exit code that goes with it.
            pub const fn exit(self) -> Exit {
                match self { $(Self::$variant => Exit::$exit),+ }
            }

            /// What it means, as printed in the documentation.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning),+ }
            }
        }
    };
}

registry! {
    InvalidArgs => "INVALID_ARGS", Usage, "wrong flags, arguments, durations, times or formats";
    MissingIdentity => "MISSING_IDENTITY", Usage, "no flag and no variable says who acts";
    MissingBeadId => "MISSING_BEAD_ID", InvalidData, "a plain message or a reservation needs a bead";
    InvalidAgentId => "INVALID_AGENT_ID", InvalidData, "not a well-formed agent id or address";
    InvalidMessage => "INVALID_MESSAGE", InvalidData, "empty or oversized subject or body, bad priority, content or label";
    InvalidCategory => "INVALID_CATEGORY", InvalidData, "not one of HANDOFF, BLOCKED, DECISION, INFO";
    InvalidState => "INVALID_STATE", InvalidData, "not a state of an agent or a message";
    InvalidLimit => "INVALID_LIMIT", InvalidData, "a limit outside 1 to 500";
    InvalidMessageId => "INVALID_MESSAGE_ID", InvalidData, "not a well-formed message id";
    InvalidTask => "INVALID_TASK", InvalidData, "a task id, an ack or a step that a task does not allow";
    InvalidHandoff => "INVALID_HANDOFF", InvalidData, "a handoff id, an ack or a step that a handoff does not allow";
    InvalidScope => "INVALID_SCOPE", InvalidData, "not a scope inside the project";
    AmbiguousId => "AMBIGUOUS_ID", InvalidData, "a part of an id that fits several";
    DuplicateAgentId => "DUPLICATE_AGENT_ID", InvalidData, "the agent is registered already";
    AgentNotFound => "AGENT_NOT_FOUND", NoAgent, "no such agent";
    UnknownSender => "UNKNOWN_SENDER", NoAgent, "the sender is not registered";
    UnknownRecipient => "UNKNOWN_RECIPIENT", NoAgent, "a recipient is not registered, or nobody fits the address";
    RecipientGone => "RECIPIENT_GONE", NoAgent, "the recipient is dead, stopped or inactive";
    MessageNotFound => "MESSAGE_NOT_FOUND", NoInput, "no such message";
    ThreadNotFound => "THREAD_NOT_FOUND", NoInput, "no message in such a thread";
    TaskNotFound => "TASK_NOT_FOUND", NoInput, "no such task";
    HandoffNotFound => "HANDOFF_NOT_FOUND", NoInput, "no such handoff";
    OperationNotFound => "OPERATION_NOT_FOUND", NoInput, "no such handshake";
    FileNotFound => "FILE_NOT_FOUND", NoInput, "a file named on the command line does not exist";
    ReservationNotFound => "RESERVATION_NOT_FOUND", NoInput, "nothing is reserved that could be released";
    NoRepository => "NO_REPOSITORY", NoInput, "the current folder is in no git repository";
    ReadForbidden => "READ_FORBIDDEN", Forbidden, "only the recipient reads a message";
    ReleaseForbidden => "RELEASE_FORBIDDEN", Forbidden, "only the owner releases a reservation";
    AckForbidden => "ACK_FORBIDDEN", Forbidden, "only the recipient answers a message; only the assignee works on a task, and only its delegator decides about it";
    TokenRequired => "TOKEN_REQUIRED", Forbidden, "the agent is protected and no token was presented";
    TokenInvalid => "TOKEN_INVALID", Forbidden, "the presented token is not the agent's";
    StoreForbidden => "STORE_FORBIDDEN", Forbidden, "the store is a link or belongs to another user";
    MailboxFull => "MAILBOX_FULL", TryAgain, "the recipient has too many unread messages";
    ReservationConflict => "RESERVATION_CONFLICT", TryAgain, "another agent has reserved it, or asked for it before";
    ReservationStaleFound => "RESERVATION_STALE_FOUND", TryAgain, "another agent's reservation has expired, or its owner has gone quiet";
    ReservationDeadlock => "RESERVATION_DEADLOCK", TryAgain, "waiting would never end: those who hold it wait for you";
    StoreBusy => "STORE_BUSY", TryAgain, "other writers held the store for too long";
    CommandInterrupted => "COMMAND_INTERRUPTED", Interrupted, "whoever ran the command of an operation was ended before it; it may have run in part, and is not run again";
    StoreCorrupt => "STORE_CORRUPT", Unavailable, "the store is damaged or is no store";
    ArchiveCorrupt => "ARCHIVE_CORRUPT", Unavailable, "a file of the archive is missing or damaged";
    StoreVersion => "STORE_VERSION", Unavailable, "the store was written by a newer bb";
    StoreCreateFailed => "STORE_CREATE_FAILED", CannotCreate, "the store cannot be created";
    HookConflict => "HOOK_CONFLICT", CannotCreate, "a git hook cannot be installed beside those there are";
    IoReadFailed => "IO_READ_FAILED", Io, "reading failed";
    IoWriteFailed => "IO_WRITE_FAILED", Io, "writing failed";
    ConfigInvalid => "CONFIG_INVALID", Configuration, "the configuration or the environment is wrong";
    InternalError => "INTERNAL_ERROR", Bug, "a bug in bb";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A command that could not do what it was asked to do.
#[derive(Debug)]
pub struct Failure {
    pub code: Code,
    /// What happened: lower case, names in backticks, no full stop.
    pub message: String,
    /// What to do about it, where there is something to do.
    pub hint: Option<String>,
    /// What caused it, for the log of a bug.
    pub cause: Option<anyhow::Error>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, cause: None }
    }

    /// Adds the next step.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Names the store a failure of the store is about.
    #[must_use]
    pub fn at_store(self, file: &Path) -> Self {
        match self.cause.map(anyhow::Error::downcast::<StoreError>) {
            Some(Ok(error)) => error.about(file).into(),
            Some(Err(other)) => Self { cause: Some(other), ..self },
            None => Self { cause: None, ..self },
        }
    }

    /// Adds what caused it.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<anyhow::Error>) -> Self {
        self.cause = Some(cause.into());
        self
    }
}

impl From<Invalid> for Failure {
    fn from(invalid: Invalid) -> Self {
        let code = match invalid.rule {
            Rule::AgentId => Code::InvalidAgentId,
            Rule::Category => Code::InvalidCategory,
            Rule::Content | Rule::Message => Code::InvalidMessage,
            Rule::Duration | Rule::Format | Rule::Time => Code::InvalidArgs,
            Rule::Handoff => Code::InvalidHandoff,
            Rule::Limit => Code::InvalidLimit,
            Rule::MessageId => Code::InvalidMessageId,
            Rule::Scope => Code::InvalidScope,
            Rule::State => Code::InvalidState,
            Rule::Task => Code::InvalidTask,
        };
        Self { code, message: invalid.what, hint: invalid.hint, cause: None }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let (code, hint) = match &error {
            StoreError::Busy { .. } => (Code::StoreBusy, Some("try again; other commands are writing")),
            StoreError::Corrupt { .. } => {
                (Code::StoreCorrupt, Some("nothing was changed; restore a backup, or look with `bb doctor`"))
            }
            StoreError::Version { .. } => {
                (Code::StoreVersion, Some("install the newer bb; nothing was changed"))
            }
            StoreError::Create { .. } => (
                Code::StoreCreateFailed,
                Some("make the folder writable, or choose another with --store or BB_STORE"),
            ),
            StoreError::Forbidden { .. } => {
                (Code::StoreForbidden, Some("choose a store of your own with --store or BB_STORE"))
            }
            StoreError::Location { .. } => {
                (Code::ConfigInvalid, Some("set BB_STORE to the absolute path of a file"))
            }
            StoreError::ArchiveCorrupt { .. } => (
                Code::ArchiveCorrupt,
                Some("nothing was changed; put the file back from a backup; `bb log` alone does not need it"),
            ),
            StoreError::ArchiveRead { .. } => {
                (Code::IoReadFailed, Some("make the file readable for you; `bb log` alone does not need it"))
            }
            StoreError::Read { .. } => (Code::IoReadFailed, None),
            StoreError::Write { .. } | StoreError::ArchiveWrite { .. } => (
                Code::IoWriteFailed,
                Some("nothing was changed; free some space or make the folder writable"),
            ),
            StoreError::Unsure { .. } => (
                Code::IoWriteFailed,
                Some(
                    "it may have been stored all the same: look before you repeat it, or repeat a `send` with its --key",
                ),
            ),
            StoreError::Bug(_) => (Code::InternalError, None),
        };
        Self { code, message: error.to_string(), hint: hint.map(str::to_owned), cause: Some(error.into()) }
    }
}
