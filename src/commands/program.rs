//! Programs that settings name.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::settings::Settings;

/// The file that a program's name stands for, as a shell would find it.
pub(super) fn found(settings: &Settings, name: &str) -> Option<PathBuf> {
    if !name.contains('/') {
        return settings.program_folders().iter().map(|it| it.join(name)).find(|file| is_program(file));
    }
    let below_home = ["~/", "$HOME/", "${HOME}/"].iter().find_map(|home| name.strip_prefix(home));
    let file = match below_home {
        Some(rest) => settings.home()?.join(rest),
        None => PathBuf::from(name),
    };
    Some(file).filter(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
