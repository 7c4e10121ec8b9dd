//! `config`: what is set, and where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Report};
use crate::failure::{Code, Failure};
use crate::settings::{KEYS, Source, Value};

/// Print the configuration in force
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// Only this key
    #[arg(value_name = "KEY")]
    pub key: Option<String>,
}

/// Every value and where it came from.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Configuration {
    pub file: Option<String>,
    pub file_exists: bool,
    pub settings: Vec<Line>,
}

/// One value.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Line {
    pub key: &'static str,
    #[schemars(with = "serde_json::Value")]
    pub value: Value,
    #[schemars(with = "String")]
    pub source: Source,
    pub variable: &'static str,
    pub meaning: &'static str,
}

impl Report for Configuration {}

/// Prints what is in force.
pub fn run(context: &Context, args: &Args) -> Result<Configuration, Failure> {
    let config = context.config()?;
    if let Some(wanted) =
        args.key.as_ref().filter(|wanted| KEYS.iter().all(|key| key.name != wanted.as_str()))
    {
        let names: Vec<_> = KEYS.iter().map(|key| key.name).collect();
        return Err(Failure::new(Code::ConfigInvalid, format!("there is no key `{wanted}`"))
            .hint(format!("the keys are {}", names.join(", "))));
    }
    let settings = config
        .settings()
        .iter()
        .zip(KEYS)
        .filter(|(_, key)| args.key.as_ref().is_none_or(|wanted| wanted == key.name))
        .map(|(setting, key)| Line {
            key: key.name,
            value: setting.value.clone(),
            source: setting.source.clone(),
            variable: key.variable,
            meaning: key.meaning,
        })
        .collect();
    let file = context.settings.config_file();
    Ok(Configuration {
        file_exists: file.as_ref().is_some_and(|file| file.exists()),
        file: file.map(|file| file.display().to_string()),
        settings,
    })
}
