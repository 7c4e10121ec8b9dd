//! The six checks of an acknowledgment.

use super::{Action, Check, CheckName, Handoff, HandoffStatus, ReceivedAck, SaidStatus};

fn passed(check: CheckName, detail: impl Into<String>) -> Check {
    Check { check, passed: true, detail: detail.into(), action: None, advice: None }
}

fn failed(check: CheckName, detail: impl Into<String>, action: Action, advice: impl Into<String>) -> Check {
    let (action, advice) = (Some(action), Some(advice.into()));
    Check { check, passed: false, detail: detail.into(), action, advice }
}

/// A check for which there is nothing to look at.
pub(super) fn unreceived(handoff: &Handoff, check: CheckName) -> Check {
    let detail = match check {
        CheckName::AckReceived => "no acknowledgment came",
        _ => "there is no acknowledgment to look at",
    };
    let wait = format!("wait for it: bb agent wait-ack --handoff {}", handoff.handoff_id);
    failed(check, detail, Action::WaitForAck, wait)
}

/// An acknowledgment under examination.
pub(super) struct Look<'a> {
    pub(super) handoff: &'a Handoff,
    pub(super) received: &'a ReceivedAck,
    pub(super) expected: Option<&'a str>,
    pub(super) accepted: bool,
    pub(super) partial: Option<&'a str>,
}

impl Look<'_> {
    /// All six checks, in their order.
    pub(super) fn at_everything(&self) -> Vec<Check> {
        vec![
            self.ack_received(),
            self.handoff_id(),
            self.status(),
            self.starting_from(),
            self.understanding(),
            self.questions(),
        ]
    }

    /// An acknowledgment from before what the replacement was told last is as good as none.
    fn ack_received(&self) -> Check {
        let check = CheckName::AckReceived;
        let at = self.received.at;
        match (self.handoff.unconfirmed_by(self.received), self.partial) {
            (None, _) => passed(check, format!("received at {at}")),
            (Some(since), Some(reason)) => {
                passed(check, format!("received at {at}, before the {since}, and accepted: {reason}"))
            }
            (Some(since), None) => failed(
                check,
                format!("no confirming ACK since the {since}"),
                Action::WaitForAck,
                format!(
                    "wait for it: bb agent wait-ack --handoff {}; or do without: --accept-partial --reason TEXT",
                    self.handoff.handoff_id
                ),
            ),
        }
    }

    /// The line that tells the replacement what is wrong.
    fn correcting(&self) -> String {
        format!("bb agent verify-ack --handoff {} --correct", self.handoff.handoff_id)
    }

    /// A field that is not there fails, unless the orchestrator does without it.
    fn missing(&self, check: CheckName, detail: &str) -> Check {
        match self.partial {
            Some(reason) => passed(check, format!("missing, and accepted without: {reason}")),
            None => {
                let ask = format!(
                    "ask for its full form: {}; or do without: --accept-partial --reason TEXT",
                    self.correcting()
                );
                failed(check, detail, Action::RequestCorrectAck, ask)
            }
        }
    }

    fn handoff_id(&self) -> Check {
        let check = CheckName::HandoffId;
        match self.received.ack.handoff_id.as_deref() {
            None => self.missing(check, "the acknowledgment names no handoff"),
            Some(named) if self.handoff.names_another(&self.received.ack) => failed(
                check,
                format!("the acknowledgment names handoff '{named}'"),
                Action::RequestCorrectAck,
                format!("ask for one that names this handoff: {}", self.correcting()),
            ),
            Some(named) => passed(check, named),
        }
    }

    fn status(&self) -> Check {
        let check = CheckName::Status;
        let ready = HandoffStatus::ReadyToProceed;
        let detail = |said: &str| format!("Agent status is {said}, not {ready}");
        match &self.received.ack.status {
            None => self.missing(check, &detail("missing")),
            Some(SaidStatus::Known(status)) if *status == ready => passed(check, ready.as_str()),
            Some(said) => {
                let answered = !self.received.ack.questions().is_empty()
                    && self.handoff.open_questions(self.received).is_empty();
                let advice = match said {
                    SaidStatus::Known(HandoffStatus::NeedsClarification) if answered => {
                        "its questions are answered: wait for a confirming acknowledgment"
                    }
                    SaidStatus::Known(status) => status.next_action().sentence(),
                    SaidStatus::Other(_) => "ask what keeps it from going on",
                };
                failed(check, detail(said.as_str()), Action::ResolveBlockers, advice)
            }
        }
    }

    fn starting_from(&self) -> Check {
        let check = CheckName::StartingFrom;
        let Some(said) = self.received.ack.starting_from.as_deref() else {
            let expected = self.expected.map_or_else(String::new, |it| format!(", expected '{it}'"));
            return self.missing(check, &format!("Agent checkpoint is missing{expected}"));
        };
        match self.expected {
            None => passed(check, format!("'{said}'; the handoff documents no checkpoint to compare with")),
            Some(expected) if same_text(said, expected) => passed(check, format!("'{said}'")),
            Some(expected) => failed(
                check,
                format!("Agent checkpoint '{said}' differs from expected '{expected}'"),
                Action::CorrectAndConfirm,
                format!("tell it the documented one, and wait for a confirmation: {}", self.correcting()),
            ),
        }
    }

    fn understanding(&self) -> Check {
        let check = CheckName::Understanding;
        match self.received.ack.understanding.as_deref() {
            None => self.missing(check, "Agent understanding is missing"),
            Some(said) if self.accepted => passed(check, format!("accepted: '{said}'")),
            Some(said) => failed(
                check,
                format!("Agent understanding is not accepted: '{said}'"),
                Action::ClarifyRequirements,
                format!(
                    "compare it with the tasks; if it fits: bb agent verify-ack --handoff {} \
                     --accept-understanding; if not, clarify what is required: {}",
                    self.handoff.handoff_id,
                    self.correcting()
                ),
            ),
        }
    }

    fn questions(&self) -> Check {
        let check = CheckName::Questions;
        let asked = self.received.ack.questions();
        let open = self.handoff.open_questions(self.received);
        match (&self.received.ack.questions, open.len()) {
            (None, _) => self.missing(check, "Agent did not say whether it has questions"),
            (Some(_), 0) if asked.is_empty() => passed(check, "none"),
            (Some(_), 0) => passed(check, format!("all {} answered", asked.len())),
            (Some(_), count) => {
                let noun = if count == 1 { "question" } else { "questions" };
                let detail = format!("Agent has {count} open {noun}: {}", open.join(" | "));
                let id = &self.handoff.handoff_id;
                let answer =
                    format!("answer before the work begins: bb agent clarify --handoff {id} --answer TEXT");
                failed(check, detail, Action::AnswerQuestions, answer)
            }
        }
    }
}

/// Whether two texts are the same but for white space.
fn same_text(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}
