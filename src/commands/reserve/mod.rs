//! `reserve`: an agent says what it is going to change, so that no other does.

mod facts;
pub(super) mod grant;
mod queue;
pub(super) mod refusal;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::facts::Facts;
use self::refusal::Refusal;
use super::identity::Actor;
use super::{Context, Me, Report, holding, words};
use crate::domain::agent::{Agent, AgentId};
use crate::domain::message::{MessageId, check_label};
use crate::domain::reservation::{Request, Reservation, Ttl};
use crate::domain::scope::Scope;
use crate::domain::{Invalid, Rule, Timestamp, duration};
use crate::failure::{Code, Failure};
use crate::project::Project;
use crate::store::Transaction;

/// The most scopes one request may name.
const MAX_SCOPES: usize = 1_000;

/// Reserve what you are going to change
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    /// A path, a glob or a named surface of the project; several are granted together or not at all
    #[arg(long, value_name = "SCOPE", num_args = 1.., required_unless_present = "dirty")]
    pub scope: Vec<String>,
    /// Reserve what `git status` shows as changed
    #[arg(long)]
    pub dirty: bool,
    /// The bead you work on (else BB_BEAD)
    #[arg(long, value_name = "BEAD")]
    pub bead: Option<String>,
    /// How long: 5 to 1440 minutes, or with a unit [default: 120]
    #[arg(long, value_name = "MINUTES", value_parser = Ttl::parse)]
    pub ttl: Option<Ttl>,
    /// Take over what has expired or whose owner has gone quiet; the old owner is told
    #[arg(long)]
    pub takeover_stale: bool,
    /// Queue up, and wait this long for it
    #[arg(long, value_name = "SECS", value_parser = duration::seconds, conflicts_with = "check")]
    #[schemars(with = "Option<u64>")]
    pub wait: Option<Duration>,
    /// Why, for those who come across it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub reason: Option<String>,
    /// Let others who say --shared too work on it at the same time
    #[arg(long)]
    pub shared: bool,
    /// Only say whether it would be granted; changes nothing
    #[arg(long)]
    pub check: bool,
}

/// What was reserved, or what would be.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Outcome {
    Reserved(Reserved),
    Checked(Checked),
}

/// What was reserved.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reserved {
    #[serde(flatten)]
    pub granted: Granted,
    /// Others' reservations that ended by it.
    pub taken_over: Vec<TakenOver>,
    #[serde(skip)]
    #[schemars(skip)]
    pub now: Timestamp,
}

/// One reservation, or those of several scopes in the order they were named.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Granted {
    One(Box<Reservation>),
    Several { reservations: Vec<Reservation> },
}

/// A reservation that was taken over, and the message that told its owner.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TakenOver {
    #[serde(flatten)]
    pub reservation: Reservation,
    /// Null when the owner's mailbox is full.
    pub message_id: Option<MessageId>,
}

/// What a request would do.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// Always true: what would be refused fails as the request itself would.
    pub available: bool,
    pub scopes: Vec<Scope>,
    /// Your own reservations that would be refreshed.
    pub refresh: Vec<Reservation>,
    /// Others' reservations that would end.
    pub take_over: Vec<Reservation>,
    #[serde(skip)]
    #[schemars(skip)]
    agent: Box<Agent>,
}

impl Report for Outcome {
    fn settle(&self, context: &Context) -> Result<(), Failure> {
        if let Self::Checked(checked) = self {
            context.note_activity(&checked.agent);
        }
        Ok(())
    }
}

/// What is wished for, checked as far as it can be without the store.
#[derive(Debug)]
struct Wish {
    agent: AgentId,
    /// The name of the project.
    project: String,
    scopes: Vec<Scope>,
    bead: String,
    ttl: Ttl,
    reason: Option<String>,
    shared: bool,
    takeover_stale: bool,
    is_single: bool,
}

