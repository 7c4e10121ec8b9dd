//! Our hooks in the settings of a harness: added and removed without touching anything else.

use std::ops::Range;

use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::document::{self, Node, Shape};
use super::{Harness, Moment};

/// Seconds after which a harness stops waiting for a hook of ours.
const TIMEOUT: u32 = 10;

/// What may stand around a word of a command line.
const QUOTES: [char; 2] = ['"', '\''];

/// Settings that cannot be changed safely, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit(pub String);

/// A hook of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub moment: Moment,
    pub command: String,
    /// Its place: the number of its group and its number in it.
    pub group: usize,
    pub handler: usize,
}

#[derive(Serialize)]
struct Group {
    hooks: [Handler; 1],
}

#[derive(Serialize)]
struct Handler {
    r#type: &'static str,
    command: String,
    timeout: u32,
}

/// The command a harness runs at a moment.
pub fn command(harness: Harness, moment: Moment) -> String {
    format!("bb hook {harness} {moment}")
}

/// Adds what is missing of our hooks; settings that have them all come back as they were.
pub fn install(text: &str, harness: Harness) -> Result<String, Unfit> {
    let mut text = if text.trim().is_empty() { "{}\n".to_owned() } else { text.to_owned() };
    for moment in Moment::ALL {
        if find(&read(&text)?, harness, *moment).is_none() {
            text = add(&text, harness, *moment)?;
        }
    }
    Ok(text)
}

/// Takes our hooks out, and what holds nothing else.
pub fn uninstall(text: &str, harness: Harness) -> Result<String, Unfit> {
    let mut text = text.to_owned();
    for moment in Moment::ALL {
        while let Some(found) = find(&read(&text)?, harness, *moment) {
            text = remove(&text, &found)?;
        }
    }
    Ok(text)
}

/// Our hooks that these settings have.
pub fn installed(text: &str, harness: Harness) -> Result<Vec<Found>, Unfit> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let root = read(text)?;
    Ok(Moment::ALL.iter().filter_map(|moment| find(&root, harness, *moment)).collect())
}

/// Whether these settings turn all hooks off.
pub fn are_disabled(text: &str) -> bool {
    let parsed: Option<serde_json::Value> = serde_json::from_str(text).ok();
    parsed.is_some_and(|it| it.get("disableAllHooks") == Some(&true.into()))
}

fn read(text: &str) -> Result<Node, Unfit> {
    let root = document::parse(text).map_err(|why| Unfit(format!("it is not JSON: {why}")))?;
    if !matches!(root.shape, Shape::Object(_)) {
        return Err(Unfit("it is not a JSON object".to_owned()));
    }
    let Some(hooks) = root.get("hooks") else { return Ok(root) };
    let Shape::Object(events) = &hooks.shape else {
        return Err(Unfit("its `hooks` is not an object".to_owned()));
    };
    let ours = |key: &str| Moment::ALL.iter().any(|moment| moment.event_name() == key);
    let odd = events.iter().find(|event| ours(&event.key) && !matches!(event.value.shape, Shape::Array(_)));
    match odd {
        Some(event) => Err(Unfit(format!("its `hooks.{}` is not a list", event.key))),
        None => Ok(root),
    }
}

fn find(root: &Node, harness: Harness, moment: Moment) -> Option<Found> {
    let groups = root.get("hooks")?.get(moment.event_name())?.items();
    groups.iter().enumerate().find_map(|(group, node)| {
        node.get("hooks")?.items().iter().enumerate().find_map(|(handler, node)| {
            let words = words_of(node)?;
            is_ours(&words, harness, moment).then(|| Found {
                moment,
                command: words.join(" "),
                group,
                handler,
            })
        })
    })
}

/// The words of a handler's command line, however it is spelled.
fn words_of(handler: &Node) -> Option<Vec<String>> {
    let command = handler.get("command")?.text()?;
    let arguments = handler.get("args").map(Node::items).unwrap_or_default();
    let arguments = arguments.iter().filter_map(Node::text).map(str::to_owned);
    Some(command.split_whitespace().map(str::to_owned).chain(arguments).collect())
}

/// The program that a command line of ours runs.
pub fn program_of(command: &str) -> Option<&str> {
    let words = command.split_whitespace().take_while(|word| *word != "hook");
    words.map(|word| word.trim_matches(QUOTES)).find(|word| is_bb(word))
}

fn is_bb(word: &str) -> bool {
    word.rsplit('/').next() == Some("bb")
}

/// Whether a command line calls `bb hook` for this harness and moment, with whatever before and after it.
fn is_ours(words: &[String], harness: Harness, moment: Moment) -> bool {
    let called = words.windows(3).position(|three| {
        matches!(three, [verb, one, two] if verb == "hook" && one == harness.as_str() && two == moment.as_str())
    });
    called.is_some_and(|at| words.iter().take(at).any(|word| is_bb(word.trim_matches(QUOTES))))
}

