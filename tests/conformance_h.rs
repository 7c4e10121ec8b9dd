//! How a handoff is delivered and acknowledged, one requirement a test.

mod acknowledging;
mod notice;
mod publishing;
mod waiting;

use crate::conformance_c::unnamed;

/// Every requirement from H1 to H38 is named by a test here.
#[test]
fn every_requirement_has_its_test() {
    let sources = [
        include_str!("conformance_h/acknowledging.rs"),
        include_str!("conformance_h/notice.rs"),
        include_str!("conformance_h/publishing.rs"),
        include_str!("conformance_h/waiting.rs"),
    ];
    let wanted = (1..=38).map(|number| format!("H{number}"));
    assert_eq!(unnamed(&sources, wanted), Vec::<String>::new(), "without a test");
}
