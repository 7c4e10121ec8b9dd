//! Real repositories, made and asked with git itself.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{Run, World};

/// A worktree in a world.
pub(crate) struct Repository<'a> {
    world: &'a World,
    pub(crate) path: PathBuf,
}

impl<'a> Repository<'a> {
    /// A new repository with one commit.
    pub(crate) fn new(world: &'a World, name: &str) -> Self {
        let path = world.path(name);
        fs::create_dir_all(&path).unwrap();
        let repository = Self { world, path };
        repository.git(["init", "--quiet", "--initial-branch=main", "."]).ok();
        repository.write("README.md", "a project\n");
        repository.git(["add", "."]).ok();
        repository.git(["commit", "--quiet", "--message", "begin"]).ok();
        repository
    }

    /// Another worktree of the same repository, on a branch of the same name.
    pub(crate) fn worktree(&self, name: &str) -> Self {
        let path = self.world.path(name);
        self.git(["worktree", "add", "--quiet", "-b", name, path.to_str().unwrap()]).ok();
        Self { world: self.world, path }
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Git in this worktree and this world.
    pub(crate) fn git_command<I, S>(&self, arguments: I) -> Command
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = Command::new("git");
        let bb = self.world.command(["whoami"]);
        command.env_clear().envs(bb.get_envs().filter_map(|(name, value)| Some((name, value?))));
        for name in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{name}_NAME"), "somebody");
            command.env(format!("GIT_{name}_EMAIL"), "somebody@example.org");
        }
        command.env("GIT_CONFIG_NOSYSTEM", "1").current_dir(&self.path).args(arguments).stdin(Stdio::null());
        command
    }

    pub(crate) fn git<I, S>(&self, arguments: I) -> Run
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        Run::of(self.git_command(arguments).output().unwrap())
    }

    /// Stages everything and commits it as an agent, or as nobody.
    pub(crate) fn commit(&self, agent: Option<&str>) -> Run {
        self.git(["add", "--all"]).ok();
        let mut command = self.git_command(["commit", "--quiet", "--message", "change"]);
        command.envs(agent.map(|agent| ("BB_AGENT", agent)));
        Run::of(command.output().unwrap())
    }

    /// Runs `bb` in a folder of this worktree.
    pub(crate) fn bb_in<I, S>(&self, folder: &str, arguments: I) -> Run
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let folder = self.path.join(folder);
        fs::create_dir_all(&folder).unwrap();
        Run::of(self.world.command(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs `bb` at the top of this worktree.
    pub(crate) fn bb<I, S>(&self, arguments: I) -> Run
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        self.bb_in("", arguments)
    }
}
