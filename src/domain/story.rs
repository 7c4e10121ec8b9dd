//! What happened, in sentences.
//!
//! Texts of agents are quoted as they are; whoever prints a sentence cleans it.

mod of_handoff;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::Timestamp;
use super::agent::AgentId;
use super::archive::MOVED;
use super::event::Event;

/// The longest quotation, in characters.
const QUOTED: usize = 120;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Step {
    #[schemars(with = "String")]
    pub at: Timestamp,
    pub agent: Option<AgentId>,
    pub what: String,
    /// Its place in the log.
    pub event_id: i64,
}

/// Tells events in the order they happened, each once; the one the story is about is called "it".
pub fn tell(mut events: Vec<Event>, hero: &str) -> Vec<Step> {
    events.sort_by_key(|event| event.event_id);
    events.dedup_by_key(|event| event.event_id);
    events.iter().flat_map(|event| steps(event, hero)).collect()
}

fn steps(event: &Event, hero: &str) -> Vec<Step> {
    let recorded = event.data.get("lines").and_then(Value::as_array);
    let recorded: Vec<_> = recorded.into_iter().flatten().filter_map(Value::as_str).collect();
    let told = if recorded.is_empty() {
        vec![sentence(event, hero)]
    } else {
        recorded.into_iter().map(whole).collect()
    };
    let step = |what| Step { at: event.at, agent: event.agent.clone(), what, event_id: event.event_id };
    told.into_iter().flatten().map(step).collect()
}

fn whole(line: &str) -> Option<String> {
    Some(line.to_owned())
}

/// What an event says; nothing for the records that only machines read.
fn sentence(event: &Event, hero: &str) -> Option<String> {
    let about = event.about.as_deref().filter(|about| *about != hero).unwrap_or("it");
    let text = |name: &str| text(event, name);
    Some(match event.event.as_str() {
        "message.sent" => sent(event, about),
        "message.read" => format!("read {about}"),
        "message.acked" => format!("acknowledged {about}"),
        "message.answered" => {
            format!("answered {about} with \"{}\" ({})", quoted(text("message")), text("verdict"))
        }
        "message.passed_on" => format!("passed {about} on from {} to {}", text("from"), text("to")),
        "message.shown" => format!("was told of {about} by a hook ({}, {})", text("harness"), text("event")),
        "message.unshown" => format!("did not hear of {about}: what the hook said could not be written"),
        "agent.registered" => format!("was registered as {}", text("role")),
        "agent.state" => format!("set {about} to {} (was {})", text("to"), text("from")),
        "agent.seen" => "said that it is alive".to_owned(),
        "operation.claimed" => "took it upon itself to run the command".to_owned(),
        "operation.finished" => match event.data.get("exit_status").and_then(Value::as_i64) {
            Some(status) => format!("ran the command, which exited with {status}"),
            None => "ran the command, which a signal ended".to_owned(),
        },
        "agent_replacement" => format!("wrote the audit entry of {about}"),
        "agent_replacement.corrected" => format!("corrected the audit entry of {about}"),
        "operation.record" => return None,
        MOVED => {
            let number = event.data.get("events").and_then(Value::as_u64).unwrap_or(0);
            format!("moved {number} events into the archive ({about})")
        }
        other => match other.split_once('.') {
            Some(("task", what)) => of_task(event, what, about),
            Some(("handoff", what)) => of_handoff::sentence(event, what, about),
            Some(("reservation", what)) => of_reservation(event, what, about),
            _ => match text("line") {
                "" => format!("{}: {about}", spaced(other)),
                line => line.to_owned(),
            },
        },
    })
}

fn text<'a>(event: &'a Event, name: &str) -> &'a str {
    event.data.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn spaced(name: &str) -> String {
    name.replace(['.', '_', '-'], " ")
}

fn of_task(event: &Event, what: &str, about: &str) -> String {
    let text = |name: &str| text(event, name);
    match what {
        "assigned" => format!("gave {about} to {}", text("to")),
        "acknowledged" => match text("understanding") {
            "" => format!("answered for {about}: {}", text("answer")),
            said => format!("answered for {about}: {}, \"{}\"", text("answer"), quoted(said)),
        },
        "checkpoint" => {
            let number = event.data.get("checkpoint").and_then(Value::as_u64).unwrap_or(0);
            format!("reached checkpoint {number} of {about}: \"{}\"", quoted(text("summary")))
        }
        "failed" => format!("could not take {about}: {}", text("error_code")),
        "clarified" => format!("answered the questions about {about}"),
        "corrected" => format!("corrected how {about} was understood"),
        "supplemented" => format!("added to {about}"),
        "unresponsive" => format!("gave up waiting for {} to answer for {about}", text("to")),
        other => format!("{} {about}", spaced(other)),
    }
}

