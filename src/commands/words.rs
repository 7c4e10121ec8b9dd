//! Where bodies and contents come from: an argument, a file, or standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::Context;
use crate::domain::message::{check_body, check_label};
use crate::domain::{Invalid, Rule};
use crate::failure::{Code, Failure};

/// The flags that carry a body.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct Body {
    /// The text, or - to read it from standard input
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true)]
    pub body: Option<String>,
    /// A file with the text; nothing in it meets a shell
    #[arg(long, value_name = "FILE", conflicts_with = "body")]
    pub body_file: Option<PathBuf>,
}

impl Body {
    /// The text, if any was given; read before anything is locked.
    pub(super) fn read(&self, context: &Context) -> Result<Option<String>, Failure> {
        let limit = usize::try_from(context.config()?.get("max_body_bytes").number()).unwrap_or(usize::MAX);
        let text = match (&self.body, &self.body_file) {
            (Some(dash), _) if dash == "-" => bounded(io::stdin().lock(), limit, "standard input")?,
            (Some(text), _) => text.clone(),
            (None, Some(file)) => from_file(file, limit)?,
            (None, None) => return Ok(None),
        };
        check_body(&text, limit)?;
        Ok(Some(text))
    }
}

/// Reads a file named on the command line.
pub(super) fn from_file(file: &Path, limit: usize) -> Result<String, Failure> {
    let name = format!("`{}`", file.display());
    match File::open(file) {
        Ok(opened) => bounded(opened, limit, &name),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let hint = if file == Path::new("-") { "standard input is --body -" } else { "check the path" };
            Err(Failure::new(Code::FileNotFound, format!("there is no file {name}")).hint(hint))
        }
        Err(error) => Err(unreadable(&name, &error)),
    }
}

/// Reads at most one byte more than the limit, so that a huge input is refused and not swallowed.
fn bounded(source: impl Read, limit: usize, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    source.take(most).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() > limit {
        let what = format!("{name} has more than the limit of {limit} bytes");
        return Err(Failure::new(Code::InvalidMessage, what)
            .hint("put it into a file and send its path, or raise `max_body_bytes` in the configuration"));
    }
    String::from_utf8(bytes).map_err(|_| {
        Failure::new(Code::InvalidMessage, format!("{name} is not valid UTF-8"))
            .hint("send text; put anything else into a file and send its path")
    })
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::new(Code::IoReadFailed, format!("cannot read {name}: {error}"))
}

/// The bead something is about: the one that was named, else `BB_BEAD`, else the one at hand.
pub(super) fn bead(
    context: &Context,
    named: Option<&str>,
    at_hand: Option<&str>,
    thing: &str,
) -> Result<String, Failure> {
    let bead = match named {
        Some(bead) => Some(bead.to_owned()),
        None => context.settings.text("BB_BEAD")?.or_else(|| at_hand.map(str::to_owned)),
    };
    let Some(bead) = bead.filter(|bead| !bead.trim().is_empty()) else {
        return Err(Failure::new(Code::MissingBeadId, format!("{thing} needs the bead it is about"))
            .hint("pass --bead ID, or set BB_BEAD"));
    };
    check_label("bead", &bead)?;
    Ok(bead)
}

/// Parses `--content`: a JSON object, or `@FILE` with one.
pub(super) fn content(text: &str, context: &Context) -> Result<Value, Failure> {
    let limit = usize::try_from(context.config()?.get("max_body_bytes").number()).unwrap_or(usize::MAX);
    let text = match text.strip_prefix('@') {
        Some(file) => from_file(Path::new(file), limit)?,
        None => text.to_owned(),
    };
    if text.len() > limit {
        return Err(Invalid::new(Rule::Content, format!("the content has more than {limit} bytes")).into());
    }
    match serde_json::from_str(&text) {
        Ok(Value::Object(object)) => Ok(Value::Object(object)),
        Ok(_) => Err(Invalid::new(Rule::Content, "the content is not a JSON object").into()),
        Err(error) => Err(Invalid::new(Rule::Content, format!("the content is not JSON: {error}"))
            .hint("pass an object such as '{\"ready\": true}', or @FILE")
            .into()),
    }
}
