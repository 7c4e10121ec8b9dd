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
            "indicatif",
            "ratatui",
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
            "indicatif",
            "ratatui",
            "std::env",
        ],
    ),
    (
        "src/commands",
        &[
            "crate::render",
            "crate::cli",
            "rusqlite",
            "comfy_table",
            "indicatif",
            "ratatui",
            "anstyle",
            "std::env",
        ],
    ),
    (
        "src/project",
        &[
            "crate::store",
            "crate::commands",
            "crate::render",
            "crate::cli",
            "crate::settings",
            "clap",
            "comfy_table",
            "indicatif",
            "ratatui",
            "std::env",
        ],
    ),
    ("src/render", &["crate::store", "crate::cli", "crate::clock", "rusqlite", "std::env"]),
    ("src/cli", &["crate::store", "rusqlite", "comfy_table", "indicatif", "ratatui", "std::env::var"]),
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

/// A file without the tests at its end, which may use more than the file itself.
fn without_tests(text: &str) -> &str {
    text.rsplit_once("#[cfg(test)]\nmod tests {").map_or(text, |(product, _)| product)
}

#[test]
fn only_the_tests_at_the_end_of_a_file_are_left_out() {
    let text = "a\n#[cfg(test)]\nmod tests;\nb\n#[cfg(test)]\nfn c() {}\nd\n#[cfg(test)]\nmod tests {\n}\n";
    assert_eq!(without_tests(text), "a\n#[cfg(test)]\nmod tests;\nb\n#[cfg(test)]\nfn c() {}\nd\n");
    assert_eq!(without_tests("a\n#[cfg(test)]\nmod tests;\nb\n"), "a\n#[cfg(test)]\nmod tests;\nb\n");
}

#[test]
fn every_room_names_only_the_rooms_it_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (room, forbidden) in WALLS {
        for file in sources(&root.join(room)) {
            let text = fs::read_to_string(&file).unwrap();
            let product = without_tests(&text);
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
