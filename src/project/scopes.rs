//! From what was typed in a folder to a scope of the project.

use std::fs;
use std::path::{Path, PathBuf};

use super::Project;
use crate::domain::scope::Scope;
use crate::domain::{Invalid, Rule};

/// Characters that can make a path mean more than one.
const SPECIAL: [char; 7] = ['*', '?', '[', ']', '{', '}', '\\'];

impl Project {
    /// The scope that was typed.
    ///
    /// `.`, `..` and what begins with `./` or `../` is seen from the current folder; everything else, also a
    /// named surface, from the project's root, so that agents in different folders mean the same by it. An
    /// absolute path is taken for what it is in the project. A path that is there as it is written is
    /// taken literally, whatever characters it has.
    ///
    /// Nothing lies below a file: what is one, or is not there and has an extension. A `/` at the end says
    /// that it is a folder.
    pub fn scope(&self, typed: &str) -> Result<Scope, Invalid> {
        let (text, folder) = self.place(typed)?;
        let found = fs::metadata(self.root.join(folder).join(&text)).ok();
        let is_link = || fs::symlink_metadata(self.root.join(folder).join(&text)).is_ok();
        let scope = match literal(&text, folder) {
            Some(literal) if found.is_some() || is_link() => literal?,
            _ => Scope::parse(&text, folder)?,
        };
        let is_file = found.map_or_else(|| scope.has_extension(), |found| !found.is_dir());
        Ok(scope.of_files(is_file && !typed.ends_with('/')))
    }

    /// The scope of a path that git names, where a folder has a `/` at its end.
    pub fn scope_of_path(&self, path: &str) -> Result<Scope, Invalid> {
        let is_folder = path.ends_with('/') || self.root.join(path).is_dir();
        Ok(Scope::of_path(path)?.of_files(!is_folder))
    }

    /// Everything that was typed can mean, the likeliest first: a file that was there as it is written may
    /// have come or gone since.
    pub fn readings(&self, typed: &str) -> Result<Vec<Scope>, Invalid> {
        let likeliest = self.scope(typed)?;
        let (text, folder) = self.place(typed)?;
        let others = [Scope::parse(&text, folder).ok(), literal(&text, folder).and_then(Result::ok)];
        let mut readings = vec![likeliest];
        for other in others.into_iter().flatten() {
            if readings.iter().all(|known| known.as_str() != other.as_str()) {
                readings.push(other);
            }
        }
        Ok(readings)
    }

    /// The text relative to the project, and the folder it starts from.
    fn place(&self, typed: &str) -> Result<(String, &str), Invalid> {
        if typed.starts_with('/') {
            return Ok((self.inside(Path::new(typed))?, ""));
        }
        let here = matches!(typed, "." | "..") || typed.starts_with("./") || typed.starts_with("../");
        Ok((typed.to_owned(), if here { &self.current } else { "" }))
    }

    /// What an absolute path is in this project, whichever of its worktrees it lies in.
    fn inside(&self, path: &Path) -> Result<String, Invalid> {
        let (folder, rest) = existing_folder(path);
        let around = Self::around(&folder);
        let full = folder.join(rest);
        let relative = if around.name() == self.name() {
            full.strip_prefix(&around.root)
        } else {
            full.strip_prefix(&self.root)
        };
        match relative {
            Ok(relative) if relative.as_os_str().is_empty() => Ok(".".to_owned()),
            Ok(relative) => Ok(relative.to_string_lossy().into_owned()),
            Err(_) => {
                let what = format!("`{}` is outside the project `{}`", path.display(), self.root.display());
                Err(Invalid::new(Rule::Scope, what)
                    .hint("name something inside the project, or work from the project it belongs to"))
            }
        }
    }
}

/// The scope of the path as it is written, where that differs from the pattern it is.
fn literal(text: &str, folder: &str) -> Option<Result<Scope, Invalid>> {
    text.contains(SPECIAL).then(|| Scope::of_path(&format!("{folder}/{text}")))
}

