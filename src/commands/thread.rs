//! `thread`: a conversation from its beginning. Looking changes nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Report, lookup};
use crate::domain::Timestamp;
use crate::domain::message::{Message, MessageId, default_thread};
use crate::failure::{Code, Failure};

/// Show a conversation
#[derive(Debug, Clone, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// A thread such as bead:bb-12, or any message of it
    #[arg(value_name = "ID", required_unless_present = "message")]
    pub id: Option<String>,
    /// A message of the thread
    #[arg(long, value_name = "ID", conflicts_with = "id")]
    pub message: Option<String>,
}

/// The messages of a thread, oldest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Thread {
    pub thread_id: String,
    pub messages: Vec<Message>,
    #[serde(skip)]
    pub now: Timestamp,
}

impl Report for Thread {}

/// Shows the thread of that name, else the one of that bead, else the one that holds the message.
pub fn run(context: &Context, args: &Args) -> Result<Thread, Failure> {
    let wanted = args.id.as_ref().or(args.message.as_ref()).map_or("", String::as_str);
    let now = context.now();
    context.read(|view| {
        let messages = view.thread(wanted)?;
        if !messages.is_empty() {
            return Ok(Thread { thread_id: wanted.to_owned(), messages, now });
        }
        // Whoever names a bead means its thread.
        let of_bead = default_thread(wanted);
        let messages = view.thread(&of_bead)?;
        if !messages.is_empty() {
            return Ok(Thread { thread_id: of_bead, messages, now });
        }
        let part: MessageId = wanted.parse().map_err(|_| no_thread(wanted))?;
        let message = lookup::message(view, &part).map_err(|failure| match failure.code {
            Code::MessageNotFound => no_thread(wanted),
            _ => failure,
        })?;
        let messages = view.thread(&message.thread_id)?;
        Ok(Thread { thread_id: message.thread_id, messages, now })
    })
}

fn no_thread(wanted: &str) -> Failure {
    Failure::new(Code::ThreadNotFound, format!("there is no thread or message `{wanted}`"))
        .hint("name a thread such as bead:bb-12, or a message of it")
}
