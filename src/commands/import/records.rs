//! What BeadBoard writes, as records that obey the rules of bb. Pure: text in, record or reason out.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::source::Place;
use crate::domain::agent::{AgentId, AgentState};
use crate::domain::message::{
    Category, MessageId, State, check_body, check_label, check_subject, default_thread,
};
use crate::domain::{Invalid, Timestamp, reservation};

/// An agent with a file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AgentRecord {
    pub id: AgentId,
    pub display: String,
    pub role: String,
    pub state: AgentState,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
}

/// A message, as far as it had come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MessageRecord {
    pub id: MessageId,
    pub thread_id: String,
    pub bead_id: Option<String>,
    pub from: AgentId,
    pub to: AgentId,
    pub category: Category,
    pub subject: String,
    pub body: String,
    pub state: State,
    pub requires_ack: bool,
    pub created_at: Timestamp,
    pub read_at: Option<Timestamp>,
    pub acked_at: Option<Timestamp>,
    pub place: Place,
}

/// A reservation that is held or was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReservationRecord {
    pub reservation_id: String,
    /// As it stands in the file: a name, a pattern, or an absolute path.
    pub scope: String,
    pub agent_id: AgentId,
    pub bead_id: Option<String>,
    pub state: reservation::State,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub released_at: Option<Timestamp>,
    pub place: Place,
}

#[derive(Deserialize)]
struct RawAgent {
    agent_id: String,
    display_name: Option<String>,
    role: String,
    status: Option<String>,
    created_at: String,
    last_seen_at: Option<String>,
}

#[derive(Deserialize)]
struct RawMessage {
    message_id: String,
    thread_id: Option<String>,
    bead_id: Option<String>,
    from_agent: String,
    to_agent: String,
    category: String,
    subject: String,
    body: String,
    state: Option<String>,
    requires_ack: Option<bool>,
    created_at: String,
    read_at: Option<String>,
    acked_at: Option<String>,
}

#[derive(Deserialize)]
struct RawReservation {
    reservation_id: String,
    scope: String,
    agent_id: String,
    bead_id: Option<String>,
    state: String,
    created_at: String,
    expires_at: String,
    released_at: Option<String>,
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| format!("is not what BeadBoard writes: {error}"))
}

fn time(text: Option<String>) -> Result<Option<Timestamp>, Invalid> {
    text.map(|text| text.parse()).transpose()
}

/// Reads an agent's file.
pub(super) fn agent(text: &str) -> Result<AgentRecord, String> {
    let raw: RawAgent = parsed(text)?;
    let record = || -> Result<AgentRecord, Invalid> {
        let id: AgentId = raw.agent_id.parse()?;
        let display = raw.display_name.filter(|name| !name.trim().is_empty());
        let display = display.unwrap_or_else(|| id.to_string());
        check_label("display name", &display)?;
        check_label("role", &raw.role)?;
        let created_at: Timestamp = raw.created_at.parse()?;
        Ok(AgentRecord {
            id,
            display,
            role: raw.role,
            state: raw.status.map_or(Ok(AgentState::Idle), |text| text.parse())?,
            created_at,
            last_seen_at: time(raw.last_seen_at)?.unwrap_or(created_at),
        })
    };
    record().map_err(|invalid| invalid.what)
}

/// Reads a message: a line of an inbox, or the file that follows its progress.
pub(super) fn message(text: &str, max_body: usize, place: Place) -> Result<MessageRecord, String> {
    let raw: RawMessage = parsed(text)?;
    let record = || -> Result<MessageRecord, Invalid> {
        check_subject(&raw.subject)?;
        check_body(&raw.body, max_body)?;
        let bead_id = raw.bead_id.filter(|bead| !bead.is_empty());
        let named = raw.thread_id.filter(|thread| !thread.is_empty());
        let thread_id = named.or_else(|| bead_id.as_deref().map(default_thread));
        let thread_id = thread_id.unwrap_or_else(|| raw.message_id.clone());
        bead_id.as_deref().map_or(Ok(()), |bead| check_label("bead", bead))?;
        check_label("thread", &thread_id)?;
        let category: Category = raw.category.parse()?;
        let created_at: Timestamp = raw.created_at.parse()?;
        let state = raw.state.map_or(Ok(State::Unread), |text| text.parse())?;
        let (read_at, acked_at) = times(state, created_at, time(raw.read_at)?, time(raw.acked_at)?);
        Ok(MessageRecord {
            id: raw.message_id.parse()?,
            thread_id,
            bead_id,
            from: raw.from_agent.parse()?,
            to: raw.to_agent.parse()?,
            category,
            subject: raw.subject,
            body: raw.body,
            state,
            requires_ack: raw.requires_ack.unwrap_or(category.requires_ack()),
            created_at,
            read_at,
            acked_at,
            place,
        })
    };
    record().map_err(|invalid| invalid.what)
}

