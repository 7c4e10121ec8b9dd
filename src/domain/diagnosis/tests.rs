use super::*;

fn agent(name: &str) -> AgentId {
    name.parse().unwrap()
}

const NOW: Timestamp = Timestamp::from_millis(10_000_000);
const AGAIN: &str = "bb wait-ack msg_1";

/// An agent that is idle, was seen 40 seconds ago, and has not read the request; it is not gone ahead without it.
fn facts(agent: &AgentId) -> Facts<'_> {
    Facts {
        agent,
        status: Status::Silent,
        proceeds: false,
        state: AgentState::Idle,
        liveness: Liveness::Active,
        last_seen: NOW - Duration::from_secs(40),
        read_at: None,
        answer: None,
        said: None,
        successor: None,
        again: AGAIN,
    }
}

/// A63
#[test]
fn tells_silence_of_the_absent_from_silence_of_the_busy() {
    let otter = agent("amber-otter");
    let known = facts(&otter);
    let unread = diagnose(&known, NOW);
    assert_eq!(unread.why, "it was last seen 40s ago, and the request lies unread in its inbox");
    assert_eq!(unread.next, AGAIN);
    let stale = diagnose(&Facts { liveness: Liveness::Evicted, ..known.clone() }, NOW);
    assert!(stale.why.contains("may have to be restarted"), "{}", stale.why);
    assert_eq!(stale.next, "bb show amber-otter");
    let read = diagnose(&Facts { read_at: Some(Timestamp::from_millis(9_990_000)), ..known }, NOW);
    assert_eq!(read.why, "it read the request 10s ago and gave no answer");
}

/// A64
#[test]
fn tells_an_answer_that_was_not_recognised() {
    let (otter, lead) = (agent("amber-otter"), agent("lead-one"));
    let why = |text, to_requester, bound| {
        let said = Some(Said { to: &lead, text, to_requester, bound });
        diagnose(&Facts { said, ..facts(&otter) }, NOW).why
    };
    assert_eq!(why("ok", false, false), "it sent `ok` to lead-one instead");
    assert_eq!(why("ok", true, false), "it sent `ok` without saying what it answers");
    assert_eq!(why("oky", true, true), "it sent `oky`, which is none of ok, wait and cancel");
}

/// A64
#[test]
fn tells_an_answer_that_did_not_count_from_words_that_are_none() {
    let (otter, lead) = (agent("amber-otter"), agent("lead-one"));
    let why = |answer| {
        let said = Some(Said { to: &lead, text: "ok", to_requester: true, bound: true });
        let read_at = Some(NOW);
        diagnose(&Facts { answer: Some(answer), said, read_at, ..facts(&otter) }, NOW).why
    };
    assert_eq!(why(Uncounted::Late(Duration::from_secs(9))), "its answer came 9s after the wait was over");
    assert_eq!(why(Uncounted::NotVerified), "it answered without its token, and only verified answers count");
    assert_eq!(
        why(Uncounted::NeedsTime),
        "it asked for more time and did not come back; it was last seen 40s ago"
    );
}

#[test]
fn names_the_successor_of_the_gone() {
    let (otter, heir) = (agent("amber-otter"), agent("zinc-yak"));
    let state = AgentState::Inactive;
    let gone = diagnose(&Facts { state, successor: Some(&heir), ..facts(&otter) }, NOW);
    assert_eq!(gone.why, "it is inactive and was replaced by zinc-yak");
    assert_eq!(gone.next, "bb show zinc-yak");
}

#[test]
fn says_how_to_go_on_after_a_no_or_a_question() {
    let otter = agent("amber-otter");
    for (status, begins) in [
        (Status::Cancelled, "it asked to cancel"),
        (Status::Refused, "it refused"),
        (Status::NeedsClarification, "it has a question: answer it"),
    ] {
        let found = diagnose(&Facts { status, ..facts(&otter) }, NOW);
        assert!(found.why.starts_with(begins), "{}", found.why);
        assert_eq!(found.next, AGAIN);
    }
}

#[test]
fn nobody_is_asked_again_about_what_went_ahead() {
    let otter = agent("amber-otter");
    assert_eq!(diagnose(&Facts { proceeds: true, ..facts(&otter) }, NOW).next, "bb show amber-otter");
}
