//! Whether a replacement is complete.

use super::{Group, Item, Standing, joined, mentions, unmentioned, verified};
use crate::domain::agent::{Agent, AgentId, AgentState};
use crate::domain::handoff::{Accounts, Attempt, CheckName, Handoff, Outcome, Step, Transfer};
use crate::domain::task::Task;

/// The acknowledgment.
pub(super) fn ack(handoff: &Handoff) -> Group {
    let items = vec![
        verified(handoff, "acknowledgment received", CheckName::AckReceived),
        verified(handoff, "it names the handoff", CheckName::HandoffId),
        verified(handoff, "understanding accurate", CheckName::Understanding),
        verified(handoff, "checkpoint as documented", CheckName::StartingFrom),
        verified(handoff, "status is ready_to_proceed", CheckName::Status),
        verified(handoff, "all questions answered", CheckName::Questions),
    ];
    Group::new("ACK verification", items)
}

/// The tasks and the agents.
pub(super) fn state(handoff: &Handoff, standing: &Standing<'_>) -> Group {
    let Some(transfer) = &handoff.transfer else {
        let names = TASK_ITEMS.into_iter().chain(AGENT_ITEMS);
        return Group::new("State", names.map(|item| Item::of(item, false, "no task has moved")).collect());
    };
    let mut items = tasks(handoff, transfer, standing);
    items.extend(agents(handoff, standing));
    Group::new("State", items)
}

const TASK_ITEMS: [&str; 7] = [
    "assignment updated",
    "agent is the replacement",
    "session updated",
    "status was set to pending_verification",
    "replacement info added",
    "instruction verification reset",
    "progress kept and marked as inherited",
];

const AGENT_ITEMS: [&str; 2] = ["failed agent inactive", "replacement registered"];

fn tasks(handoff: &Handoff, transfer: &Transfer, standing: &Standing<'_>) -> Vec<Item> {
    let now = |uuid: &str| standing.tasks.iter().find(|task| task.task_uuid == uuid);
    let lacking = |holds: &dyn Fn(&Task) -> bool| {
        let uuids = transfer.moved.iter().map(|it| it.task_uuid.as_str());
        uuids.filter(|uuid| !now(uuid).is_some_and(holds)).collect::<Vec<_>>().join(", ")
    };
    let stuck: Vec<_> = transfer.failed.iter().map(|it| it.uuid.as_str()).collect();
    // It may have gone on to somebody else since.
    let had = |task: &Task, agent: &AgentId| task.former_agents.contains(agent);
    let elsewhere =
        lacking(&|task| task.agent == handoff.replacement.id || had(task, &handoff.replacement.id));
    let unknown = lacking(&|task| had(task, &handoff.failed.id));
    let unanswered = |task: &Task| task.acknowledged_at.is_none_or(|at| at >= transfer.at);
    let stale = lacking(&unanswered);
    let lost = lacking(&|task| !task.checkpoints.is_empty() || none_done(transfer, task));
    let unset = lacking(&|task| task.assigned_at >= transfer.at);
    // It may have begun another one since; that it has one again is what counts.
    let given = &handoff.replacement.session;
    let session = standing.replacement.is_some_and(|agent| given.is_none() || agent.session.is_some());
    let results = [
        (stuck.is_empty(), format!("not reassigned: {}", stuck.join(", "))),
        (elsewhere.is_empty(), format!("with another agent: {elsewhere}")),
        (session, "the replacement has no session any more".to_owned()),
        (unset.is_empty(), format!("never pending: {unset}")),
        (unknown.is_empty(), format!("from whom it came is not on record: {unknown}")),
        (stale.is_empty(), format!("still acknowledged by the failed agent: {stale}")),
        (lost.is_empty(), format!("progress lost: {lost}")),
    ];
    TASK_ITEMS.into_iter().zip(results).map(|(item, (done, missing))| Item::of(item, done, missing)).collect()
}

fn none_done(transfer: &Transfer, task: &Task) -> bool {
    let moved = transfer.moved.iter().find(|it| it.task_uuid == task.task_uuid);
    moved.is_some_and(|it| it.progress.percentage == Some(0))
}

fn agents(handoff: &Handoff, standing: &Standing<'_>) -> [Item; 2] {
    // A later handoff may have given the rest of its tasks to somebody else.
    let succeeded = |agent: &Agent| agent.state == AgentState::Inactive && agent.replaced_by.is_some();
    let inactive = standing.failed.is_some_and(succeeded);
    let registered = standing.replacement.is_some_and(|agent| !agent.state.is_gone() || succeeded(agent));
    let [failed, new] = AGENT_ITEMS;
    let lacks = format!("`{}` is not inactive and replaced", handoff.failed.id);
    let gone = format!("`{}` is not registered, or gone", handoff.replacement.id);
    [Item::of(failed, inactive, lacks), Item::of(new, registered, gone)]
}

