//! The log of events, told again: what it says must be what the tables hold.

use std::collections::BTreeMap;

use bb_agent::domain::Timestamp;
use bb_agent::domain::agent::{AgentId, AgentState};
use bb_agent::domain::event::{Event, Origin};
use bb_agent::domain::mailbox::{Filter, Limit};
use bb_agent::domain::message::State;
use bb_agent::store::sqlite::{EventFilter, Mode};
use bb_agent::store::{Archive, Location, Store, StoreError, Transaction};

use super::World;

/// How far a message has come, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) requires_ack: bool,
    pub(crate) state: State,
    pub(crate) sent_at: Timestamp,
    pub(crate) read_at: Option<Timestamp>,
    pub(crate) acked_at: Option<Timestamp>,
}

/// Everything that has a state.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Story {
    pub(crate) agents: BTreeMap<String, String>,
    pub(crate) messages: BTreeMap<String, Progress>,
}

/// The store of a world, opened from this process.
pub(crate) fn open(world: &World) -> Store {
    let location = Location::new(&world.store()).unwrap();
    Store::open(location, Mode::Existing, Origin::default(), None).unwrap()
}

/// All events, oldest first, wherever they are.
pub(crate) fn events(world: &World) -> Vec<Event> {
    let store = open(world);
    let look = |view: &Transaction| Ok((view.events_after(0, u32::MAX)?, view.archive_files()?));
    let (stored, files) = store.read::<_, StoreError>(look).unwrap();
    Archive::of(store.location()).newest(&files, &EventFilter::default(), u32::MAX, stored).unwrap()
}

/// What the events tell.
pub(crate) fn told(world: &World) -> Story {
    let mut story = Story::default();
    for event in events(world) {
        tell(&mut story, &event);
    }
    story
}

fn tell(story: &mut Story, event: &Event) {
    let about = event.about.clone().unwrap();
    let text = |field: &str| event.data[field].as_str().unwrap_or_default().to_owned();
    match event.event.as_str() {
        "agent.registered" | "agent.updated" => {
            story.agents.insert(about, text("state"));
        }
        "agent.state" => {
            let before = story.agents.insert(about, text("to"));
            assert_eq!(before, Some(text("from")), "{event:?}");
        }
        "message.sent" => {
            let progress = Progress {
                from: event.agent.as_ref().unwrap().to_string(),
                to: text("to"),
                requires_ack: event.data["requires_ack"].as_bool().unwrap(),
                state: State::Unread,
                sent_at: event.at,
                read_at: None,
                acked_at: None,
            };
            assert_eq!(story.messages.insert(about, progress), None, "sent twice: {event:?}");
        }
        "agent.imported" => {
            story.agents.insert(about, text("state"));
        }
        "message.imported" => {
            let time = |field: &str| event.data[field].as_str().map(|at| at.parse().unwrap());
            let state = text("state").parse().unwrap();
            if event.data.get("previous_state").is_some() {
                let message = story.messages.get_mut(&about).unwrap();
                (message.state, message.read_at, message.acked_at) =
                    (state, time("read_at"), time("acked_at"));
                return;
            }
            let progress = Progress {
                from: event.agent.as_ref().unwrap().to_string(),
                to: text("to"),
                requires_ack: event.data["requires_ack"].as_bool().unwrap(),
                state,
                sent_at: time("created_at").unwrap(),
                read_at: time("read_at"),
                acked_at: time("acked_at"),
            };
            assert_eq!(story.messages.insert(about, progress), None, "imported twice: {event:?}");
        }
        "message.read" => {
            let message = story.messages.get_mut(&about).unwrap();
            assert_eq!((message.state, message.read_at), (State::Unread, None), "{event:?}");
            (message.state, message.read_at) = (State::Read, Some(event.at));
        }
        "message.acked" => {
            let message = story.messages.get_mut(&about).unwrap();
            assert_ne!(message.state, State::Acked, "{event:?}");
            message.read_at.get_or_insert(event.at);
            (message.state, message.acked_at) = (State::Acked, Some(event.at));
        }
        _ => {}
    }
}

/// What the tables hold.
pub(crate) fn held(world: &World) -> Story {
    let look = |view: &bb_agent::store::Transaction| -> Result<Story, StoreError> {
        let mut story = Story::default();
        for agent in view.agents()? {
            story.messages.append(&mut mailbox(view, &agent.id)?);
            story.agents.insert(agent.id.to_string(), AgentState::as_str(agent.state).to_owned());
        }
        Ok(story)
    };
    open(world).read(look).unwrap()
}

fn mailbox(
    view: &bb_agent::store::Transaction,
    agent: &AgentId,
) -> Result<BTreeMap<String, Progress>, StoreError> {
    let most = Limit::parse("500").unwrap();
    let (mut held, mut cursor) = (BTreeMap::new(), 0);
    loop {
        let page = view.inbox_after(agent, &Filter::default(), cursor, most, Timestamp::default())?;
        let Some(last) = page.last() else { return Ok(held) };
        cursor = last.cursor;
        held.extend(page.into_iter().map(|message| {
            let progress = Progress {
                from: message.from_agent.to_string(),
                to: message.to_agent.to_string(),
                requires_ack: message.requires_ack,
                state: message.state,
                sent_at: message.created_at,
                read_at: message.read_at,
                acked_at: message.acked_at,
            };
            (message.message_id.to_string(), progress)
        }));
    }
}
