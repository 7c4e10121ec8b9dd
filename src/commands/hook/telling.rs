//! Telling a session of mail that it does not know of.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{Args, say, standard_input};
use crate::commands::{Context, Listener};
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, AgentId};
use crate::domain::event::NewEvent;
use crate::domain::hook::{Choice, Harness, Input, Moment, Waiting, choose};
use crate::domain::message::{Category, MessageId, Priority};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

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
    #[schemars(skip)]
    claim: Option<Claim>,
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
    pub fn nothing(harness: Harness) -> Self {
        Self {
            harness,
            event: None,
            agent_id: None,
            session_id: None,
            blocks: false,
            messages: Vec::new(),
            more: 0,
            agent: None,
            claim: None,
            now: Timestamp::default(),
        }
    }

    /// Gives back what was claimed, because the session never heard of it. What cannot be given back is
    /// still in the inbox.
    pub(super) fn give_back(&self, context: &Context) {
        let (Some(agent), Some(claim)) = (&self.agent, &self.claim) else { return };
        let _ = context.write(|transaction, now| {
            for (message, was_told_before) in &claim.messages {
                transaction.take_back_telling(&agent.id, &claim.session, message, *was_told_before)?;
                let event = NewEvent::new("message.unshown", &agent.id, message.as_str());
                transaction.record(&event, now)?;
            }
            Ok(())
        });
    }

    /// Notes that the agent is alive, where no claim did.
    pub(super) fn note_activity(&self, context: &Context) {
        if let (Some(agent), None) = (&self.agent, &self.claim) {
            context.note_activity(agent);
        }
    }
}

/// What is being told belongs to this telling alone, so that of several at once only one tells it.
#[derive(Debug)]
struct Claim {
    session: String,
    /// The messages, and whether the session was told of them before.
    messages: Vec<(MessageId, bool)>,
}

/// A call of a harness for an agent.
struct Call<'a> {
    harness: Harness,
    moment: Moment,
    agent: Agent,
    session_id: Option<&'a str>,
}

impl Call<'_> {
    fn session(&self) -> &str {
        self.session_id.unwrap_or(UNNAMED)
    }

    /// Whether a session without a name begins: it has nothing in common with the one before.
    fn begins_anew(&self) -> bool {
        self.moment == Moment::SessionStart && self.session_id.is_none()
    }

    fn choice(&self, view: &Transaction, now: Timestamp) -> Result<Choice, Failure> {
        let mut waiting = view.waiting_for(&self.agent.id, self.session())?;
        if self.begins_anew() {
            waiting.iter_mut().for_each(|it| (it.shown, it.asked) = (false, false));
        }
        Ok(choose(waiting, self.moment, now))
    }

    /// Chooses and remembers in one transaction.
    fn claim(&self, transaction: &Transaction, now: Timestamp) -> Result<(Choice, Claim), Failure> {
        let (id, session) = (&self.agent.id, self.session());
        let choice = self.choice(transaction, now)?;
        if self.begins_anew() {
            transaction.forget_session(id, session)?;
        }
        transaction.forget_tellings(id)?;
        for Waiting { message_id, needs_ack, .. } in &choice.told {
            let asked = self.moment == Moment::Stop && *needs_ack;
            transaction.remember_telling(id, session, message_id, asked, now)?;
            let data = json!({"harness": self.harness, "event": self.moment, "session_id": self.session_id});
            let event = NewEvent::new("message.shown", id, message_id.as_str());
            transaction.record(&event.data(data), now)?;
        }
        transaction.agent_seen(id, now)?;
        let messages = choice.told.iter().map(|it| (it.message_id.clone(), it.shown)).collect();
        Ok((choice, Claim { session: session.to_owned(), messages }))
    }
}

/// Looks what there is to tell, and claims it. Without an identity or a store there is nothing.
pub(super) fn tell(
    context: &Context,
    args: &Args,
    harness: Harness,
    moment: Moment,
    listener: &mut dyn Listener,
) -> Result<Told, Failure> {
    let input = standard_input::read();
    let nothing = Told { event: Some(moment), ..Told::nothing(harness) };
    let Some(identity) = context.identity_if_set(args.me.agent.as_ref(), "--agent")? else {
        return Ok(nothing);
    };
    // What a subagent hears, the agent does not.
    let is_heard = !input.in_subagent && (moment != Moment::Stop || may_hold_back(harness, &input));
    let has_store = context.location()?.file().metadata().is_ok_and(|file| file.len() > 0);
    if !is_heard || !has_store {
        return Ok(nothing);
    }
    let session_id = input.session_id.or_else(|| args.session.clone());
    let now = context.now();
    let seen = context.read(|view| {
        if view.agent(&identity.id)?.is_none() {
            return Ok(None);
        }
        let agent = context.acting(view, &identity.id, Code::AgentNotFound)?.agent;
        let call = Call { harness, moment, agent, session_id: session_id.as_deref() };
        let choice = call.choice(view, now)?;
        Ok(Some((call, choice)))
    })?;
    let Some((call, seen)) = seen else { return Ok(nothing) };
    let (choice, claim) = claimed(context, &call, seen, listener);
    Ok(Told {
        agent_id: Some(call.agent.id.clone()),
        blocks: moment == Moment::Stop && !choice.told.is_empty(),
        messages: choice.told.into_iter().map(ToldOf::from).collect(),
        more: choice.more,
        agent: Some(call.agent),
        session_id,
        claim,
        now,
        ..nothing
    })
}

/// What is told in the end: another hook may have told some of it since it was seen.
fn claimed(
    context: &Context,
    call: &Call,
    seen: Choice,
    listener: &mut dyn Listener,
) -> (Choice, Option<Claim>) {
    if seen.told.is_empty() && !call.begins_anew() {
        return (seen, None);
    }
    match context.write(|transaction, now| call.claim(transaction, now)) {
        Ok((choice, claim)) => (choice, Some(claim)),
        // To hear of something twice is better than not to hear of it.
        Err(failure) => {
            say(listener, &failure);
            (seen, None)
        }
    }
}

/// Somebody who goes on only because of us is left alone, and so is one whose harness says nothing readable.
fn may_hold_back(harness: Harness, input: &Input) -> bool {
    match harness {
        Harness::ClaudeCode | Harness::Codex => input.stop_hook_active == Some(false),
        Harness::Plain => input.stop_hook_active != Some(true),
    }
}
