//! Where beads keeps its things, found as beads finds them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::settings::Settings;

/// A beads workspace.
pub(super) struct Workspace {
    /// The project it belongs to.
    pub root: PathBuf,
    /// Its `.beads` folder.
    pub folder: PathBuf,
}

/// The database of a workspace.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Database {
    Sqlite(PathBuf),
    /// Dolt, in the folder or behind a server.
    Other,
}

impl Workspace {
    /// The workspace named by `BEADS_DIR`, else the nearest one upwards from where this process works.
    pub(super) fn find(settings: &Settings) -> Option<Self> {
        if let Ok(Some(named)) = settings.text("BEADS_DIR") {
            return Self::at(Path::new(&named));
        }
        let here = settings.current_folder().ok()?;
        here.ancestors().find_map(|folder| Self::at(&folder.join(".beads")))
    }

    fn at(folder: &Path) -> Option<Self> {
        let root = folder.parent()?.to_owned();
        let folder = redirected(folder, &root).unwrap_or_else(|| folder.to_owned());
        is_workspace(&folder).then_some(Self { root, folder })
    }

    /// Which database it has; any sign of Dolt means that the older one is no longer used.
    pub(super) fn database(&self) -> Database {
        let dolt = ["dolt", "embeddeddolt"].iter().any(|name| self.folder.join(name).is_dir());
        let file = self.folder.join(self.database_name().as_deref().unwrap_or("beads.db"));
        if !dolt && file.is_file() { Database::Sqlite(file) } else { Database::Other }
    }

    fn database_name(&self) -> Option<String> {
        let text = fs::read_to_string(self.folder.join("metadata.json")).ok()?;
        let document: serde_json::Value = serde_json::from_str(&text).ok()?;
        Some(document.get("database")?.as_str()?.to_owned())
    }
}

/// The folder that a workspace's first line of `redirect` leads to, counted from the project.
fn redirected(folder: &Path, root: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(folder.join("redirect")).ok()?;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))?;
    Some(root.join(line))
}

fn is_workspace(folder: &Path) -> bool {
    let is_database = |name: &str| name.ends_with(".db") && !name.contains(".backup") && name != "vc.db";
    ["metadata.json", "config.yaml", "dolt", "embeddeddolt"].iter().any(|name| folder.join(name).exists())
        || fs::read_dir(folder).is_ok_and(|entries| {
            entries.flatten().any(|entry| entry.file_name().to_str().is_some_and(is_database))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(names: &[&str]) -> (tempfile::TempDir, Option<Workspace>) {
        let project = tempfile::tempdir().unwrap();
        let folder = project.path().join(".beads");
        fs::create_dir(&folder).unwrap();
        for name in names {
            match name.strip_suffix('/') {
                Some(inner) => fs::create_dir(folder.join(inner)).unwrap(),
                None => fs::write(folder.join(name), "{}").unwrap(),
            }
        }
        let found = Workspace::at(&folder);
        (project, found)
    }

    #[test]
    fn a_folder_is_a_workspace_by_what_is_in_it() {
        for names in [&["metadata.json"][..], &["config.yaml"], &["dolt/"], &["beads.db"]] {
            assert!(folder_with(names).1.is_some(), "{names:?}");
        }
        for names in [&[][..], &["notes.txt"], &["vc.db"], &["beads.backup.db"]] {
            assert!(folder_with(names).1.is_none(), "{names:?}");
        }
    }

    #[test]
    fn dolt_wins_over_an_older_database() {
        let (_project, found) = folder_with(&["beads.db", "embeddeddolt/"]);
        assert_eq!(found.unwrap().database(), Database::Other);
        let (_project, found) = folder_with(&["beads.db"]);
        assert!(matches!(found.unwrap().database(), Database::Sqlite(file) if file.ends_with("beads.db")));
        let (_project, found) = folder_with(&["metadata.json"]);
        assert_eq!(found.unwrap().database(), Database::Other);
    }

    #[test]
    fn the_metadata_name_the_database_and_a_redirect_is_followed() {
        let (project, _) = folder_with(&["redirect"]);
        let elsewhere = project.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::write(project.path().join(".beads/redirect"), "# moved\n\nelsewhere\n").unwrap();
        fs::write(elsewhere.join("metadata.json"), r#"{"database": "tasks.db"}"#).unwrap();
        fs::write(elsewhere.join("tasks.db"), "").unwrap();
        let found = Workspace::at(&project.path().join(".beads")).unwrap();
        assert_eq!(found.folder, elsewhere);
        assert!(matches!(found.database(), Database::Sqlite(file) if file.ends_with("tasks.db")));
    }
}
