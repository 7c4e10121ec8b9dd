use super::*;
use crate::domain::replacement::{AuditEntry, Report};

fn entries(count: usize) -> Vec<AuditEntry> {
    let outcomes = [successful(), confirmed(partly_transferred()), confirmed(unanswered())];
    outcomes.iter().cycle().take(count).map(|it| AuditEntry::of(it).unwrap()).collect()
}

/// C43, ⚠14
#[test]
fn a_report_counts_and_lists() {
    let report = Report::of(&entries(4), at(60));
    assert_eq!(
        report.markdown(),
        "# Agent Replacement Audit Report\n\
         Generated: 2026-01-31T15:30:00Z\n\
         \n\
         ## Summary\n\
         - Total replacements: 4\n\
         - Successful: 2\n\
         - Partial: 1\n\
         - Failed: 1\n\
         \n\
         ## Recent Replacements\n\
         - 2026-01-31T14:35:00Z: implementer-1 -> implementer-2 (success)\n\
         - 2026-01-31T14:35:00Z: implementer-1 -> implementer-2 (partial)\n\
         - 2026-01-31T14:40:00Z: implementer-1 -> implementer-2 (failed)\n\
         - 2026-01-31T14:35:00Z: implementer-1 -> implementer-2 (success)\n"
    );
}

/// C43
#[test]
fn a_report_lists_the_last_ten() {
    let mut all = entries(12);
    for (number, entry) in all.iter_mut().enumerate() {
        entry.timestamp = at(i64::try_from(number).unwrap()).into();
    }
    let report = Report::of(&all, at(60));
    assert_eq!(report.recent.len(), 10);
    assert!(report.recent[0].starts_with("2026-01-31T14:32:00Z: "));
    assert!(report.recent[9].starts_with("2026-01-31T14:41:00Z: "));
}

/// ⚠14
#[test]
fn the_outcomes_add_up_to_the_total() {
    for count in 0..9 {
        let report = Report::of(&entries(count), at(60));
        assert_eq!(report.successful + report.partial + report.failed, report.total);
        assert_eq!(report.total, count);
    }
}
