//! Who has to do what next about a handoff, as a line to type.

use super::notice::teaching;
use super::{Check, CheckName, Handoff, HandoffStatus, Next, Outcome, TaskRef, Verification};
use crate::domain::agent::AgentId;

/// What is to be done next, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    pub agent: AgentId,
    pub command: String,
}

impl Handoff {
    /// The next command; none when nothing is left to do. The verification is the newest there is, kept or not.
    pub fn advice(&self, verification: Option<&Verification>) -> Option<Advice> {
        let to_orchestrator = |command| Some(Advice { agent: self.orchestrator.clone(), command });
        match self.next() {
            Next::Wait if self.newest_ack().is_some() && self.unconfirmed().is_none() => {
                to_orchestrator(self.after_look(verification))
            }
            Next::Wait => Some(Advice {
                agent: self.replacement.id.clone(),
                command: self.ack_line(HandoffStatus::ReadyToProceed)?,
            }),
            Next::Verify => to_orchestrator(self.after_look(verification)),
            Next::Nothing => self.after_end().and_then(to_orchestrator),
            _ => to_orchestrator(self.resuming()),
        }
    }

    /// The line with which the replacement answers; none while it was not asked.
    pub fn ack_line(&self, status: HandoffStatus) -> Option<String> {
        Some(teaching::command(&self.replacement.id, self.message_id()?, status))
    }

    /// The line that closes a handoff to which nobody answered.
    pub fn giving_up(&self) -> Option<Advice> {
        Some(Advice { agent: self.orchestrator.clone(), command: self.resuming() })
    }

    /// What is to be known before a handoff is closed to which nobody answered in time.
    pub fn before_giving_up(&self) -> String {
        let instead = self.line("replace --resume", " --acknowledge-with-delay --reason TEXT");
        let close = self.resuming();
        format!(
            "no acknowledgment came in time, and the controller was told; `{close}` closes it as failed, and \
             this goes on all the same: {instead}"
        )
    }

    fn line(&self, verb: &str, rest: &str) -> String {
        format!("bb agent {verb} {}{rest}", self.handoff_id)
    }

    fn resuming(&self) -> String {
        self.line("replace --resume", "")
    }

    /// What an acknowledgment calls for that is not valid, or was not looked at.
    fn after_look(&self, verification: Option<&Verification>) -> String {
        let Some(verification) = verification else { return self.line("verify-ack --handoff", "") };
        let Some(failed) = verification.checks.iter().find(|check| !check.passed) else {
            return self.resuming();
        };
        let asks = self.newest_ack().is_some_and(|it| !self.open_questions(it).is_empty());
        let rejects = self.newest_ack().and_then(|it| it.ack.known_status()) == Some(HandoffStatus::Rejected);
        match failed.check {
            CheckName::Status if rejects => self.resuming(),
            CheckName::Status | CheckName::Questions if asks => self.answering(),
            CheckName::Status | CheckName::AckReceived => self.line("wait-ack --handoff", ""),
            CheckName::Understanding if !is_missing(verification, failed) => {
                self.line("replace --resume", " --accept-understanding")
            }
            _ => self.line("verify-ack --handoff", " --correct"),
        }
    }

    fn answering(&self) -> String {
        let asked = self.newest_ack().map_or(0, |it| it.ack.questions().len());
        self.line("clarify --handoff", &" --answer \"your answer\"".repeat(asked))
    }

    fn after_end(&self) -> Option<String> {
        if let Some(newer) = &self.superseded_by {
            return Some(format!("bb agent explain {newer}"));
        }
        let failed = &self.failed;
        match self.outcome()? {
            Outcome::Success | Outcome::Partial if !self.repeatable().is_empty() => Some(self.resuming()),
            Outcome::Success => None,
            Outcome::Partial => {
                let stuck = self.transfer.iter().flat_map(|it| &it.failed).map(|it| it.uuid.as_str());
                let first =
                    self.tasks.iter().find(|task| stuck.clone().any(|uuid| uuid == task.task_uuid))?;
                Some(format!("bb agent explain {}", first.task_id.in_shell()))
            }
            Outcome::Failed if self.has_nothing_to_move() => {
                Some(format!("bb agent tasks --agent {}", failed.id))
            }
            Outcome::Failed => Some(self.again("AGENT", &self.tasks)),
        }
    }