/// What is on GitHub.
pub(super) fn github(handoff: &Handoff) -> Group {
    let names =
        ["assignee updated", "labels updated", "audit comment added", "pull request's assignee updated"];
    let why = |attempts: &[Attempt], missing: &str| {
        let tried = handoff.attempts.iter().filter(|it| attempts.contains(&it.attempt));
        joined(tried.filter_map(|it| it.error.as_deref()), missing)
    };
    let [assignee, labels, comment, pull_request] = names;
    let mut items = match handoff.issue() {
        None => [assignee, labels, comment].map(|item| Item::moot(item, "the handoff concerns no issue")),
        Some(_) => {
            let (labelled, label_error) = labelling(handoff);
            let commented = !handoff.comments_added().is_empty();
            let comment_error = why(&[Attempt::IssueComment, Attempt::IssueLink], "no comment on the issue");
            [
                assigned(handoff, assignee, labelled, &label_error),
                Item::of(labels, labelled, label_error),
                Item::of(comment, commented, comment_error),
            ]
        }
    }
    .to_vec();
    items.push(match handoff.pull_request {
        None => Item::moot(pull_request, "the handoff concerns no pull request"),
        Some(_) => {
            let changed = handoff.succeeded(Attempt::PullRequest).is_some();
            let error = why(&[Attempt::PullRequest], "the pull request carries the failed agent's label");
            assigned(handoff, pull_request, changed, &error)
        }
    });
    Group::new("GitHub", items)
}

/// Whether every issue says who is assigned, and which do not.
fn labelling(handoff: &Handoff) -> (bool, String) {
    let of_issues = handoff.labellings().into_iter().filter(|it| *it != Attempt::PullRequest);
    let missing: Vec<_> = of_issues
        .filter(|attempt| handoff.succeeded(*attempt).is_none())
        .map(|attempt| {
            let tried = handoff.attempts.iter().rfind(|it| it.attempt == attempt);
            let error = tried.and_then(|it| it.error.as_deref());
            let why = error.unwrap_or("carries the failed agent's label");
            format!("{}: {why}", handoff.labelled(attempt))
        })
        .collect();
    let undecided = handoff.transfer.is_none();
    (
        missing.is_empty() && !undecided,
        if undecided { "no task has moved".to_owned() } else { missing.join("; ") },
    )
}

/// Whether it says who is assigned; for agents without an account the label does.
fn assigned(handoff: &Handoff, item: &str, changed: bool, error: &str) -> Item {
    let Accounts { failed, replacement } = &handoff.accounts;
    match changed && failed.is_none() && replacement.is_none() {
        true => Item::moot(item, "the label says it: neither agent has an account in `github_accounts`"),
        false => Item::of(item, changed, error),
    }
}

/// What the controller was told.
pub(super) fn controller(handoff: &Handoff, standing: &Standing<'_>) -> Group {
    let told = standing.confirmation;
    let said = told.and_then(|message| message.content.as_ref()?.get("status")?.as_str());
    let outcome = handoff.outcome().map(Outcome::as_str);
    let unnamed = unmentioned(told, &handoff.task_uuids());
    let location = handoff.location().unwrap_or_default();
    let items = vec![
        Item::of("confirmation sent", handoff.confirmation.is_some() && told.is_some(), "not sent"),
        Item::of(
            "status reported as it is",
            said.is_some() && said == outcome,
            format!("reported {}, is {}", said.unwrap_or("nothing"), outcome.unwrap_or("undecided")),
        ),
        Item::of(
            "every task named",
            told.is_some() && unnamed.is_empty(),
            format!("not named: {}", unnamed.join(", ")),
        ),
        Item::of(
            "place of the document named",
            !location.is_empty() && mentions(told, location),
            "the confirmation does not say where the document is",
        ),
    ];
    Group::new("Controller", items)
}

/// What is on record.
pub(super) fn audit(handoff: &Handoff, standing: &Standing<'_>) -> Group {
    let entry = standing.audit.filter(|entry| entry.handoff.id == handoff.handoff_id);
    let written = handoff.step() == Step::Audited && entry.is_some();
    let absent = absent_times(standing);
    let outcome = entry.map(|entry| entry.outcome);
    let items = vec![
        Item::of("entry written", written, "no entry in the audit log"),
        Item::of(
            "every time recorded",
            entry.is_some() && absent.is_empty(),
            format!("not recorded: {}", absent.join(", ")),
        ),
        Item::of(
            "outcome recorded",
            outcome.is_some() && outcome == handoff.outcome(),
            "no outcome on record",
        ),
    ];
    Group::new("Audit", items)
}

/// The keys of the audit entry that hold no time although they should.
fn absent_times(standing: &Standing<'_>) -> Vec<String> {
    let Some(entry) = standing.audit else { return vec!["all of them".to_owned()] };
    let unanswered = entry.outcome == Outcome::Failed || entry.ack.acknowledged_with_delay.is_some();
    [
        ("handoff.generated_at", entry.handoff.generated_at.is_none()),
        ("ack.received_at", entry.ack.received_at.is_none() && !unanswered),
    ]
    .into_iter()
    .filter(|(_, absent)| *absent)
    .map(|(key, _)| key.to_owned())
    .collect()
}
