//! The direction of the data: which room may name which.

use std::fs;
use std::path::{Path, PathBuf};

/// What the files of a room must not name.
const WALLS: &[(&str, &[&str])] = &[
    (
        "src/domain",
        &[
            "crate::store",
            "crate::commands",
            "crate::render",
            "crate::cli",
            "crate::settings",
            "crate::clock",
            "crate::ids",
            "crate::failure",
            "rusqlite",
            "clap",
            "comfy_table",
            "anstyle",
            "std::env",
            "std::fs",
            "std::io",
        ],
    ),
    (
        "src/store",
        &[
            "crate::commands",
            "crate::render",
            "crate::cli",
            "crate::settings",
            "crate::clock",
            "crate::failure",
            "clap",
            "comfy_table",
            "std::env",
        ],
    ),
    ("src/commands", &["crate::render", "crate::cli", "rusqlite", "comfy_table", "anstyle", "std::env"]),
    (
        "src/project",
        &[
            "crate::store",
            "crate::commands",
            "crate::render",
            "crate::cli",
            "crate::settings",
            "clap",
            "std::env",
        ],
    ),
    ("src/render", &["crate::store", "crate::cli", "crate::clock", "rusqlite", "std::env"]),
    ("src/cli", &["crate::store", "rusqlite", "comfy_table", "std::env::var"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_room_names_only_the_rooms_it_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (room, forbidden) in WALLS {
        for file in sources(&root.join(room)) {
            let text = fs::read_to_string(&file).unwrap();
            // Tests inside a file may use more than the file itself.
            let product = text.split("#[cfg(test)]").next().unwrap();
            for name in *forbidden {
                assert!(!product.contains(name), "{} names {name}", file.display());
            }
        }
    }
}

#[test]
fn sql_is_spoken_only_in_the_sqlite_room() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in sources(&root.join("src")) {
        let allowed = file.starts_with(root.join("src/store/sqlite")) || file.ends_with("src/store/error.rs");
        let speaks = fs::read_to_string(&file).unwrap().contains("rusqlite");
        assert!(allowed || !speaks, "{} names rusqlite", file.display());
    }
}

#[test]
fn files_stay_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in sources(&root.join("src")) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 400, "{} has {lines} lines", file.display());
    }
}
