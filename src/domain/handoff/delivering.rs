//! How the document and its notice reach the replacement.

use super::{Attempt, Attempted, Begun, Delivery, Document, Handoff, Publication, Step};
use crate::domain::message::MessageId;
use crate::domain::{Invalid, Timestamp};

impl Handoff {
    pub(super) fn copied(&mut self, document: Document, now: Timestamp) -> Result<(), Invalid> {
        if self.document.as_ref() == Some(&document) {
            return Ok(());
        }
        if !self.step().is_open() {
            return Err(self.out_of_order("given a document"));
        }
        if self.document.replace(document).is_some() {
            self.revision = self.revision.saturating_add(1);
            self.url = None;
        }
        if self.step() == Step::Prepared {
            self.move_to(Step::Copied, now)?;
        }
        match self.publication.clone() {
            Publication::Url(url) => self.published_at(url, now),
            _ => Ok(()),
        }
    }

    fn published_at(&mut self, url: String, now: Timestamp) -> Result<(), Invalid> {
        self.url = Some(url);
        if self.step() == Step::Copied { self.move_to(Step::Published, now) } else { Ok(()) }
    }

    pub(super) fn trying_on_github(&mut self, attempt: Attempt) -> Result<(), Invalid> {
        self.check_time_for(attempt)?;
        self.begun = Some(Begun { attempt, revision: self.revision });
        Ok(())
    }

    /// Refuses what is tried before or after its time.
    fn check_time_for(&self, attempt: Attempt) -> Result<(), Invalid> {
        let in_time = self.step().is_open() || self.repeatable().contains(&attempt);
        let publishing = self.document.is_some() && in_time;
        match attempt.publishes() {
            true if !publishing => Err(self.out_of_order("published")),
            false if self.transfer.is_none() => Err(self.out_of_order("labelled")),
            _ => Ok(()),
        }
    }

    pub(super) fn tried_on_github(
        &mut self,
        attempt: Attempt,
        url: Option<String>,
        error: Option<String>,
        now: Timestamp,
    ) -> Result<(), Invalid> {
        if self.succeeded(attempt).is_some() {
            return Ok(());
        }
        self.check_time_for(attempt)?;
        self.begun = None;
        let revision = self.revision;
        let same = |it: &Attempted| it.attempt == attempt && it.revision == revision;
        if self.attempts.iter().any(|it| same(it) && it.error == error) {
            return Ok(());
        }
        // A new try takes the place of the failed one.
        self.attempts.retain(|it| !same(it));
        let publishes = matches!(attempt, Attempt::IssueComment | Attempt::Gist) && error.is_none();
        self.attempts.push(Attempted { attempt, revision, url: url.clone(), error, at: now });
        match url.filter(|_| publishes) {
            Some(url) => self.published_at(url, now),
            None => Ok(()),
        }
    }

    pub(super) fn sent(
        &mut self,
        message_id: MessageId,
        operation_id: Option<String>,
        now: Timestamp,
    ) -> Result<(), Invalid> {
        if self.deliveries.iter().any(|delivery| delivery.message_id == message_id) {
            return Ok(());
        }
        let url = self.location().map(str::to_owned);
        let Some(url) = url.filter(|_| self.step().is_open()) else {
            return Err(self.out_of_order("sent"));
        };
        let revision = self.revision;
        let after_ack = self.acks.last().map_or(0, |it| it.number);
        self.deliveries.push(Delivery { message_id, operation_id, url, revision, after_ack, at: now });
        self.verification = None;
        if self.step().is_delivered() { Ok(()) } else { self.move_to(Step::Sent, now) }
    }
}