impl Wish {
    fn new(context: &Context, args: &Args) -> Result<Self, Failure> {
        let agent = context.identity(args.me.agent.as_ref(), "--agent")?.id;
        let project = holding::project(context)?;
        let scopes = scopes(&project, args)?;
        // Whoever only asks need not say yet what it is for.
        let at_hand = args.check.then_some("-");
        let bead = words::bead(context, args.bead.as_deref(), at_hand, "a reservation")?;
        args.reason.as_deref().map_or(Ok(()), |reason| check_label("reason", reason))?;
        Ok(Self {
            agent,
            project: project.name(),
            is_single: args.scope.len() == 1 && !args.dirty,
            scopes,
            bead,
            ttl: args.ttl.unwrap_or_default(),
            reason: args.reason.clone(),
            shared: args.shared,
            takeover_stale: args.takeover_stale,
        })
    }

    fn request(&self) -> Request<'_> {
        Request {
            agent: &self.agent,
            scopes: &self.scopes,
            shared: self.shared,
            takeover_stale: self.takeover_stale,
        }
    }
}

/// The scopes that were typed, and those of the changed files where they are asked for.
fn scopes(project: &Project, args: &Args) -> Result<Vec<Scope>, Failure> {
    let mut scopes = args.scope.iter().map(|typed| project.scope(typed)).collect::<Result<Vec<_>, _>>()?;
    if args.dirty {
        let changed = project.git()?.changed()?;
        scopes.extend(changed.iter().map(|path| project.scope_of_path(path)).collect::<Result<Vec<_>, _>>()?);
    }
    let invalid = |what: &str, hint: &str| Err(Invalid::new(Rule::Scope, what).hint(hint).into());
    match scopes.len() {
        0 => invalid("git status shows nothing changed", "name what you are going to change: --scope PATH"),
        1..=MAX_SCOPES => Ok(scopes),
        _ => invalid("there are more than 1000 scopes", "reserve the folders they are in"),
    }
}

/// Reserves everything that is wished for, or nothing.
pub fn run(context: &Context, args: &Args) -> Result<Outcome, Failure> {
    let wish = Wish::new(context, args)?;
    if args.check {
        return check(context, &wish).map(Outcome::Checked);
    }
    let reserved = match args.wait {
        None => at_once(context, &wish),
        Some(limit) => queue::wait(context, &wish, limit),
    };
    reserved.map(Outcome::Reserved)
}

fn at_once(context: &Context, wish: &Wish) -> Result<Reserved, Failure> {
    let (attempt, agent) = context.write(|transaction, now| {
        let actor = context.acting(transaction, &wish.agent, Code::AgentNotFound)?;
        let facts = Facts::load(context, transaction, &wish.project)?;
        Ok((attempt(context, transaction, wish, &actor, (&facts, None), now)?, actor.agent))
    })?;
    attempt.map_err(|refusal| {
        context.note_activity(&agent);
        refusal.why()
    })
}

/// Decides, and reserves what is granted. `place` is the request's own place in the queue.
fn attempt(
    context: &Context,
    transaction: &Transaction,
    wish: &Wish,
    actor: &Actor,
    (facts, place): (&Facts, Option<i64>),
    now: Timestamp,
) -> Result<Result<Reserved, Refusal>, Failure> {
    for waiter in facts.gone() {
        transaction.remove_waiter(waiter.place)?;
    }
    match facts.decide(wish, place) {
        Ok(plan) => grant::perform(context, transaction, wish, actor, &plan, now).map(Ok),
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// Says whether the request would be granted.
fn check(context: &Context, wish: &Wish) -> Result<Checked, Failure> {
    context.read(|view| {
        let actor = context.acting(view, &wish.agent, Code::AgentNotFound)?;
        let facts = Facts::load(context, view, &wish.project)?;
        let plan = facts.decide(wish, None).map_err(Refusal::why)?;
        Ok(Checked {
            available: true,
            scopes: wish.scopes.clone(),
            refresh: plan.refresh.into_iter().cloned().collect(),
            take_over: plan.take_over.into_iter().cloned().collect(),
            agent: Box::new(actor.agent),
        })
    })
}
