//! Durations and operations in words.

use std::time::Duration;

use crate::domain::handshake::Operation;

/// Rounds to the nearest second.
pub fn whole_seconds(duration: Duration) -> u64 {
    duration.saturating_add(Duration::from_millis(500)).as_secs()
}

/// The form fields and texts have it in, however many: `90 seconds`.
pub(super) fn seconds(duration: Duration) -> String {
    counted(whole_seconds(duration), "second")
}

/// A duration as people say it: `2 minutes`, `9 minutes 30 seconds`.
pub fn duration_in_words(duration: Duration) -> String {
    let total = whole_seconds(duration);
    let parts: Vec<_> = [(total / 3600, "hour"), (total / 60 % 60, "minute"), (total % 60, "second")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| counted(count, unit))
        .collect();
    if parts.is_empty() { counted(0, "second") } else { parts.join(" ") }
}

/// A number with its noun, in the plural where it needs one.
pub(super) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// `1 additional minute`, `90 additional seconds`.
pub(super) fn additional(duration: Duration) -> String {
    match whole_seconds(duration) {
        total if total > 0 && total % 60 == 0 => counted(total / 60, "additional minute"),
        total => counted(total, "additional second"),
    }
}

/// The name of a kind of operation as it stands in a subject: `Skill Installation`.
pub fn operation_title(kind: &str) -> String {
    match kind {
        "skill-install" => "Skill Installation".to_owned(),
        "plugin-install" => "Plugin Installation".to_owned(),
        "restart" => "Agent Restart".to_owned(),
        "maintenance" => "System Maintenance".to_owned(),
        other => other
            .split(['-', '_', ' '])
            .filter(|word| !word.is_empty())
            .map(capitalised)
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The name of a kind of operation within a sentence: `skill installation`.
pub(super) fn operation_name(kind: &str) -> String {
    match kind {
        "skill-install" | "plugin-install" | "restart" | "maintenance" => {
            operation_title(kind).to_lowercase()
        }
        other => other.replace(['-', '_'], " "),
    }
}

/// What is asked about, within a sentence: an operation by its name, plain mail by its subject.
pub(super) fn named(operation: &Operation) -> String {
    match operation.description.as_deref().filter(|_| operation.of_mail) {
        Some(subject) => format!("request \"{}\"", subject.trim()),
        None => operation_name(&operation.kind),
    }
}

/// The same as it stands in a subject.
pub(super) fn titled(operation: &Operation) -> String {
    match operation.description.as_deref().filter(|_| operation.of_mail) {
        Some(subject) => subject.trim().to_owned(),
        None => operation_title(&operation.kind),
    }
}

/// Says what will happen, in one or more sentences.
pub(super) fn announcement(operation: &Operation) -> String {
    let described = operation.description.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let usual = match operation.kind.as_str() {
        "skill-install" => "install a skill".to_owned(),
        "plugin-install" => "install a plugin".to_owned(),
        "restart" => "restart the agent".to_owned(),
        "maintenance" => "carry out system maintenance".to_owned(),
        other => format!("perform the operation `{other}`"),
    };
    let text = described.unwrap_or(&usual);
    let begins = |words: &str| text.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words));
    let will = if begins("I will ") || begins("I'll ") { "" } else { "I will " };
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{will}{text}{stop}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_said_as_people_say_them() {
        for (millis, words) in [
            (120_000, "2 minutes"),
            (60_000, "1 minute"),
            (30_000, "30 seconds"),
            (570_000, "9 minutes 30 seconds"),
            (3_661_000, "1 hour 1 minute 1 second"),
            (119_600, "2 minutes"),
            (0, "0 seconds"),
        ] {
            assert_eq!(duration_in_words(Duration::from_millis(millis)), words);
        }
        assert_eq!(additional(Duration::from_secs(60)), "1 additional minute");
        assert_eq!(additional(Duration::from_secs(90)), "90 additional seconds");
    }

    #[test]
    fn seconds_are_rounded_to_the_nearest() {
        let of = |millis| seconds(Duration::from_millis(millis));
        assert_eq!(
            (of(89_996), of(90_499), of(90_500)),
            ("90 seconds".into(), "90 seconds".into(), "91 seconds".into())
        );
        assert_eq!((of(1_000), of(0)), ("1 second".into(), "0 seconds".into()));
        assert_eq!(whole_seconds(Duration::MAX), u64::MAX);
    }

    #[test]
    fn operations_have_titles_and_names() {
        for (kind, title, name) in [
            ("skill-install", "Skill Installation", "skill installation"),
            ("plugin-install", "Plugin Installation", "plugin installation"),
            ("restart", "Agent Restart", "agent restart"),
            ("maintenance", "System Maintenance", "system maintenance"),
            ("rolling_deploy", "Rolling Deploy", "rolling deploy"),
            ("API--change", "API Change", "API  change"),
        ] {
            assert_eq!((operation_title(kind), operation_name(kind)), (title.to_owned(), name.to_owned()));
        }
    }

    #[test]
    fn plain_mail_is_named_by_its_subject() {
        let description = Some(" Need a key ".to_owned());
        let mail =
            Operation { kind: "blocked".to_owned(), description, of_mail: true, ..Operation::default() };
        assert_eq!((named(&mail), titled(&mail)), ("request \"Need a key\"".into(), "Need a key".into()));
        let restart = Operation { kind: "restart".to_owned(), of_mail: false, ..mail };
        assert_eq!((named(&restart), titled(&restart)), ("agent restart".into(), "Agent Restart".into()));
    }

    #[test]
    fn a_description_becomes_a_sentence() {
        let of = |kind: &str, description: Option<&str>| {
            let description = description.map(str::to_owned);
            announcement(&Operation { kind: kind.to_owned(), description, ..Operation::default() })
        };
        assert_eq!(of("x", Some("install it")), "I will install it.");
        assert_eq!(of("x", Some(" I will install it. ")), "I will install it.");
        assert_eq!(of("x", Some("é")), "I will é.");
        assert_eq!(of("restart", None), "I will restart the agent.");
        assert_eq!(of("rolling-deploy", Some(" ")), "I will perform the operation `rolling-deploy`.");
    }
}