fn add(text: &str, harness: Harness, moment: Moment) -> Result<String, Unfit> {
    let root = read(text)?;
    let layout = Layout::of(text, &root);
    let handler = Handler { r#type: "command", command: command(harness, moment), timeout: TIMEOUT };
    let group = Group { hooks: [handler] };
    let event = moment.event_name();
    let hooks = root.get("hooks");
    Ok(match (hooks, hooks.and_then(|hooks| hooks.get(event))) {
        (_, Some(groups)) => layout.insert(text, groups, 2, None, &group),
        (Some(hooks), None) => layout.insert(text, hooks, 1, Some(event), &[group]),
        (None, None) => {
            let events = std::collections::BTreeMap::from([(event, [group])]);
            layout.insert(text, &root, 0, Some("hooks"), &events)
        }
    })
}

fn remove(text: &str, found: &Found) -> Result<String, Unfit> {
    let root = read(text)?;
    let event = found.moment.event_name();
    let cut = || -> Option<Range<usize>> {
        let hooks = root.member("hooks")?;
        let groups = hooks.value.member(event)?;
        let group = groups.value.items().get(found.group)?;
        let handlers = group.get("hooks")?;
        // From the outermost thing that holds nothing else inwards.
        let only = |node: &Node| node.parts().len() == 1;
        if only(handlers) && only(&groups.value) && only(&hooks.value) {
            return without(&root, &hooks.span);
        }
        if only(handlers) && only(&groups.value) {
            return without(&hooks.value, &groups.span);
        }
        if only(handlers) {
            return without(&groups.value, &group.span);
        }
        without(handlers, &handlers.items().get(found.handler)?.span)
    };
    let range = cut().ok_or_else(|| Unfit("a hook cannot be taken out of it".to_owned()))?;
    let (before, after) = (text.get(..range.start), text.get(range.end..));
    Ok([before, after].into_iter().flatten().collect())
}

/// What to cut so that a part goes with its comma.
fn without(holder: &Node, part: &Range<usize>) -> Option<Range<usize>> {
    let parts = holder.parts();
    let at = parts.iter().position(|it| it == part)?;
    let before = at.checked_sub(1).and_then(|before| parts.get(before));
    Some(match (before, parts.get(at + 1)) {
        (_, Some(next)) => part.start..next.start,
        (Some(previous), None) => previous.end..part.end,
        (None, None) => holder.span.start + 1..holder.span.end - 1,
    })
}

/// How a text is laid out, so that what is added looks like the rest.
struct Layout {
    /// What one level is indented by; nothing when all stands on one line.
    indent: Option<String>,
}

impl Layout {
    fn of(text: &str, root: &Node) -> Self {
        let Some(first) = root.parts().first().cloned() else {
            return Self { indent: Some("  ".to_owned()) };
        };
        let before = text.get(root.span.start + 1..first.start).unwrap_or_default();
        Self { indent: before.rsplit_once('\n').map(|(_, indent)| indent.to_owned()) }
    }

    /// Puts a value at the end of what a node at that depth holds.
    fn insert<T: Serialize>(
        &self,
        text: &str,
        holder: &Node,
        depth: usize,
        key: Option<&str>,
        value: &T,
    ) -> String {
        let printed = self.print(value, depth + 1);
        let colon = if self.indent.is_some() { ": " } else { ":" };
        let entry = key.map_or_else(|| printed.clone(), |key| format!("\"{key}\"{colon}{printed}"));
        let last = holder.parts().last().map(|last| last.end);
        let (place, added) = match last {
            Some(end) => (end..end, format!(",{}{entry}", self.line(depth + 1))),
            None => (
                holder.span.start + 1..holder.span.end - 1,
                format!("{}{entry}{}", self.line(depth + 1), self.line(depth)),
            ),
        };
        let (before, after) = (text.get(..place.start), text.get(place.end..));
        [before, Some(added.as_str()), after].into_iter().flatten().collect()
    }

    /// The beginning of a line at that depth.
    fn line(&self, depth: usize) -> String {
        self.indent.as_ref().map_or_else(String::new, |indent| format!("\n{}", indent.repeat(depth)))
    }

    fn print<T: Serialize>(&self, value: &T, depth: usize) -> String {
        let Some(indent) = &self.indent else { return serde_json::to_string(value).unwrap_or_default() };
        let mut printed = Vec::new();
        let formatter = PrettyFormatter::with_indent(indent.as_bytes());
        // Writing plain structures into memory cannot fail.
        let _ = value.serialize(&mut Serializer::with_formatter(&mut printed, formatter));
        String::from_utf8(printed).unwrap_or_default().replace('\n', &self.line(depth))
    }
}

#[cfg(test)]
mod tests;
