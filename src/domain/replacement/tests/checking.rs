use super::*;
use crate::domain::handoff::{Criteria, HandoffAck, Publication, Urgency, notice};
use crate::domain::message::{Message, State};
use crate::domain::notice::Notice;
use crate::domain::replacement::{AuditEntry, Group, Item, Standing, checklist, confirmation, is_done};

fn stored(notice: Notice) -> Message {
    Message {
        message_id: message("msg_stored"),
        thread_id: "t".to_owned(),
        bead_id: None,
        from_agent: agent("orchestrator-master"),
        to_agent: agent("implementer-2"),
        category: notice.category,
        kind: notice.kind,
        priority: notice.priority,
        subject: notice.subject,
        body: notice.body,
        state: State::Unread,
        requires_ack: notice.requires_ack,
        created_at: at(0),
        read_at: None,
        acked_at: None,
        reply_to: None,
        broadcast_id: None,
        operation_id: None,
        content: Some(notice.content),
        response: None,
        verified: false,
        ack_due_at: None,
        closed_at: None,
        cursor: 1,
    }
}

/// What the store holds after a good replacement.
struct World {
    handoff: Handoff,
    notice: Message,
    tasks: Vec<Task>,
    failed: Agent,
    replacement: Agent,
    told: Message,
    audit: AuditEntry,
}

impl World {
    fn done() -> Self {
        let (_, change) = transferred();
        let mut handoff = successful();
        let audit = AuditEntry::of(&handoff).unwrap();
        then(&mut handoff, HandoffInput::Audited, 6);
        Self {
            notice: stored(notice::handoff(&handoff, &message("msg_handoff"))),
            tasks: change.tasks.into_iter().map(|(task, _)| task).collect(),
            failed: change.failed_agent,
            replacement: change.replacement_agent,
            told: stored(confirmation(&handoff).unwrap()),
            audit,
            handoff,
        }
    }

    fn standing(&self) -> Standing<'_> {
        Standing {
            copy_exists: true,
            timer_started: true,
            notice: Some(&self.notice),
            tasks: &self.tasks,
            failed: Some(&self.failed),
            replacement: Some(&self.replacement),
            confirmation: Some(&self.told),
            audit: Some(&self.audit),
        }
    }

    fn groups(&self) -> Vec<Group> {
        checklist(&self.handoff, &self.standing())
    }

    /// What is missing after a change, as `group: detail`.
    #[track_caller]
    fn lacks(change: impl FnOnce(&mut Self)) -> Vec<String> {
        let mut world = Self::done();
        change(&mut world);
        undone(&world.groups())
    }
}

fn undone(groups: &[Group]) -> Vec<String> {
    let of = |group: &Group| {
        let items = group.items.iter().filter(|item| !item.done);
        items.map(|item| format!("{}: {}", group.group, item.item)).collect::<Vec<_>>()
    };
    groups.iter().flat_map(of).collect()
}

fn find<'a>(groups: &'a [Group], item: &str) -> &'a Item {
    groups.iter().flat_map(|group| &group.items).find(|it| it.item == item).unwrap()
}

/// C44, H34, H35: the size of each list, and a good replacement fulfils all of them.
#[test]
fn a_good_replacement_fulfils_every_list() {
    let groups = World::done().groups();
    let sizes: Vec<_> = groups.iter().map(|group| (group.group.as_str(), group.items.len())).collect();
    assert_eq!(
        sizes,
        [
            ("Delivery", 7),
            ("After the acknowledgment", 6),
            ("ACK verification", 6),
            ("State", 9),
            ("GitHub", 4),
            ("Controller", 4),
            ("Audit", 3),
        ]
    );
    assert_eq!(undone(&groups), Vec::<String>::new());
    assert!(is_done(&groups));
}

/// C44: a replacement is done only when everything holds.
#[test]
fn nothing_holds_before_it_was_done() {
    let groups = checklist(&prepared(), &Standing::default());
    assert!(!is_done(&groups));
    for item in groups.iter().flat_map(|group| &group.items).filter(|item| !item.done) {
        assert!(item.detail.as_ref().is_some_and(|detail| !detail.is_empty()), "{}", item.item);
    }
    let holding: Vec<_> = groups
        .iter()
        .flat_map(|group| &group.items)
        .filter(|item| item.done)
        .map(|it| it.item.as_str())
        .collect();
    assert_eq!(holding, ["urgency is the controller's", "pull request's assignee updated"]);
}

/// H34: each of the seven can be missing.
#[test]
fn a_delivery_lacks_what_was_not_delivered() {
    let delivery = |handoff: &Handoff, standing: &Standing<'_>| {
        let groups = checklist(handoff, standing);
        undone(&groups[..1])
            .iter()
            .map(|it| it.trim_start_matches("Delivery: ").to_owned())
            .collect::<Vec<_>>()
    };
    let world = World::done();
    let with = |change: &dyn Fn(&mut Standing<'_>)| {
        let mut standing = world.standing();
        change(&mut standing);
        delivery(&world.handoff, &standing)
    };
    assert_eq!(with(&|it| it.copy_exists = false), ["local copy kept"]);
    assert_eq!(with(&|it| it.timer_started = false), ["wait for the acknowledgment begun"]);
    assert_eq!(
        with(&|it| it.notice = None),
        ["notice sent", "notice says where the document is", "notice names every task"]
    );
    let unpublished = Handoff { url: None, ..world.handoff.clone() };
    assert_eq!(
        delivery(&unpublished, &world.standing()),
        ["document published", "notice says where the document is"]
    );
    let more = Handoff {
        tasks: [world.handoff.tasks.clone(), vec![TaskRef::of(&second_task())]].concat(),
        ..world.handoff.clone()
    };
    assert_eq!(delivery(&more, &world.standing()), ["notice names every task"]);
    let lax = Handoff { urgency: Urgency::Prepare, ..world.handoff.clone() };
    assert_eq!(delivery(&lax, &world.standing()), ["urgency is the controller's"]);
}

