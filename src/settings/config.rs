//! The configuration: one TOML file, overridden by variables.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{KEYS, Key, Settings, Value};
use crate::failure::{Code, Failure};

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Default,
    File(PathBuf),
    Variable(&'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => path.display().fmt(f),
            Self::Variable(name) => f.write_str(name),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One key with its value in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub name: &'static str,
    pub value: Value,
    pub source: Source,
}

/// All values in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    settings: Vec<Setting>,
}

impl Config {
    /// Every setting, in the order of [`KEYS`].
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// The setting of that name; every name in the code is in [`KEYS`], which a test holds.
    pub fn get(&self, name: &str) -> &Value {
        const NOTHING: &Value = &Value::Number(0);
        self.settings.iter().find(|setting| setting.name == name).map_or(NOTHING, |setting| &setting.value)
    }

    /// The value of that name if somebody set it.
    pub fn chosen(&self, name: &str) -> Option<&Value> {
        let setting = self.settings.iter().find(|setting| setting.name == name)?;
        (setting.source != Source::Default).then_some(&setting.value)
    }
}

impl Settings {
    /// Reads the configuration in force.
    pub fn config(&self) -> Result<Config, Failure> {
        let file = self.config_file();
        let table = file.as_deref().map(read_table).transpose()?.flatten();
        let settings = KEYS
            .iter()
            .map(|key| {
                if let Some(text) = self.text(key.variable)? {
                    return setting(key, &text, Source::Variable(key.variable));
                }
                let in_file = table.as_ref().and_then(|table| table.get(key.name)).zip(file.clone());
                match in_file {
                    Some((value, file)) => setting(key, &flatten(value), Source::File(file)),
                    None => setting(key, key.default, Source::Default),
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Config { settings })
    }
}

fn setting(key: &Key, text: &str, source: Source) -> Result<Setting, Failure> {
    match (key.parse)(text) {
        Ok(value) => Ok(Setting { name: key.name, value, source }),
        Err(why) => Err(Failure::new(Code::ConfigInvalid, format!("{} in {source}: {why}", key.name))
            .hint(format!("{} is {}; the default is {}", key.name, key.meaning, key.default))),
    }
}

/// Reads the file; a missing one says nothing, an unknown key is an error.
fn read_table(file: &Path) -> Result<Option<toml::Table>, Failure> {
    let invalid = |what: String| Failure::new(Code::ConfigInvalid, format!("`{}`: {what}", file.display()));
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(invalid(format!("cannot be read: {error}"))),
    };
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(String::new(), |text| format!("line {}: ", text.matches('\n').count() + 1));
        invalid(format!("{line}{}", error.message()))
            .hint("mend that line; `bb config --help` tells of the keys")
    })?;
    match table.keys().find(|name| KEYS.iter().all(|key| key.name != name.as_str())) {
        None => Ok(Some(table)),
        Some(unknown) => {
            let names: Vec<_> = KEYS.iter().map(|key| key.name).collect();
            Err(invalid(format!("unknown key `{unknown}`"))
                .hint(format!("the keys are {}", names.join(", "))))
        }
    }
}

/// Writes a value of the file as it would stand in a variable.
fn flatten(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(parts) => parts.iter().map(flatten).collect::<Vec<_>>().join(","),
        toml::Value::Table(pairs) => pairs
            .iter()
            .map(|(name, value)| format!("{name}={}", flatten(value)))
            .collect::<Vec<_>>()
            .join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    fn settings(file: &Path, timeout: Option<&'static str>) -> Settings {
        let file = file.to_owned();
        Settings::from_lookup(move |name| match name {
            "BB_CONFIG" => Some(file.clone().into_os_string()),
            "BB_ACKNOWLEDGMENT_TIMEOUT" => timeout.map(OsString::from),
            _ => None,
        })
    }

    fn written(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn variables_win_over_the_file_and_the_file_over_defaults() {
        let file = written(
            "acknowledgment_timeout = 60\nreminder_intervals = [10, 20]\nextension_allowed = false\n",
        );
        let config = settings(file.path(), Some("2m")).config().unwrap();
        assert_eq!(config.get("acknowledgment_timeout"), &Value::Number(120));
        assert_eq!(config.get("reminder_intervals"), &Value::Numbers(vec![10, 20]));
        assert!(!config.get("extension_allowed").is_on());
        assert_eq!(config.chosen("max_extension"), None);
        assert_eq!(config.get("max_extension").seconds().as_secs(), 60);
    }

    #[test]
    fn every_default_is_valid_and_a_missing_file_is_no_error() {
        let config = settings(Path::new("/nonexistent/config.toml"), None).config().unwrap();
        assert_eq!(config.settings().len(), KEYS.len());
        assert!(config.settings().iter().all(|setting| setting.source == Source::Default));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, named) in [
            ("acknowledgement_timeout = 1", "acknowledgement_timeout"),
            ("max_extension = \"soon\"", "max_extension"),
            ("not toml", "config"),
            ("escalate_to = \"Nobody Known\"", "escalate_to"),
        ] {
            let file = written(text);
            let failure = settings(file.path(), None).config().unwrap_err();
            assert_eq!(failure.code, Code::ConfigInvalid, "{text}");
            assert!(failure.message.contains(named) || named == "config", "{}", failure.message);
        }
    }
}
