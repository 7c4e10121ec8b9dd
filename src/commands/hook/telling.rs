//! Telling a session of mail that it does not know of.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{Args, standard_input};
use crate::commands::Context;
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, AgentId};
use crate::domain::event::NewEvent;
use crate::domain::hook::{Harness, Input, Moment, Waiting, choose};
use crate::domain::message::{Category, MessageId, Priority};
use crate::failure::{Code, Failure};

/// The name of a session that nobody named.
const UNNAMED: &str = "";

/// What one event tells.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Told {
    pub harness: Harness,
    pub event: Option<Moment>,
    pub agent_id: Option<AgentId>,
    pub session_id: Option<String>,
    /// The agent is held back from going idle.
    pub blocks: bool,
    pub messages: Vec<ToldOf>,
    /// How many more there are to tell of.
    pub more: usize,
    #[serde(skip)]
    #[schemars(skip)]
    agent: Option<Agent>,
    #[serde(skip)]
    pub now: Timestamp,
}

/// A message as far as a session is told of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ToldOf {
    pub message_id: MessageId,
    pub from_agent: AgentId,
    pub category: Category,
    pub priority: Priority,
    pub subject: String,
    pub needs_ack: bool,
    #[schemars(with = "Option<String>")]
    pub ack_due_at: Option<Timestamp>,
}

impl From<Waiting> for ToldOf {
    fn from(waiting: Waiting) -> Self {
        Self {
            message_id: waiting.message_id,
            from_agent: waiting.from_agent,
            category: waiting.category,
            priority: waiting.priority,
            subject: waiting.subject,
            needs_ack: waiting.needs_ack,
            ack_due_at: waiting.ack_due_at,
        }
    }
}

impl Told {
    /// Nothing to tell.
    pub(super) fn nothing(harness: Harness) -> Self {
        Self {
            harness,
            event: None,
            agent_id: None,
            session_id: None,
            blocks: false,
            messages: Vec::new(),
            more: 0,
            agent: None,
            now: Timestamp::default(),
        }
    }

    /// Remembers what the session was told, so that it is told once.
    pub(super) fn remember(&self, context: &Context) -> Result<(), Failure> {
        let (Some(agent), Some(moment)) = (&self.agent, self.event) else { return Ok(()) };
        let session = self.session_id.as_deref().unwrap_or(UNNAMED);
        let begins_anew = begins_anew(moment, self.session_id.as_deref());
        if self.messages.is_empty() && !begins_anew {
            context.note_activity(agent);
            return Ok(());
        }
        context.write(|transaction, now| {
            if begins_anew {
                transaction.forget_session(&agent.id, session)?;
            }
            transaction.forget_tellings(&agent.id)?;
            for message in &self.messages {
                let asked = moment == Moment::Stop && message.needs_ack;
                transaction.remember_telling(&agent.id, session, &message.message_id, asked, now)?;
                let data = json!({"harness": self.harness, "event": moment, "session_id": self.session_id});
                let event = NewEvent::new("message.shown", &agent.id, message.message_id.as_str());
                transaction.record(&event.data(data), now)?;
            }
            Ok(transaction.agent_seen(&agent.id, now)?)
        })
    }
}

/// Whether a session without a name begins: it has nothing in common with the one before.
fn begins_anew(moment: Moment, session: Option<&str>) -> bool {
    moment == Moment::SessionStart && session.is_none()
}

/// Looks what there is to tell. Without an identity or a store there is nothing.
pub(super) fn tell(
    context: &Context,
    args: &Args,
    harness: Harness,
    moment: Moment,
) -> Result<Told, Failure> {
    let input = standard_input::read();
    let nothing = Told { event: Some(moment), ..Told::nothing(harness) };
    let Some(identity) = context.identity_if_set(args.me.agent.as_ref(), "--agent")? else {
        return Ok(nothing);
    };
    let has_store = context.location()?.file().metadata().is_ok_and(|file| file.len() > 0);
    if !has_store || (moment == Moment::Stop && !may_hold_back(harness, &input)) {
        return Ok(nothing);
    }
    let session_id = input.session_id.or_else(|| args.session.clone());
    let now = context.now();
    context.read(|view| {
        if view.agent(&identity.id)?.is_none() {
            return Ok(nothing);
        }
        let agent = context.acting(view, &identity.id, Code::AgentNotFound)?.agent;
        let mut waiting = view.waiting_for(&agent.id, session_id.as_deref().unwrap_or(UNNAMED))?;
        if begins_anew(moment, session_id.as_deref()) {
            waiting.iter_mut().for_each(|it| (it.shown, it.asked) = (false, false));
        }
        let choice = choose(waiting, moment, now);
        Ok(Told {
            agent_id: Some(agent.id.clone()),
            session_id,
            blocks: moment == Moment::Stop && !choice.told.is_empty(),
            messages: choice.told.into_iter().map(ToldOf::from).collect(),
            more: choice.more,
            agent: Some(agent),
            now,
            ..nothing
        })
    })
}

/// Somebody who goes on only because of us is left alone, and so is one whose harness does not say.
fn may_hold_back(harness: Harness, input: &Input) -> bool {
    match harness {
        Harness::ClaudeCode | Harness::Codex => input.stop_hook_active == Some(false),
        Harness::Plain => input.stop_hook_active != Some(true),
    }
}
