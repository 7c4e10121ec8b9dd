//! The project a folder belongs to, and what git knows about it.
//!
//! A project is a git repository with all its worktrees, or else the current folder alone. It is
//! found by reading `.git` and `commondir`; git itself is run only where its answer is needed
//! ([`Git`]).

mod git;
mod repository;
mod scopes;

use std::path::{Path, PathBuf};

pub use git::Git;
use repository::Repository;

use crate::failure::{Code, Failure};

/// A project, seen from one of its folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The top of the worktree, or the folder itself where there is no git.
    root: PathBuf,
    /// The folder it is seen from, relative to the root; empty at the root.
    current: String,
    repository: Option<Repository>,
}

impl Project {
    /// The project around a folder, which must be absolute.
    pub fn around(folder: &Path) -> Self {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let found = folder.ancestors().find_map(|top| Some((top, Repository::at(top)?)));
        match found {
            Some((top, repository)) => Self {
                root: top.to_owned(),
                current: folder.strip_prefix(top).unwrap_or(Path::new("")).to_string_lossy().into_owned(),
                repository: Some(repository),
            },
            None => Self { root: folder, current: String::new(), repository: None },
        }
    }

    /// What all worktrees of one repository have in common: the folder of its first worktree, of a bare
    /// repository, or of a project without git. A folder stays the same project when git comes to it.
    pub fn name(&self) -> String {
        let folder = self.repository.as_ref().map_or(self.root.as_path(), Repository::home);
        folder.to_string_lossy().into_owned()
    }

    /// The top of the worktree, or the folder itself where there is no git.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Git in the folder the project is seen from.
    pub fn git(&self) -> Result<Git<'_>, Failure> {
        match &self.repository {
            Some(repository) => Ok(Git::new(self.root.join(&self.current), repository)),
            None => {
                let what = format!("`{}` is in no git repository", self.root.display());
                Err(Failure::new(Code::NoRepository, what).hint("change to a folder of a repository"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_without_git_is_its_own_project_and_stays_it_when_git_comes() {
        let temporary = tempfile::tempdir().unwrap();
        let top = temporary.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("sub")).unwrap();
        let before = Project::around(&top);
        assert_eq!(before.name(), top.to_str().unwrap());
        assert_ne!(Project::around(&top.join("sub")).name(), before.name());
        assert_eq!(before.git().unwrap_err().code, Code::NoRepository);

        fs::create_dir(top.join(".git")).unwrap();
        fs::write(top.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let inside = Project::around(&top.join("sub"));
        assert_eq!((inside.name(), inside.current.as_str()), (before.name(), "sub"));
    }
}
