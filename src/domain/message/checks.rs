//! What a message must be like to be sent.

use crate::domain::{Invalid, Rule};

/// The longest subject, in bytes.
pub const MAX_SUBJECT: usize = 1_000;

/// The longest bead, thread or key, in bytes.
pub const MAX_LABEL: usize = 200;

/// Checks a subject: there must be something to show in a list.
pub fn check_subject(subject: &str) -> Result<(), Invalid> {
    if subject.trim().is_empty() {
        return Err(Invalid::new(Rule::Message, "the subject is empty")
            .hint("say in one line what it is about: --subject TEXT"));
    }
    if subject.len() > MAX_SUBJECT {
        let what = format!("the subject has {} bytes, more than {MAX_SUBJECT}", subject.len());
        return Err(Invalid::new(Rule::Message, what).hint("move the details into the body"));
    }
    Ok(())
}

/// Checks a body against the limit in force.
pub fn check_body(body: &str, max_bytes: usize) -> Result<(), Invalid> {
    if body.is_empty() {
        return Err(Invalid::new(Rule::Message, "the body is empty")
            .hint("pass it with --body TEXT, --body-file FILE, or --body - for standard input"));
    }
    if body.len() > max_bytes {
        let what = format!("the body has {} bytes, more than the limit of {max_bytes}", body.len());
        return Err(Invalid::new(Rule::Message, what)
            .hint("put it into a file and send its path, or raise `max_body_bytes` in the configuration"));
    }
    Ok(())
}

/// Checks a short label such as a bead, a thread or a key.
pub fn check_label(thing: &str, text: &str) -> Result<(), Invalid> {
    let fits = !text.trim().is_empty() && text.len() <= MAX_LABEL && !text.chars().any(char::is_control);
    if fits {
        return Ok(());
    }
    Err(Invalid::new(
        Rule::Message,
        format!("the {thing} `{text}` is empty, too long or has control characters"),
    )
    .hint(format!("use 1 to {MAX_LABEL} printable characters")))
}

/// The thread a message belongs to when none is named.
pub fn default_thread(bead: &str) -> String {
    format!("bead:{bead}")
}

/// The subject of an answer to a message with this subject.
pub fn reply_subject(subject: &str) -> String {
    let already = subject.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("re:"));
    let mut answer = if already { subject.to_owned() } else { format!("RE: {subject}") };
    while answer.len() > MAX_SUBJECT {
        answer.pop();
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_and_subjects_have_bounds() {
        assert!(check_subject(" \t").is_err());
        assert!(check_subject(&"s".repeat(MAX_SUBJECT + 1)).is_err());
        assert!(check_body("", 10).is_err());
        assert!(check_body("  ", 10).is_ok());
        assert!(check_body("12345678901", 10).is_err());
    }

    #[test]
    fn replies_get_one_prefix() {
        assert_eq!(reply_subject("Help"), "RE: Help");
        assert_eq!(reply_subject("Re: Help"), "Re: Help");
        assert!(reply_subject(&"ü".repeat(MAX_SUBJECT / 2)).len() <= MAX_SUBJECT);
    }
}
