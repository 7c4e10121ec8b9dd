//! What the program is built from: few, locked, freely licensed, without network or runtime.

use std::process::Command;

use serde_json::Value;

const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "CC0-1.0",
    "MPL-2.0",
];

/// Nothing here speaks to a network, brings an async runtime into the command path, or wraps SQL.
const BANNED: &[&str] =
    &["tokio", "async-std", "openssl", "openssl-sys", "reqwest", "hyper", "ureq", "diesel", "sqlx"];

/// The platform this was built on; the packages of others need not be here.
fn platform() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--locked",
            "--offline",
            "--format-version",
            "1",
            "--filter-platform",
            &platform(),
        ])
        .arg("--manifest-path")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Whether one of the licences an expression offers is allowed.
fn is_free(expression: &str) -> bool {
    let every_part = |alternative: &str| {
        alternative.split(" AND ").all(|part| LICENCES.contains(&part.trim_matches(['(', ')', ' '])))
    };
    expression.replace('/', " OR ").split(" OR ").any(every_part)
}

#[test]
fn every_dependency_is_freely_licensed_locked_and_wanted() {
    let packages = packages();
    assert!(packages.len() > 20, "metadata lists the dependencies");
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or("");
        assert!(is_free(licence), "{name} is licensed under {licence:?}");
        assert!(!BANNED.contains(&name), "{name} is not wanted here");
        let source = package["source"].as_str().unwrap_or("");
        assert!(source.is_empty() || source.starts_with("registry+"), "{name} comes from {source}");
    }
}

/// Whether an executable names a dynamic loader: a program header of the kind 3 in an ELF file of 64 bits.
fn names_a_loader(file: &[u8]) -> bool {
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte))
    };
    let (first, size, count) = (number(32, 8), number(54, 2), number(56, 2));
    (0..count).any(|index| number(first + index * size, 4) == 3)
}

#[test]
fn the_program_starts_without_a_loader_where_there_is_a_static_c_library() {
    let found = Command::new("cc").arg("-print-file-name=libc.a").output();
    let library =
        found.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    if !cfg!(target_os = "linux") || !library.starts_with('/') {
        crate::common::not_run("there is no static C library here");
        return;
    }
    let program = std::fs::read(env!("CARGO_BIN_EXE_bb")).unwrap();
    assert!(!names_a_loader(&program), "linked dynamically although {library} is there");
}
