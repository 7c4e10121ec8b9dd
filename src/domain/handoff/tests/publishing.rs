use crate::domain::handoff::samples::*;
use crate::domain::handoff::{
    Attempt, Document, Handoff, HandoffInput, MAX_COMMENT, Next, Publication, Step,
};

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
    let path = document().path;
    assert_eq!(
        handoff.github_arguments(Attempt::IssueComment).unwrap(),
        ["issue", "comment", "42", "--body-file", &path]
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
    let description = "Agent replacement handoff: implementer-1 to implementer-2";
    assert_eq!(arguments, ["gist", "create", &document().path, "--desc", description]);
    assert!(!arguments.iter().any(|it| it == "--public"));
    then(&mut handoff, worked(Attempt::Gist, "https://gist.github.com/1"), -1);
    assert_eq!(handoff.location(), Some("https://gist.github.com/1"));
    assert_eq!(handoff.next(), Next::Github(Attempt::IssueLink));
    let text = handoff.github_arguments(Attempt::IssueLink).unwrap().pop().unwrap();
    assert!(text.ends_with("https://gist.github.com/1"), "{text}");
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
        assert_eq!(Publication::issue(good).unwrap(), Publication::Issue(42));
    }
    for bad in ["", "0", "-1", "GH-42", "4 2"] {
        assert!(Publication::issue(bad).is_err(), "{bad}");
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
    assert_eq!(handoff.next_labelling(), Some(Attempt::Labels));
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