/// H35: what the acknowledgment lacks shows.
#[test]
fn a_bad_acknowledgment_shows_in_both_lists() {
    let mut handoff =
        acked_with(HandoffAck { starting_from: Some("the beginning".to_owned()), ..asks("why?") });
    let verification = look(&handoff, &Criteria::default());
    then(&mut handoff, HandoffInput::Verified(verification), 5);
    let groups = checklist(&handoff, &Standing::default());
    assert_eq!(
        undone(&groups[1..3]),
        [
            "After the acknowledgment: understanding fits the tasks",
            "After the acknowledgment: checkpoint is the documented one",
            "After the acknowledgment: questions answered",
            "After the acknowledgment: state updated",
            "After the acknowledgment: controller told",
            "ACK verification: understanding accurate",
            "ACK verification: checkpoint as documented",
            "ACK verification: all questions answered",
        ]
    );
    let detail = find(&groups, "checkpoint as documented").detail.as_ref().unwrap();
    assert!(detail.contains("'the beginning' differs"));
}

/// C44: the state is compared with the tasks and agents as they are.
#[test]
fn the_state_group_looks_at_what_is_stored() {
    assert_eq!(
        World::lacks(|world| world.tasks[0].agent = agent("implementer-3")),
        ["State: agent is the replacement"]
    );
    assert_eq!(World::lacks(|world| world.tasks[0].former_agents.clear()), ["State: replacement info added"]);
    let gone_on = |world: &mut World| {
        world.tasks[0].former_agents.push(agent("implementer-2"));
        world.tasks[0].agent = agent("implementer-3");
        world.failed.replaced_by = Some(agent("implementer-3"));
    };
    assert_eq!(World::lacks(gone_on), Vec::<String>::new(), "a later handoff takes nothing back");
    assert_eq!(
        World::lacks(|world| world.tasks[0].acknowledged_at = Some(at(-9))),
        ["State: instruction verification reset"]
    );
    assert_eq!(
        World::lacks(|world| world.tasks[0].checkpoints.clear()),
        ["State: progress kept and marked as inherited"]
    );
    assert_eq!(
        World::lacks(|world| world.tasks[0].assigned_at = at(0)),
        ["State: status was set to pending_verification"]
    );
    assert_eq!(World::lacks(|world| world.replacement.session = None), ["State: session updated"]);
    assert_eq!(World::lacks(|world| world.failed.state = AgentState::Idle), ["State: failed agent inactive"]);
    assert_eq!(
        World::lacks(|world| world.replacement.state = AgentState::Dead),
        ["State: replacement registered"]
    );
    assert_eq!(World::lacks(|world| world.tasks.clear()).len(), 5);
    let partial = checklist(&partly_transferred(), &World::done().standing());
    assert!(!find(&partial, "assignment updated").done);
}

/// C44: GitHub counts only where an issue is concerned.
#[test]
fn the_github_group_is_moot_without_an_issue() {
    let labels = |world: &mut World| world.handoff.attempts.retain(|it| it.url.is_some());
    assert_eq!(World::lacks(labels), ["GitHub: assignee updated", "GitHub: labels updated"]);
    let comment = |world: &mut World| world.handoff.attempts.retain(|it| it.url.is_none());
    assert_eq!(World::lacks(comment), ["GitHub: audit comment added"]);
    let mut world = World::done();
    world.handoff.publication = Publication::Local;
    let groups = world.groups();
    assert_eq!(undone(&groups), Vec::<String>::new());
    assert_eq!(find(&groups, "labels updated").detail.as_deref(), Some("the handoff concerns no issue"));
}

/// C44: the controller must have been told the truth, and all of it.
#[test]
fn the_controller_group_reads_what_was_sent() {
    let wrong = |world: &mut World| world.told.content.as_mut().unwrap()["status"] = "partial".into();
    assert_eq!(World::lacks(wrong), ["Controller: status reported as it is"]);
    let silent = |world: &mut World| {
        world.told.body.clear();
        world.told.content.as_mut().unwrap()["details"] = serde_json::json!({});
    };
    assert_eq!(
        World::lacks(silent),
        ["Controller: every task named", "Controller: place of the document named"]
    );
}

/// C44
#[test]
fn the_audit_group_reads_the_entry() {
    assert_eq!(World::lacks(|world| world.audit.ack.received_at = None), ["Audit: every time recorded"]);
    let other = |world: &mut World| world.audit.outcome = crate::domain::handoff::Outcome::Failed;
    assert_eq!(World::lacks(other), ["Audit: outcome recorded"]);
    let foreign = |world: &mut World| world.audit.handoff.id = "another".parse().unwrap();
    assert_eq!(
        World::lacks(foreign),
        ["Audit: entry written", "Audit: every time recorded", "Audit: outcome recorded"]
    );
}

/// H33
#[test]
fn an_override_stands_for_the_checks_of_the_acknowledgment() {
    let mut handoff = escalated();
    then(&mut handoff, HandoffInput::Delayed { reason: "online, but busy".to_owned(), in_vain: false }, 11);
    let groups = checklist(&handoff, &Standing::default());
    assert_eq!(undone(&groups[2..3]), Vec::<String>::new());
    let detail = find(&groups, "acknowledgment received").detail.as_deref();
    assert_eq!(detail, Some("acknowledged with delay: online, but busy"));
}