/// The nearest folder on the way to a path that is there, and what is left of the path.
fn existing_folder(path: &Path) -> (PathBuf, &Path) {
    let folder = path.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
    let rest = path.strip_prefix(folder).unwrap_or(Path::new(""));
    (folder.canonicalize().unwrap_or_else(|_| folder.to_owned()), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A repository with a folder `src/cli`, seen from there.
    fn project() -> (tempfile::TempDir, Project) {
        let temporary = tempfile::tempdir().unwrap();
        let top = temporary.path().join("repository");
        fs::create_dir_all(top.join("src/cli")).unwrap();
        fs::create_dir_all(top.join(".git")).unwrap();
        fs::write(top.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let project = Project::around(&top.join("src/cli"));
        (temporary, project)
    }

    fn typed(project: &Project, text: &str) -> String {
        project.scope(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
    }

    #[test]
    fn only_dotted_paths_are_seen_from_the_current_folder() {
        let (_temporary, project) = project();
        for (text, scope) in [
            ("main.rs", "main.rs"),
            ("./main.rs", "src/cli/main.rs"),
            ("../lib.rs", "src/lib.rs"),
            (".", "src/cli"),
            ("..", "src"),
            ("../..", "."),
            ("**/*.rs", "**/*.rs"),
            ("./*.rs", "src/cli/*.rs"),
            ("db:schema", "db:schema"),
            ("api-contract", "api-contract"),
            (".github/x.yml", ".github/x.yml"),
        ] {
            assert_eq!(typed(&project, text), scope, "{text}");
        }
        assert_eq!(project.scope("../../..").unwrap_err().rule, Rule::Scope);
    }

    #[test]
    fn absolute_paths_are_what_they_are_in_the_project() {
        let (temporary, project) = project();
        let top = temporary.path().join("repository");
        let absolute = |rest: &str| typed(&project, &format!("{}{rest}", top.display()));
        assert_eq!(absolute("/src/new/file.rs"), "src/new/file.rs");
        assert_eq!(absolute("/src/**/*.rs"), "src/**/*.rs");
        assert_eq!(absolute("/"), ".");
        assert_eq!(absolute(""), ".");
        let outside = project.scope(temporary.path().to_str().unwrap()).unwrap_err();
        assert_eq!(outside.rule, Rule::Scope);
        assert!(project.scope("/etc/passwd").is_err());

        std::os::unix::fs::symlink(&top, temporary.path().join("link")).unwrap();
        let linked = format!("{}/link/src/a.rs", temporary.path().display());
        assert_eq!(typed(&project, &linked), "src/a.rs");
    }

    #[test]
    fn a_path_that_is_there_as_it_is_written_is_no_pattern() {
        let (_temporary, project) = project();
        assert_eq!(typed(&project, "app/[id]/page.tsx"), "app/[id]/page.tsx");
        fs::create_dir_all(project.root.join("app/[id]")).unwrap();
        fs::write(project.root.join("app/[id]/page.tsx"), "").unwrap();
        let literal = project.scope("app/[id]/page.tsx").unwrap();
        assert!(literal.is_of_files());
        assert_eq!(literal.to_string(), "app/\\[id]/page.tsx");
        assert!(literal.contains("app/[id]/page.tsx"));
        assert!(!literal.contains("app/i/page.tsx"));
        let readings = project.readings("app/[id]/page.tsx").unwrap();
        let texts: Vec<_> = readings.iter().map(Scope::as_str).collect();
        assert_eq!(texts, ["app/\\[id]/page.tsx", "app/[id]/page.tsx"]);
    }

    #[test]
    fn a_file_is_what_is_one_or_may_become_one() {
        let (_temporary, project) = project();
        fs::write(project.root.join("Makefile"), "").unwrap();
        fs::create_dir(project.root.join("conf.d")).unwrap();
        for file in ["Makefile", "src/new.rs", "**/*.md", "*.{ts,tsx}"] {
            assert!(project.scope(file).unwrap().is_of_files(), "{file}");
        }
        for folder in ["src", "conf.d", "new.d/", "unknown", "src/**", "src/*", "v1.2", "db:schema", "."] {
            assert!(!project.scope(folder).unwrap().is_of_files(), "{folder}");
        }
        assert!(project.scope_of_path("gone.rs").unwrap().is_of_files());
        assert!(!project.scope_of_path("untracked/").unwrap().is_of_files());
    }
}