    /// The line that hands tasks of the failed agent over.
    fn again(&self, to: &str, tasks: &[TaskRef]) -> String {
        let tasks: Vec<_> = tasks.iter().map(|task| task.task_id.in_shell()).collect();
        format!(
            "bb agent replace --from {} --failed {} --to {to} --reason \"{}\" --document FILE --task {}",
            self.orchestrator,
            self.failed.id,
            self.reason.replace(['"', '\\', '$', '`'], ""),
            tasks.join(" ")
        )
    }

    /// What is to be said of tasks that the failed agent still has; none when it has none, and when it keeps
    /// all of them.
    pub fn left_behind(&self, tasks: &[TaskRef]) -> Option<String> {
        if tasks.is_empty() || self.superseded_by.is_some() || self.outcome() == Some(Outcome::Failed) {
            return None;
        }
        let names: Vec<_> = tasks.iter().map(|task| task.task_id.as_str()).collect();
        let (failed, new) = (&self.failed.id, &self.replacement.id);
        let line = self.again(new.as_str(), tasks);
        Some(format!(
            "not handed over, and with `{failed}` still: {}; hand them over: {line}",
            names.join(", ")
        ))
    }
}

/// Whether a check failed because its field is not there.
fn is_missing(verification: &Verification, check: &Check) -> bool {
    verification.missing.iter().any(|field| field == check.check.as_str())
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::*;
    use crate::domain::handoff::{Criteria, HandoffAck, HandoffInput};

    fn command(handoff: &Handoff) -> String {
        let verification = handoff.newest_ack().map(|_| look(handoff, &Criteria::default()));
        handoff.advice(verification.as_ref()).unwrap().command
    }

    #[test]
    fn the_replacement_is_asked_first_and_then_the_orchestrator() {
        assert_eq!(sent().advice(None).unwrap().agent, agent("implementer-2"));
        assert!(command(&sent()).starts_with("bb agent ack --agent implementer-2 --message msg_handoff"));
        let acked = acked_with(ready()).advice(None).unwrap();
        assert_eq!(acked.agent, agent("orchestrator-master"));
        assert_eq!(acked.command, "bb agent verify-ack --handoff handoff-uuid-123");
    }

    #[test]
    fn every_discrepancy_has_its_line() {
        let other = HandoffAck { starting_from: Some("elsewhere".to_owned()), ..ready() };
        let silent = HandoffAck { understanding: None, ..ready() };
        let unable = HandoffAck::new("handoff-uuid-123", HandoffStatus::EnvironmentIssue);
        for (ack, line) in [
            (ready(), "replace --resume handoff-uuid-123 --accept-understanding"),
            (other, "verify-ack --handoff handoff-uuid-123 --correct"),
            (silent, "verify-ack --handoff handoff-uuid-123 --correct"),
            (unable, "wait-ack --handoff handoff-uuid-123"),
        ] {
            assert_eq!(command(&acked_with(ack)), format!("bb agent {line}"));
        }
        let asked = HandoffAck {
            questions: Some(vec!["a?".to_owned(), "b?".to_owned()]),
            ..HandoffAck::new("handoff-uuid-123", HandoffStatus::NeedsClarification)
        };
        let line = "clarify --handoff handoff-uuid-123 --answer \"your answer\" --answer \"your answer\"";
        assert_eq!(command(&acked_with(asked)), format!("bb agent {line}"));
    }

    #[test]
    fn what_is_cleared_is_resumed_and_what_has_failed_is_begun_again() {
        assert_eq!(command(&verified()), "bb agent replace --resume handoff-uuid-123");
        let mut failed = unanswered();
        then(&mut failed, HandoffInput::Confirmed { message_id: message("msg_told") }, 10);
        then(&mut failed, HandoffInput::Audited, 10);
        let again = "bb agent replace --from orchestrator-master --failed implementer-1 --to AGENT \
                     --reason \"context_loss\" --document FILE --task GH-42";
        assert_eq!(command(&failed), again);
        let mut superseded = sent();
        then(&mut superseded, HandoffInput::Superseded { by: "newer".parse().unwrap() }, 1);
        assert_eq!(command(&superseded), "bb agent explain newer");
    }
}