/// The times that belong to a state; one that is missing takes the time before it.
fn times(
    state: State,
    created_at: Timestamp,
    read_at: Option<Timestamp>,
    acked_at: Option<Timestamp>,
) -> (Option<Timestamp>, Option<Timestamp>) {
    let acked_at = (state == State::Acked).then(|| acked_at.or(read_at).unwrap_or(created_at));
    let read_at = (state != State::Unread).then(|| read_at.or(acked_at).unwrap_or(created_at));
    (read_at, acked_at)
}

/// Reads a reservation.
pub(super) fn reservation(text: &str, place: Place) -> Result<ReservationRecord, String> {
    let raw: RawReservation = parsed(text)?;
    let record = || -> Result<ReservationRecord, Invalid> {
        check_label("reservation id", &raw.reservation_id)?;
        let bead_id = raw.bead_id.filter(|bead| !bead.is_empty());
        bead_id.as_deref().map_or(Ok(()), |bead| check_label("bead", bead))?;
        Ok(ReservationRecord {
            reservation_id: raw.reservation_id,
            scope: raw.scope,
            agent_id: raw.agent_id.parse()?,
            bead_id,
            state: raw.state.parse()?,
            created_at: raw.created_at.parse()?,
            expires_at: raw.expires_at.parse()?,
            released_at: time(raw.released_at)?,
            place,
        })
    };
    record().map_err(|invalid| invalid.what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINE: &str = r#"{"message_id":"msg_20260214_000100_7f3c","thread_id":"bead:bb-1","bead_id":"bb-1",
        "from_agent":"agent-ui-1","to_agent":"agent-graph-1","category":"HANDOFF","subject":"s","body":"b",
        "state":"unread","requires_ack":true,"created_at":"2026-02-14T00:01:00.000Z","read_at":null,"acked_at":null}"#;

    #[test]
    fn a_message_keeps_its_id_and_times() {
        let record = message(LINE, 100, Place::default()).unwrap();
        assert_eq!(record.id.as_str(), "msg_20260214_000100_7f3c");
        assert_eq!(record.created_at.to_string(), "2026-02-14T00:01:00.000Z");
        assert_eq!((record.state, record.read_at, record.acked_at), (State::Unread, None, None));
    }

    #[test]
    fn a_state_brings_the_times_it_needs() {
        let acked = LINE.replace(r#""state":"unread""#, r#""state":"acked""#);
        let record = message(&acked, 100, Place::default()).unwrap();
        assert_eq!(record.read_at, Some(record.created_at));
        assert_eq!(record.acked_at, Some(record.created_at));
        let stray = LINE.replace(r#""read_at":null"#, r#""read_at":"2026-02-14T00:02:00.000Z""#);
        assert_eq!(message(&stray, 100, Place::default()).unwrap().read_at, None);
    }

    #[test]
    fn what_bb_does_not_allow_is_refused_with_a_reason() {
        for (from, to, reason) in [
            ("agent-ui-1", "Agent/UI#1", "`Agent/UI#1` is not an agent id"),
            ("HANDOFF", "INCURSION", "`INCURSION` is not a category"),
            ("\"b\"", "\"\"", "the body is empty"),
            ("2026-02-14T00:01:00.000Z", "yesterday", "`yesterday` is not a time"),
            ("msg_20260214_000100_7f3c", "msg_*", "`msg_*` is not a message id"),
        ] {
            let said = message(&LINE.replacen(from, to, 1), 100, Place::default()).unwrap_err();
            assert!(said.starts_with(reason), "{said}");
        }
        let torn: String = LINE.chars().take(80).collect();
        assert!(message(&torn, 100, Place::default()).unwrap_err().contains("BeadBoard"));
        assert!(message(LINE, 0, Place::default()).is_err());
    }

    #[test]
    fn an_agent_without_a_display_name_is_called_by_its_id() {
        let text = r#"{"agent_id":"agent-ui-1","display_name":"","role":"ui","status":"idle",
            "created_at":"2026-02-13T23:55:00.000Z","last_seen_at":"2026-02-13T23:56:00.000Z","version":4}"#;
        let record = agent(text).unwrap();
        assert_eq!(record.display, "agent-ui-1");
        assert!(record.last_seen_at > record.created_at);
    }

    proptest! {
        #[test]
        fn no_line_makes_a_reader_fail(line in any::<String>(), cut in 0..400_usize) {
            let torn: String = LINE.chars().take(cut).collect();
            for text in [line, torn] {
                let _ = agent(&text);
                let _ = message(&text, 100, Place::default());
                let _ = reservation(&text, Place::default());
            }
        }
    }
}
