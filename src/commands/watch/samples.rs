//! Boards for tests.

use std::time::Duration;

use super::{AgentRow, Board, ReservationRow};
use crate::commands::Pair;
use crate::commands::identity::Profile;
use crate::domain::Timestamp;
use crate::domain::agent::{AgentState, Liveness};
use crate::domain::handshake::Status;
use crate::domain::message::{Category, Kind, Message, Priority, State};
use crate::domain::story::Step;

/// When the boards are seen.
pub(crate) fn now() -> Timestamp {
    "2026-03-04T00:11:22Z".parse().unwrap()
}

/// A message to `lead-one`, sent some seconds ago.
pub(crate) fn message(number: u32, subject: &str, ago: u64) -> Message {
    Message {
        message_id: format!("msg_20260304_001122_{number:010}").parse().unwrap(),
        thread_id: "bead:bb-1".to_owned(),
        bead_id: Some("bb-1".to_owned()),
        from_agent: "amber-otter".parse().unwrap(),
        to_agent: "lead-one".parse().unwrap(),
        category: Category::Blocked,
        kind: Kind::Message,
        priority: Priority::High,
        subject: subject.to_owned(),
        body: "Which key signs releases?\nThe old one is gone.".to_owned(),
        state: State::Unread,
        requires_ack: true,
        created_at: now() - Duration::from_secs(ago),
        read_at: None,
        acked_at: None,
        reply_to: None,
        broadcast_id: None,
        operation_id: None,
        content: None,
        response: None,
        verified: false,
        ack_due_at: Some(now() - Duration::from_secs(ago) + Duration::from_secs(120)),
        closed_at: None,
        cursor: i64::from(number),
    }
}

fn agent(name: &str, state: AgentState, unread: u32, needs_ack: u32) -> AgentRow {
    AgentRow {
        agent: Profile {
            agent_id: name.parse().unwrap(),
            display_name: name.to_owned(),
            role: "backend".to_owned(),
            session: None,
            state,
            liveness: Liveness::Active,
            protected: false,
            replaced_by: None,
            created_at: now(),
            last_seen_at: now() - Duration::from_secs(40),
        },
        unread,
        needs_ack,
    }
}

/// A board with a little of everything, seen by `lead-one`.
pub(crate) fn board() -> Board {
    let step = |event_id, agent: &str, what: &str| Step {
        at: now() - Duration::from_secs(60),
        agent: Some(agent.parse().unwrap()),
        what: what.to_owned(),
        event_id,
    };
    Board {
        now: now(),
        me: Some("lead-one".parse().unwrap()),
        agents: vec![
            agent("amber-otter", AgentState::Stuck, 0, 0),
            agent("lead-one", AgentState::Working, 2, 2),
        ],
        mail_of: Some("lead-one".parse().unwrap()),
        mail_total: 2,
        mail_overdue: 1,
        mail: vec![message(1, "Need a key", 300), message(2, "Also \u{1b}[31mthis\u{202e}", 20)],
        waits: vec![Pair {
            requester: "amber-otter".parse().unwrap(),
            waits_for: "lead-one".parse().unwrap(),
            status: Status::Waiting,
            operation: "restart".to_owned(),
            operation_id: "op_1".to_owned(),
            message_id: "msg_3".parse().unwrap(),
            remaining_seconds: 75,
            whole_seconds: 120,
            reminders_sent: 1,
        }],
        reservations: Vec::new(),
        events: vec![
            step(2, "lead-one", "read msg_20260304_001122_0000000001"),
            step(1, "amber-otter", "sent msg_20260304_001122_0000000001 to lead-one (BLOCKED, ack required)"),
        ],
        looked_at: now(),
    }
}

/// A scope that is held.
pub(crate) fn held() -> ReservationRow {
    ReservationRow {
        reservation_id: "res_1".to_owned(),
        scope: "src/api/**".to_owned(),
        agent_id: "amber-otter".parse().unwrap(),
        bead_id: Some("bb-1".to_owned()),
        expires_at: now() + Duration::from_secs(600),
    }
}
