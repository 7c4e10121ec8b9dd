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
