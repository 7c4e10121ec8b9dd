//! Our hooks in the settings of a harness: added and removed without touching anything else.

mod line;

use std::ops::Range;

use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::document::{self, Node, Shape};
use super::{Harness, Moment};
use line::{Line, Owner};

pub use line::program_of;

/// Seconds after which a harness stops waiting for a hook of ours.
const TIMEOUT: u32 = 10;

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
    add_missing(text, harness, |_| true)
}

/// Adds what is missing of the hooks that mail is lost without; nobody is given back what may be left out.
pub fn complete(text: &str, harness: Harness) -> Result<String, Unfit> {
    add_missing(text, harness, |moment| !moment.is_optional())
}

fn add_missing(text: &str, harness: Harness, is_wanted: fn(Moment) -> bool) -> Result<String, Unfit> {
    let mut text = if text.trim().is_empty() { "{}\n".to_owned() } else { text.to_owned() };
    for moment in Moment::ALL.iter().copied().filter(|moment| is_wanted(*moment)) {
        if find(&read(&text)?, harness, moment).is_none() {
            text = add(&text, harness, moment)?;
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

/// The command lines that call our hooks and do something else besides. They are somebody else's.
pub fn shared(text: &str, harness: Harness) -> Result<Vec<Found>, Unfit> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let root = read(text)?;
    Ok(Moment::ALL.iter().flat_map(|moment| calls(&root, harness, *moment, Owner::Shared)).collect())
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
    calls(root, harness, moment, Owner::Ours).next()
}

/// The command lines of that owner that call one of our hooks.
fn calls(root: &Node, harness: Harness, moment: Moment, owner: Owner) -> impl Iterator<Item = Found> {
    let groups = root.get("hooks").and_then(|hooks| hooks.get(moment.event_name())).map(Node::items);
    groups.unwrap_or_default().iter().enumerate().flat_map(move |(group, node)| {
        let handlers = node.get("hooks").map(Node::items).unwrap_or_default();
        handlers.iter().enumerate().filter_map(move |(handler, node)| {
            let line = line_of(node)?;
            let is_wanted = line.owner(harness, moment) == Some(owner);
            is_wanted.then(|| Found { moment, command: line.text(), group, handler })
        })
    })
}

/// The command line of a handler, however it is spelled.
fn line_of(handler: &Node) -> Option<Line> {
    let arguments = handler.get("args").map(Node::items).unwrap_or_default();
    Some(Line::new(handler.get("command")?.text()?, arguments.iter().filter_map(Node::text)))
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
    /// How lines end.
    newline: &'static str,
}

impl Layout {
    fn of(text: &str, root: &Node) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let Some(first) = root.parts().first().cloned() else {
            return Self { indent: Some("  ".to_owned()), newline };
        };
        let before = text.get(root.span.start + 1..first.start).unwrap_or_default();
        Self { indent: before.rsplit_once('\n').map(|(_, indent)| indent.to_owned()), newline }
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
        let Self { indent, newline } = self;
        indent.as_ref().map_or_else(String::new, |indent| format!("{newline}{}", indent.repeat(depth)))
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