fn of_reservation(event: &Event, what: &str, about: &str) -> String {
    let text = |name: &str| text(event, name);
    match what {
        "granted" => format!("reserved {} until {}", text("scope"), text("expires_at")),
        "refreshed" => format!("kept {} until {}", text("scope"), text("expires_at")),
        "released" => format!("released {}", text("scope")),
        "passed_on" => format!("passed {} on from {} to {}", text("scope"), text("from"), text("to")),
        "taken-over" => format!("took {} over from {}", text("scope"), text("owner")),
        other => format!("{} {about}", spaced(other)),
    }
}

fn sent(event: &Event, about: &str) -> String {
    let text = |name: &str| text(event, name);
    let required = event.data.get("requires_ack").and_then(Value::as_bool).unwrap_or(false);
    let kind = Some(text("kind")).filter(|kind| !kind.is_empty() && *kind != "message");
    let what: Vec<_> =
        [kind, Some(text("category")), required.then_some("ack required")].into_iter().flatten().collect();
    format!("sent {about} to {} ({})", text("to"), what.join(", "))
}

/// A text on one line, cut where it gets long.
fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(id: i64, name: &str, data: Value) -> Event {
        Event {
            event_id: id,
            at: Timestamp::from_millis(id),
            event: name.to_owned(),
            agent: Some("amber-otter".parse().unwrap()),
            about: Some("msg_1".to_owned()),
            operation_id: None,
            data,
            uid: 0,
            pid: 1,
            parent_pid: 1,
            cwd: String::new(),
        }
    }

    fn told(name: &str, data: Value) -> Vec<String> {
        tell(vec![event(1, name, data)], "msg_2").into_iter().map(|step| step.what).collect()
    }

    #[test]
    fn events_become_sentences() {
        let sent = json!({"to": "lead-one", "category": "BLOCKED", "kind": "message", "requires_ack": true});
        assert_eq!(told("message.sent", sent), ["sent msg_1 to lead-one (BLOCKED, ack required)"]);
        let sent = json!({"to": "lead-one", "category": "INFO", "kind": "reminder", "requires_ack": false});
        assert_eq!(told("message.sent", sent), ["sent msg_1 to lead-one (reminder, INFO)"]);
        let answer = json!({"verdict": "other", "message": "a\nb"});
        assert_eq!(told("message.answered", answer), ["answered msg_1 with \"a b\" (other)"]);
        assert_eq!(
            told("operation.finished", json!({"exit_status": 3})),
            ["ran the command, which exited with 3"]
        );
    }

    #[test]
    fn the_hero_of_a_story_is_not_named_again_and_again() {
        let told = tell(vec![event(1, "message.read", Value::Null)], "msg_1");
        assert_eq!(told[0].what, "read it");
    }

    #[test]
    fn recorded_lines_are_told_as_they_are() {
        assert_eq!(told("handshake.x", json!({"lines": ["one", "two"]})), ["one", "two"]);
        assert_eq!(told("incident", json!({"line": "no answer"})), ["no answer"]);
    }

    #[test]
    fn what_nobody_has_words_for_is_named() {
        assert_eq!(told("novel.thing_done", Value::Null), ["novel thing done: msg_1"]);
        assert_eq!(told("task.cancelled", Value::Null), ["cancelled msg_1"]);
        assert_eq!(told(MOVED, json!({"events": 3})), ["moved 3 events into the archive (msg_1)"]);
        assert!(told("operation.record", json!({"x": 1})).is_empty());
    }

    #[test]
    fn a_story_is_in_order_and_tells_nothing_twice() {
        let events = [3, 1, 2, 3].map(|id| event(id, "message.read", Value::Null)).to_vec();
        assert_eq!(tell(events, "").iter().map(|step| step.event_id).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn long_answers_are_cut() {
        let answer = json!({"verdict": "other", "message": "ü".repeat(500)});
        let [line] = told("message.answered", answer).try_into().unwrap();
        assert!(line.chars().count() < 160, "{line}");
    }
}
