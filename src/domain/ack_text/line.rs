//! What a single line of an acknowledgment can be.

use crate::domain::task::{AckStatus, TaskId};

/// What begins a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Understanding,
    Questions,
    Note,
    Reason,
}

const LABELS: [(&str, Label); 7] = [
    ("understanding", Label::Understanding),
    ("questions", Label::Questions),
    ("question", Label::Questions),
    ("notes", Label::Note),
    ("note", Label::Note),
    ("reasons", Label::Reason),
    ("reason", Label::Reason),
];

/// The first line of an acknowledgment: its id, and all that is said after the dash.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header<'a> {
    pub(super) task_id: TaskId,
    pub(super) said: &'a str,
}

const EMPHASIS: [char; 3] = ['*', '_', '`'];
const QUOTES: [char; 9] = ['"', '\'', '`', '“', '”', '‘', '’', '«', '»'];

fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}')
}

fn is_long_dash(c: char) -> bool {
    matches!(c, '–' | '—' | '―')
}

fn is_dash(c: char) -> bool {
    c == '-' || is_long_dash(c) || matches!(c, '‐' | '‑' | '‒' | '−')
}

/// Splits off the `>` marks of a quotation and says how many there were.
pub(super) fn unquote(line: &str) -> (usize, &str) {
    let mut rest = line.trim_matches(is_blank);
    let mut depth = 0;
    while let Some(inner) = rest.strip_prefix('>') {
        depth += 1;
        rest = inner.trim_start_matches(is_blank);
    }
    (depth, rest)
}

/// Whether the line opens or closes a code block, or is a horizontal rule.
pub(super) fn is_fence_or_rule(line: &str) -> bool {
    let only = |mark: char| line.len() >= 3 && line.chars().all(|c| c == mark);
    line.starts_with("```") || line.starts_with("~~~") || only('-') || only('*') || only('_') || only('=')
}

/// Takes off what dresses the beginning of a line: bullets, heading signs, emphasis, quotes.
fn undress(line: &str) -> &str {
    line.trim_start_matches(|c: char| {
        is_blank(c) || matches!(c, '#' | '-' | '+' | '•') || EMPHASIS.contains(&c) || QUOTES.contains(&c)
    })
}

/// Reads the first line of an acknowledgment.
pub(super) fn header(line: &str) -> Option<Header<'_>> {
    let (tag, rest) = undress(line).strip_prefix('[')?.split_once(']')?;
    if !tag.trim().eq_ignore_ascii_case("ack") {
        return None;
    }
    let rest = rest.trim_start_matches(['*', '`']);
    let rest = rest.strip_prefix(':').unwrap_or(rest).trim_start_matches(is_blank);
    let (id, said) = split_id(rest)?;
    let dresses = |c: char| c == '*' || QUOTES.contains(&c);
    let task_id = id.trim_matches(dresses).parse().ok()?;
    Some(Header { task_id, said: said.trim() })
}

/// Whether a line that is no first line was meant as one: `[ACK] GH-42 RECEIVED`, `[ACK] GH-42-RECEIVED`.
/// Handoffs are acknowledged in words of their own.
pub(super) fn lacks_dash(line: &str) -> bool {
    let Some((tag, rest)) = undress(line).strip_prefix('[').and_then(|line| line.split_once(']')) else {
        return false;
    };
    let mut words =
        rest.split(|c: char| is_blank(c) || is_dash(c) || c == ':').filter(|word| !word.is_empty());
    let of_handoff = words.next().is_none_or(|word| word.eq_ignore_ascii_case("handoff"));
    let last = words.next_back().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_'));
    let is_status = last.is_some_and(|word| word.parse::<AckStatus>().is_ok());
    tag.trim().eq_ignore_ascii_case("ack") && !of_handoff && is_status
}

/// Splits `id - said`. An id holds no space and no long dash, so it ends at the first of them.
fn split_id(text: &str) -> Option<(&str, &str)> {
    let (id, tail) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if tail.trim_start().starts_with(is_dash) {
        return Some((id, tail.trim_start().trim_start_matches(is_dash)));
    }
    if id.contains(is_long_dash) {
        return text.split_once(is_long_dash);
    }
    id.ends_with('-').then(|| (id.trim_end_matches('-'), tail))
}

/// Reads a label at the beginning of a line, dressed or not, and what follows it.
pub(super) fn label(line: &str) -> Option<(Label, &str)> {
    let bare = undress(line);
    let (label, value) = label_at(bare)?;
    // `**Note: …**` closes at the end of the line what `**Note:** …` closes after the colon.
    let emphasis = line.len() - line.trim_start_matches(EMPHASIS).len();
    let opening = line.get(..emphasis).unwrap_or_default();
    let closed_early = value.starts_with(EMPHASIS);
    let value = value.trim_start_matches(EMPHASIS).trim();
    let closed_late = !closed_early && !opening.is_empty();
    Some((label, if closed_late { value.strip_suffix(opening).unwrap_or(value) } else { value }))
}

fn label_at(text: &str) -> Option<(Label, &str)> {
    LABELS.iter().find_map(|(word, label)| {
        let rest =
            text.get(..word.len()).filter(|it| it.eq_ignore_ascii_case(word)).and(text.get(word.len()..))?;
        let rest = rest.trim_start_matches(EMPHASIS).trim_start();
        Some((*label, rest.strip_prefix(':').or_else(|| rest.strip_prefix('：'))?))
    })
}

/// Splits a line at the first label inside it: what stands before, the label, and what follows.
pub(super) fn split_at_label(text: &str) -> (&str, Option<(Label, &str)>) {
    let mut after_a_gap = true;
    for (at, c) in text.char_indices() {
        if after_a_gap
            && let (Some(before), Some((label, value))) = (text.get(..at), text.get(at..).and_then(label_at))
        {
            let dressing = |c: char| is_blank(c) || EMPHASIS.contains(&c);
            return (before.trim_end_matches(dressing), Some((label, value.trim_start_matches(EMPHASIS))));
        }
        after_a_gap = !c.is_alphanumeric();
    }
    (text, None)
}

/// The text of a numbered or bulleted line.
pub(super) fn list_item(line: &str) -> Option<&str> {
    let ends = |rest: &&str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•', '–', '—']).filter(ends) {
        return Some(rest.trim());
    }
    let open = line.strip_prefix('(').unwrap_or(line);
    let digits = open.strip_prefix(['Q', 'q']).unwrap_or(open);
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == digits.len() {
        return None;
    }
    rest.strip_prefix(['.', ')', ':']).filter(ends).map(str::trim)
}

/// Splits `1. … 2. …` on one line into its items; any other text is one item.
pub(super) fn inline_items(text: &str) -> Vec<&str> {
    let text = text.trim();
    if !text.starts_with("1. ") && !text.starts_with("1) ") {
        return vec![list_item(text).unwrap_or(text)];
    }
    let mut items = Vec::new();
    let mut rest = list_item(text).unwrap_or(text);
    for number in 2_u32.. {
        let Some((before, item)) = split_at_number(rest, number) else { break };
        items.push(before);
        rest = item;
    }
    items.push(rest);
    items
}

/// Splits at ` 2. ` or ` 2) `, for the number given.
fn split_at_number(text: &str, number: u32) -> Option<(&str, &str)> {
    let mark = format!(" {number}");
    text.match_indices(&mark).find_map(|(at, _)| {
        let after = text.get(at + mark.len()..)?.strip_prefix(['.', ')'])?.strip_prefix(' ')?;
        Some((text.get(..at)?, after))
    })
}
