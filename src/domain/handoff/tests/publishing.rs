use crate::domain::handoff::samples::*;
use crate::domain::handoff::{
    Accounts, Attempt, Document, FailedTask, Handoff, HandoffInput, MAX_COMMENT, Moved, Next, Progress,
    Publication, Step, Transfer, issue_number,
};
use crate::domain::task::TaskId;

fn copied_with(publication: Publication, size_bytes: u64) -> Handoff {
    let mut new = new_handoff();
    new.publication = publication;
    let mut handoff = Handoff::prepare(new, at(-3)).unwrap();
    then(&mut handoff, HandoffInput::Copied(Document { size_bytes, ..document() }), -2);
    handoff
}

fn worked(attempt: Attempt, url: &str) -> HandoffInput {
    HandoffInput::Tried { attempt, url: Some(url.to_owned()), error: None }
}

fn broke(attempt: Attempt, error: &str) -> HandoffInput {
    HandoffInput::Tried { attempt, url: None, error: Some(error.to_owned()) }
}

/// H1
#[test]
fn the_document_is_published_as_a_comment_of_its_issue() {
    let mut handoff = copied();
    assert_eq!(handoff.next(), Next::Github(Attempt::IssueComment));
    let file = format!("{}.comment", document().path);
    assert_eq!(
        handoff.github_arguments(Attempt::IssueComment).unwrap(),
        ["issue", "comment", "42", "--body-file", &file]
    );
    assert_eq!(
        handoff.marked(Attempt::IssueComment, "# Login\n\n"),
        "# Login\n\n<!-- handoff handoff-uuid-123 revision 0 document -->\n"
    );
    then(&mut handoff, worked(Attempt::IssueComment, URL), -1);
    assert_eq!((handoff.step(), handoff.location()), (Step::Published, Some(URL)));
    assert_eq!(handoff.next(), Next::Send);
    assert_eq!(handoff.issues_updated(), ["#42"]);
    assert_eq!(handoff.comments_added(), ["#42 issuecomment-123456"]);
}

/// H2
#[test]
fn a_large_document_goes_into_a_secret_gist_that_the_issue_points_to() {
    let mut handoff = copied_with(Publication::Issue(42), MAX_COMMENT + 1);
    assert_eq!(handoff.next(), Next::Github(Attempt::Gist));
    let arguments = handoff.github_arguments(Attempt::Gist).unwrap();
    let description = "Agent replacement handoff: implementer-1 to implementer-2 \
                       (handoff handoff-uuid-123 revision 0 document)";
    assert_eq!(arguments, ["gist", "create", &document().path, "--desc", description]);
    assert!(!arguments.iter().any(|it| it == "--public"));
    then(&mut handoff, worked(Attempt::Gist, "https://gist.github.com/1"), -1);
    assert_eq!(handoff.location(), Some("https://gist.github.com/1"));
    assert_eq!(handoff.next(), Next::Github(Attempt::IssueLink));
    let text = handoff.github_arguments(Attempt::IssueLink).unwrap().pop().unwrap();
    assert!(text.contains("implementer-2: https://gist.github.com/1\n\n<!-- "), "{text}");
    then(&mut handoff, worked(Attempt::IssueLink, URL), -1);
    assert_eq!(handoff.location(), Some("https://gist.github.com/1"));
    assert_eq!(handoff.next(), Next::Send);
    assert_eq!(copied_with(Publication::Issue(42), MAX_COMMENT).next(), Next::Github(Attempt::IssueComment));
}

/// H37
#[test]
fn a_comment_that_fails_falls_back_to_a_gist_and_then_to_the_local_path() {
    let mut handoff = copied();
    then(&mut handoff, broke(Attempt::IssueComment, "no such issue"), -1);
    assert_eq!(handoff.next(), Next::Github(Attempt::Gist));
    then(&mut handoff, broke(Attempt::Gist, "not logged in"), -1);
    assert_eq!((handoff.step(), handoff.next()), (Step::Copied, Next::Send));
    assert_eq!(handoff.location(), Some(document().path.as_str()));
    assert_eq!(handoff.view().publishing_errors, ["no such issue", "not logged in"]);
    then(&mut handoff, HandoffInput::Sent { message_id: message("msg_1"), operation_id: None }, 0);
    assert_eq!(handoff.deliveries[0].url, document().path);
    assert!(handoff.issues_updated().is_empty() && handoff.comments_added().is_empty());
}

