//! Who is assigned, as GitHub says it: labels and assignees of issues and of a pull request.

use super::{Attempt, Attempted, Handoff, Moved, Outcome, issue_number};

impl Handoff {
    /// What is to be changed on GitHub once the tasks have moved; what failed is not repeated by itself.
    pub fn next_labelling(&self) -> Option<Attempt> {
        self.labellings().into_iter().find(|attempt| !self.tried(*attempt))
    }

    /// What was to be changed on GitHub, and was not.
    pub fn failed_labellings(&self) -> Vec<Attempt> {
        let failed = |attempt: &Attempt| self.tried(*attempt) && self.succeeded(*attempt).is_none();
        self.labellings().into_iter().filter(failed).collect()
    }

    /// What failed on GitHub and can be done later: who is assigned, and the comment that says where the document
    /// is. The document itself is published once, before its notice.
    pub fn repeatable(&self) -> Vec<Attempt> {
        let link = Attempt::IssueLink;
        let wanted = self.outcome() != Some(Outcome::Failed) && self.superseded_by.is_none();
        let unlinked = wanted
            && self.tried(link)
            && self.succeeded(link).is_none()
            && self.succeeded(Attempt::Gist).is_some();
        unlinked.then_some(link).into_iter().chain(self.failed_labellings()).collect()
    }

    /// Everything that says who is assigned: the issue of the handoff, those that the tasks stand for, and
    /// the pull request. An issue whose task has not moved stays as it is.
    pub fn labellings(&self) -> Vec<Attempt> {
        let pull_request = self.pull_request.map(|_| Attempt::PullRequest);
        let Some(issue) = self.issue() else { return pull_request.into_iter().collect() };
        let moved: Vec<u64> = self.transfer.iter().flat_map(|it| &it.moved).filter_map(issue_of).collect();
        let all = self.tasks.iter().filter_map(|task| here(&task.task_id.github_issue()?));
        let stays = all.into_iter().any(|number| number == issue) && !moved.contains(&issue);
        let mut attempts = if stays { Vec::new() } else { vec![Attempt::Labels] };
        for number in moved.into_iter().filter(|number| *number != issue) {
            let attempt = Attempt::TaskLabels(number);
            if !attempts.contains(&attempt) {
                attempts.push(attempt);
            }
        }
        attempts.extend(pull_request);
        attempts
    }

    /// What a change of labels is made on: `issue #42`.
    pub fn labelled(&self, attempt: Attempt) -> String {
        let number = |number: Option<u64>| number.map_or_else(String::new, |number| format!(" #{number}"));
        match attempt {
            Attempt::TaskLabels(issue) => format!("issue{}", number(Some(issue))),
            Attempt::PullRequest => format!("pull request{}", number(self.pull_request)),
            _ => format!("issue{}", number(self.issue())),
        }
    }

    /// The labels that were changed: `assigned:old -> assigned:new`.
    pub fn labels_changed(&self) -> Vec<String> {
        let change = format!("assigned:{} -> assigned:{}", self.failed.id, self.replacement.id);
        let done = self.labellings().into_iter().filter(|attempt| self.succeeded(*attempt).is_some());
        let named = |attempt| match attempt {
            Attempt::Labels => change.clone(),
            Attempt::TaskLabels(number) => format!("#{number}: {change}"),
            other => format!("{}: {change}", self.labelled(other)),
        };
        done.map(named).collect()
    }

    /// What did not succeed on GitHub, for the document as it is now.
    pub fn github_troubles(&self) -> Vec<String> {
        let trouble = |it: &Attempted| {
            let error = it.error.as_ref().filter(|_| it.revision == self.revision)?;
            Some(match it.attempt.publishes() {
                false => format!("label not moved on {}: {error}", self.labelled(it.attempt)),
                true if self.url.is_some() => format!("not all was done on GitHub: {error}"),
                true => format!("not published: {error}"),
            })
        };
        let mut troubles: Vec<_> = self.attempts.iter().filter_map(trouble).collect();
        troubles.dedup();
        troubles
    }
}

fn issue_of(moved: &Moved) -> Option<u64> {
    here(moved.github_issue.as_ref()?)
}

/// The number of an issue of the repository that the command runs in.
fn here(issue: &str) -> Option<u64> {
    issue_number(issue).ok().filter(|_| issue.starts_with('#'))
}
