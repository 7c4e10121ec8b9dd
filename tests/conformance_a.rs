//! The acknowledgment protocol, requirement by requirement, through the program itself.

mod concept;
mod diagnostics;
mod examples;
mod outcome;
mod reminders;
mod request;
mod responses;

/// Every requirement from A1 to A67 is named by a test here.
#[test]
fn every_requirement_has_its_test() {
    let sources = [
        include_str!("conformance_a/concept.rs"),
        include_str!("conformance_a/diagnostics.rs"),
        include_str!("conformance_a/examples.rs"),
        include_str!("conformance_a/outcome.rs"),
        include_str!("conformance_a/reminders.rs"),
        include_str!("conformance_a/request.rs"),
        include_str!("conformance_a/responses.rs"),
        include_str!("wait_ack_races.rs"),
    ];
    let named = |id: &str| {
        let is_doc = |line: &&str| line.trim_start().starts_with("///");
        let mut docs = sources.iter().flat_map(|source| source.lines()).filter(is_doc);
        docs.any(|line| line.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == id))
    };
    let missing: Vec<_> = (1..=67).map(|number| format!("A{number}")).filter(|id| !named(id)).collect();
    assert!(missing.is_empty(), "without a test: {missing:?}");
}