#[test]
fn nothing_is_published_that_was_not_asked_for() {
    let handoff = copied_with(Publication::Local, 1);
    assert_eq!((handoff.next(), handoff.url.clone()), (Next::Send, None));
    assert_eq!(handoff.github_arguments(Attempt::IssueComment), None);
    assert_eq!(handoff.github_arguments(Attempt::Labels), None);
}

#[test]
fn a_given_address_is_taken_as_it_is() {
    let handoff = copied_with(Publication::url(" https://example.org/h ").unwrap(), 1);
    assert_eq!((handoff.step(), handoff.next()), (Step::Published, Next::Send));
    assert_eq!(handoff.location(), Some("https://example.org/h"));
    for bad in ["", "  ", "two words", "a\u{1b}[0m"] {
        assert!(Publication::url(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn issues_are_numbers() {
    for good in ["42", "#42", " 42 "] {
        assert_eq!(issue_number(good).unwrap(), 42);
    }
    for bad in ["", "0", "-1", "GH-42", "4 2"] {
        assert!(issue_number(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_retry_replaces_the_failure_and_a_success_is_final() {
    let mut handoff = copied();
    then(&mut handoff, broke(Attempt::IssueComment, "rate limit"), -1);
    assert!(!handoff.apply(broke(Attempt::IssueComment, "rate limit"), at(-1)).unwrap());
    then(&mut handoff, worked(Attempt::IssueComment, URL), -1);
    assert_eq!(handoff.attempts.len(), 1);
    assert!(!handoff.apply(broke(Attempt::IssueComment, "again"), at(-1)).unwrap());
    assert_eq!(handoff.location(), Some(URL));
}

#[test]
fn labels_change_only_once_the_tasks_have_moved() {
    let mut handoff = sent();
    let labels = HandoffInput::Tried { attempt: Attempt::Labels, url: None, error: None };
    assert!(handoff.apply(labels, at(1)).is_err());
    assert_eq!(
        handoff.github_arguments(Attempt::Labels).unwrap(),
        [
            "issue",
            "edit",
            "42",
            "--remove-label",
            "assigned:implementer-1",
            "--add-label",
            "assigned:implementer-2"
        ]
    );
}

fn moved_to(handoff: &mut Handoff, moved: &[&str], stuck: &[&str]) {
    let task = |name: &&str| Moved {
        task_uuid: format!("uuid of {name}"),
        agent_type: "ai".to_owned(),
        module: "auth-core".to_owned(),
        github_issue: name.parse::<TaskId>().unwrap().github_issue(),
        progress: Progress { percentage: None, last_update: at(0) },
    };
    let stays = |name: &&str| FailedTask { uuid: format!("uuid of {name}"), reason: "is complete".into() };
    let transfer = Transfer {
        moved: moved.iter().map(task).collect(),
        failed: stuck.iter().map(stays).collect(),
        at: at(5),
    };
    then(handoff, HandoffInput::Transferred(transfer), 5);
}

/// Each issue that a moved task stands for says who has it now; one whose task stayed does not.
#[test]
fn the_labels_of_every_moved_task_change() {
    let mut handoff = verified();
    moved_to(&mut handoff, &["GH-42", "GH-43-login", "other/repo#7", "PLAIN"], &["GH-44"]);
    assert_eq!(handoff.labellings(), [Attempt::Labels, Attempt::TaskLabels(43)]);
    let edit = handoff.github_arguments(Attempt::TaskLabels(43)).unwrap();
    assert_eq!(edit[..3], ["issue", "edit", "43"]);
    let mut stuck = verified();
    moved_to(&mut stuck, &["GH-43"], &["GH-42"]);
    assert_eq!(stuck.labellings(), [Attempt::TaskLabels(43)]);
    assert_eq!(verified().labellings(), [], "nothing has moved");
}

/// What failed is tried again when somebody asks for it, also after the end; what succeeded never is.
#[test]
fn failed_labels_are_known_and_may_be_tried_again() {
    let mut handoff = verified();
    moved_to(&mut handoff, &["GH-42", "GH-43"], &[]);
    let tried = |attempt, error: Option<&str>| HandoffInput::Tried {
        attempt,
        url: None,
        error: error.map(str::to_owned),
    };
    then(&mut handoff, tried(Attempt::Labels, None), 5);
    then(&mut handoff, tried(Attempt::TaskLabels(43), Some("gh issue edit: no")), 5);
    assert_eq!((handoff.next(), handoff.failed_labellings()), (Next::Confirm, vec![Attempt::TaskLabels(43)]));
    assert_eq!(handoff.github_troubles(), ["label not moved on issue #43: gh issue edit: no"]);
    then(&mut handoff, HandoffInput::Confirmed { message_id: message("msg_told") }, 6);
    then(&mut handoff, HandoffInput::Audited, 6);
    assert_eq!(handoff.advice(None).unwrap().command, "bb agent replace --resume handoff-uuid-123");
    then(&mut handoff, tried(Attempt::TaskLabels(43), None), 7);
    assert_eq!((handoff.failed_labellings(), handoff.advice(None)), (Vec::new(), None));
    assert_eq!(
        handoff.labels_changed(),
        [
            "assigned:implementer-1 -> assigned:implementer-2",
            "#43: assigned:implementer-1 -> assigned:implementer-2"
        ]
    );
    assert_eq!(handoff.issues_updated(), ["#42", "#43"]);
}

#[test]
fn what_a_killed_attempt_left_on_github_is_found_by_its_marker() {
    let handoff = copied();
    let comments = r#"{"comments": [
        {"url": "https://x/1", "body": "handoff another revision 0 document"},
        {"url": "https://x/2", "body": "text <!-- handoff handoff-uuid-123 revision 0 link -->"},
        {"url": "https://x/3", "body": "text <!-- handoff handoff-uuid-123 revision 0 document -->"},
        {"url": "https://x/4"}]}"#;
    let found = |attempt, answer: &str| handoff.found_on_github(attempt, answer);
    assert_eq!(found(Attempt::IssueComment, comments), Ok(Some("https://x/3".to_owned())));
    assert_eq!(found(Attempt::IssueLink, comments), Ok(Some("https://x/2".to_owned())));
    assert_eq!(found(Attempt::IssueComment, r#"{"comments": []}"#), Ok(None));
    let gists = r#"[{"html_url": "https://g/1", "description": null}, {"html_url": "https://g/2",
        "description": "a to b (handoff handoff-uuid-123 revision 0 document)"}]"#;
    assert_eq!(found(Attempt::Gist, gists), Ok(Some("https://g/2".to_owned())));
    for strange in ["", "{}", "[", r#"{"comments": 1}"#] {
        assert!(found(Attempt::IssueComment, strange).is_err(), "{strange}");
    }
    assert_eq!(handoff.search_arguments(Attempt::Labels), None, "they may be set twice");
}

#[test]
fn what_is_begun_is_known_until_it_is_known_what_came_of_it() {
    let mut handoff = copied();
    then(&mut handoff, HandoffInput::Trying(Attempt::IssueComment), -1);
    assert!(handoff.has_begun(Attempt::IssueComment) && !handoff.has_begun(Attempt::Gist));
    assert_eq!(handoff.next(), Next::Github(Attempt::IssueComment), "it is still to be done");
    then(&mut handoff, broke(Attempt::IssueComment, "no"), -1);
    assert!(!handoff.has_begun(Attempt::IssueComment));
    assert!(handoff.apply(HandoffInput::Trying(Attempt::Labels), at(-1)).is_err());
}

#[test]
fn assignees_change_where_the_agents_have_accounts() {
    let accounts = Accounts { failed: Some("octocat".to_owned()), replacement: Some("hubot".to_owned()) };
    let handoff = Handoff { accounts, pull_request: Some(7), ..sent() };
    let arguments = handoff.github_arguments(Attempt::PullRequest).unwrap();
    assert_eq!(arguments[..3], ["pr", "edit", "7"]);
    assert_eq!(arguments[7..], ["--remove-assignee", "octocat", "--add-assignee", "hubot"]);
}

#[test]
fn the_name_of_a_task_says_where_its_handoff_is_published() {
    let of = |names: &[&str]| {
        Publication::of_tasks(&names.iter().map(|it| it.parse().unwrap()).collect::<Vec<_>>())
    };
    assert_eq!(of(&["login", "GH-42-login", "GH-43"]), Publication::Issue(42));
    assert_eq!(of(&["login"]), Publication::Gist);
    assert_eq!(of(&["other/repository#7"]), Publication::Gist, "of another repository");
}

#[test]
fn what_was_stored_before_there_were_accounts_and_pull_requests_is_still_read() {
    let mut stored = serde_json::to_value(sent()).unwrap();
    for newer in ["pull_request", "accounts", "folder", "begun"] {
        assert!(stored.as_object_mut().unwrap().remove(newer).is_some(), "{newer}");
    }
    assert_eq!(serde_json::from_value::<Handoff>(stored).unwrap(), sent());
}
