//! What git says when it is asked.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::repository::Repository;
use crate::failure::{Code, Failure};

/// Git, run in a folder of a repository.
#[derive(Debug)]
pub struct Git<'a> {
    folder: PathBuf,
    repository: &'a Repository,
}

impl<'a> Git<'a> {
    pub(super) fn new(folder: PathBuf, repository: &'a Repository) -> Self {
        Self { folder, repository }
    }

    /// What differs from the last commit or is new, relative to the worktree's root. A new folder stands
    /// for everything in it.
    pub fn changed(&self) -> Result<Vec<String>, Failure> {
        let answer =
            self.run(&["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal"])?;
        // Two letters and a blank stand before each path.
        Ok(paths(&answer).filter_map(|line| line.get(3..).map(text)).collect())
    }

    /// The files that a commit would change, relative to the worktree's root.
    ///
    /// In a merge, what comes unchanged from the other side is not this commit's doing.
    pub fn staged(&self) -> Result<Vec<String>, Failure> {
        let mut files = self.staged_against(None)?;
        let merged = fs::read_to_string(self.repository.of_worktree().join("MERGE_HEAD")).unwrap_or_default();
        for parent in merged.lines() {
            let differing = self.staged_against(Some(parent))?;
            files.retain(|file| differing.contains(file));
        }
        Ok(files.into_iter().collect())
    }

    fn staged_against(&self, commit: Option<&str>) -> Result<BTreeSet<String>, Failure> {
        let mut arguments = vec!["-c", "diff.relative=false", "diff", "--cached", "--name-only", "-z"];
        // The old name of a renamed file is changed too.
        arguments.extend(["--no-renames", "--no-ext-diff", "--ignore-submodules=none"]);
        arguments.extend(commit);
        arguments.push("--");
        Ok(paths(&self.run(&arguments)?).map(text).collect())
    }

    /// The folder whose hooks git runs here.
    pub fn hooks_folder(&self) -> Result<PathBuf, Failure> {
        let answer = self.run(&["rev-parse", "--git-path", "hooks"])?;
        let path = answer.strip_suffix(b"\n").unwrap_or(&answer);
        Ok(self.folder.join(OsStr::from_bytes(path)))
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, Failure> {
        let ran = Command::new("git")
            .args(arguments)
            .current_dir(&self.folder)
            // Looking must not take the lock that a commit needs.
            .env("GIT_OPTIONAL_LOCKS", "0")
            .stdin(Stdio::null())
            .output();
        let output = ran.map_err(|error| {
            Failure::new(Code::IoReadFailed, format!("cannot run git: {error}"))
                .hint("install git, or make sure it is in PATH")
        })?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let what = format!("git {}: {}", arguments.join(" "), said.trim());
        Err(Failure::new(Code::IoReadFailed, what).hint("see what git says when you run it by hand"))
    }
}

/// The paths in an answer that separates them with NUL.
fn paths(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer.split(|byte| *byte == 0).filter(|path| !path.is_empty())
}

fn text(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}
