//! Whether a plain message is in truth the delegation of a task.
//!
//! A delegation must be acknowledged, a conversation need not be. The marks are looked for in
//! what the author wrote: quoted lines (`>`) do not count, and code does not, apart from the
//! unmistakable placeholders of a template. Talking about acceptance criteria is conversation;
//! a section with that heading is a delegation.

use std::fmt;

/// A sign that a message delegates work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    TaskId,
    AcceptanceCriteria,
    GitWorkflow,
    VerificationCommands,
    RequiredOutputFormat,
    Checklist,
    Placeholders,
}

impl Mark {
    pub const ALL: [Self; 7] = [
        Self::TaskId,
        Self::AcceptanceCriteria,
        Self::GitWorkflow,
        Self::VerificationCommands,
        Self::RequiredOutputFormat,
        Self::Checklist,
        Self::Placeholders,
    ];

    /// What the mark is called in a warning.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TaskId => "a task id",
            Self::AcceptanceCriteria => "a section Acceptance Criteria",
            Self::GitWorkflow => "a section Git Workflow",
            Self::VerificationCommands => "a section Verification Commands",
            Self::RequiredOutputFormat => "a section Required Output Format",
            Self::Checklist => "a checklist to tick off",
            Self::Placeholders => "placeholders to fill in",
        }
    }

    /// Recognises the heading of a section.
    fn of_section(heading: &str) -> Option<Self> {
        match heading {
            "acceptance criteria" | "acceptance criterion" => Some(Self::AcceptanceCriteria),
            "git workflow" => Some(Self::GitWorkflow),
            "verification commands" | "verification command" => Some(Self::VerificationCommands),
            "required output format" => Some(Self::RequiredOutputFormat),
            _ => None,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The marks of a delegation that a body carries, each once; none for a conversation.
pub fn marks(body: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in body.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
        } else if in_code {
            found.extend(has_template_field(line).then_some(Mark::Placeholders));
        } else if !line.starts_with('>') {
            found.extend(line_marks(line));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What to tell a sender whose message delegates without requiring an ack.
pub fn warning(marks: &[Mark]) -> Option<String> {
    let names: Vec<_> = marks.iter().map(|mark| mark.name()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "the body has {}: it looks like a task but requires no acknowledgment; \
             send it with `bb agent assign --task ID --title TEXT`, or add --require-ack",
            names.join(", ")
        )
    })
}

fn line_marks(line: &str) -> impl Iterator<Item = Mark> {
    let written = without_code(line);
    let placeholders = has_template_field(&written) || has_named_field(&written);
    [
        names_a_task(line).then_some(Mark::TaskId),
        section(line),
        is_unticked(line).then_some(Mark::Checklist),
        placeholders.then_some(Mark::Placeholders),
    ]
    .into_iter()
    .flatten()
}

/// `## Task: …`, or a line that is only `Task ID: …`.
fn names_a_task(line: &str) -> bool {
    let heading = line.starts_with('#');
    let text = line.trim_start_matches('#').trim().replace("**", "");
    let Some((label, value)) = text.split_once(':') else { return false };
    let value = value.trim();
    match label.trim().to_ascii_lowercase().as_str() {
        "task" => heading && !value.is_empty(),
        "task id" | "task-id" | "task_id" => !value.is_empty() && !value.contains(char::is_whitespace),
        _ => false,
    }
}

/// A heading alone on its line, or in bold before its text.
fn section(line: &str) -> Option<Mark> {
    let bold = line.strip_prefix("**").and_then(|rest| rest.split_once("**")).map(|(heading, _)| heading);
    let heading = bold.unwrap_or_else(|| line.trim_start_matches('#'));
    let number_ends = |c: char| c.is_ascii_digit() || matches!(c, '.' | ')');
    let heading = heading.trim().trim_start_matches(number_ends).trim().trim_matches(['*', '_', ':']);
    Mark::of_section(&heading.trim().to_ascii_lowercase().replace(['-', '_'], " "))
}

/// `- [ ] …`, with any bullet or number.
fn is_unticked(line: &str) -> bool {
    let bullet = line.split_once(' ').filter(|(mark, _)| {
        matches!(*mark, "-" | "*" | "+")
            || mark.strip_suffix(['.', ')']).is_some_and(|it| it.parse::<u32>().is_ok())
    });
    bullet.is_some_and(|(_, item)| {
        item.trim_start().strip_prefix("[ ]").is_some_and(|it| !it.trim().is_empty())
    })
}

/// The line without what stands in backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// Whether a line has a field such as `{{NAME}}` or `<fill in>`, which no programming language writes.
fn has_template_field(line: &str) -> bool {
    let braces = line.split("{{").zip(line.split("{{").skip(1)).any(|(before, after)| {
        let name = after.split_once("}}").map(|(name, _)| name.trim());
        !before.ends_with('$') && name.is_some_and(is_field_name)
    });
    braces
        || asks_to_fill_in(line, ['<', '>'], &["fill in", "insert ", "your "])
        || asks_to_fill_in(line, ['[', ']'], &["fill in"])
        || asks_to_fill_in(line, ['{', '}'], &["fill in"])
}

fn asks_to_fill_in(line: &str, [open, close]: [char; 2], requests: &[&str]) -> bool {
    line.split(open).skip(1).filter_map(|rest| rest.split_once(close)).any(|(inside, _)| {
        let inside = inside.trim().to_ascii_lowercase().replace('-', " ");
        requests.iter().any(|request| inside.starts_with(request))
    })
}

/// Whether a line has a field such as `<BRANCH_NAME>` that is not the parameter of a type.
fn has_named_field(line: &str) -> bool {
    line.split('<').zip(line.split('<').skip(1)).any(|(before, after)| {
        let parameter = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':'));
        let name = after.split_once('>').map(|(name, _)| name);
        !parameter && name.is_some_and(|name| is_field_name(name) && name.contains('_'))
    })
}

fn is_field_name(name: &str) -> bool {
    let upper = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    name.len() >= 2 && name.bytes().all(upper) && name.bytes().any(|b| b.is_ascii_uppercase())
}

#[cfg(test)]
mod tests;
