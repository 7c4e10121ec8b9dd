//! What GitHub's command line is asked, and how its answers are read.

use serde_json::Value;

use super::{Attempt, Handoff};

impl Handoff {
    /// The words by which a comment or a gist is recognised as this handoff's.
    pub fn marker(&self, attempt: Attempt) -> String {
        let part = if attempt == Attempt::IssueLink { "link" } else { "document" };
        format!("handoff {} revision {} {part}", self.handoff_id, self.revision)
    }

    /// A text with its marker, which GitHub does not show.
    pub fn marked(&self, attempt: Attempt, text: &str) -> String {
        format!("{}\n\n<!-- {} -->\n", text.trim_end(), self.marker(attempt))
    }

    /// The file with the document as it is commented: marked.
    pub fn comment_file(&self) -> Option<String> {
        self.document.as_ref().map(|document| format!("{}.comment", document.path))
    }

    /// The arguments that make an attempt; none for what concerns an issue when there is none.
    pub fn github_arguments(&self, attempt: Attempt) -> Option<Vec<String>> {
        let people = format!("{} to {}", self.failed.id, self.replacement.id);
        let issue = || self.issue().map(|number| number.to_string());
        Some(match attempt {
            Attempt::IssueComment => {
                words(&["issue", "comment", &issue()?, "--body-file", &self.comment_file()?])
            }
            Attempt::Gist => {
                let description = format!("Agent replacement handoff: {people} ({})", self.marker(attempt));
                let document = self.document.as_ref()?;
                words(&["gist", "create", &document.path, "--desc", &description])
            }
            Attempt::IssueLink => {
                let url = self.url.as_deref()?;
                let text = format!("Agent replacement handoff {}: {people}: {url}", self.handoff_id);
                words(&["issue", "comment", &issue()?, "--body", &self.marked(attempt, &text)])
            }
            Attempt::Labels => self.reassigned(&["issue", "edit", &issue()?]),
            Attempt::TaskLabels(number) => self.reassigned(&["issue", "edit", &number.to_string()]),
            Attempt::PullRequest => self.reassigned(&["pr", "edit", &self.pull_request?.to_string()]),
        })
    }

    /// Who is assigned is said by a label, and by the accounts of the agents where they have any.
    fn reassigned(&self, command: &[&str]) -> Vec<String> {
        let [old, new] = self.assignment_labels();
        let mut arguments = words(command);
        arguments.extend(words(&["--remove-label", &old, "--add-label", &new]));
        if let Some(account) = &self.accounts.failed {
            arguments.extend(words(&["--remove-assignee", account]));
        }
        if let Some(account) = &self.accounts.replacement {
            arguments.extend(words(&["--add-assignee", account]));
        }
        arguments
    }

    /// The labels of the failed agent and of its replacement.
    pub fn assignment_labels(&self) -> [String; 2] {
        [&self.failed.id, &self.replacement.id].map(|id| format!("assigned:{id}"))
    }

    /// The arguments that find out whether an attempt succeeded of which nothing is known; none for what
    /// can be done twice.
    pub fn search_arguments(&self, attempt: Attempt) -> Option<Vec<String>> {
        match attempt {
            Attempt::IssueComment | Attempt::IssueLink => {
                Some(words(&["issue", "view", &self.issue()?.to_string(), "--json", "comments"]))
            }
            Attempt::Gist => Some(words(&["api", "gists?per_page=100"])),
            Attempt::Labels | Attempt::TaskLabels(_) | Attempt::PullRequest => None,
        }
    }

    /// The address of what an earlier attempt left on GitHub, in the answer to the search for it.
    pub fn found_on_github(&self, attempt: Attempt, answer: &str) -> Result<Option<String>, String> {
        let answer: Value = serde_json::from_str(answer).map_err(|error| format!("no JSON: {error}"))?;
        let (list, text, address) = match attempt {
            Attempt::Gist => (Some(&answer), "description", "html_url"),
            _ => (answer.get("comments"), "body", "url"),
        };
        let items = list.and_then(Value::as_array).ok_or("no list")?;
        let marker = self.marker(attempt);
        let says =
            |item: &&Value| item.get(text).and_then(Value::as_str).is_some_and(|it| it.contains(&marker));
        let address = |item: &Value| item.get(address).and_then(Value::as_str).map(str::to_owned);
        Ok(items.iter().find(says).and_then(address))
    }
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}
