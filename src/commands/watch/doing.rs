//! What is done when a key asks for it.

use super::Watch;
use super::view::{Draft, Open, View, Wish};
use crate::commands::lookup::{self, WhichOnes};
use crate::commands::{Me, Report, Which, ack, read, release, reply, words};
use crate::domain::message::{Message, MessageId, State, short_id};
use crate::failure::Failure;

impl Watch<'_> {
    /// Does what was asked for; what cannot be done is said on the board.
    pub(super) fn fulfil(&self, wish: Wish, view: &mut View) {
        let done = match wish {
            Wish::Open(id) => self.message(&id).map(|message| {
                view.open = Some(Open::new(message));
                None
            }),
            Wish::Ack(id) => self.ack(&id).map(Some),
            Wish::Reply(draft) => self.reply(draft, view).map(Some),
            Wish::Release(id) => self.release(&id).map(Some),
            Wish::Nothing | Wish::Quit | Wish::Look => Ok(None),
        };
        view.notice = done.unwrap_or_else(|failure| Some(said(&failure)));
    }

    /// A message of one's own that stands on the screen counts as read, as if `read` had printed it. Says whether
    /// anything was noted.
    pub(super) fn note_what_was_seen(&self, view: &mut View) -> bool {
        let Some(open) = view.open.as_mut().filter(|open| !open.is_noted) else { return false };
        open.is_noted = true;
        let Message { message_id, to_agent, state, .. } = &open.message;
        if self.me.as_ref() != Some(to_agent) || *state != State::Unread {
            return false;
        }
        let args = read::Args { me: self.me(), which: which(message_id), peek: false };
        let noted = read::run(self.context, &args).and_then(|report| report.settle(self.context));
        if let Err(failure) = noted {
            view.notice = Some(said(&failure));
        }
        true
    }

    fn ack(&self, id: &MessageId) -> Result<String, Failure> {
        let which = WhichOnes { ids: vec![id.clone()], message: Vec::new() };
        ack::run(self.context, &ack::Args { me: self.me(), which, ..ack::Args::default() })?;
        let subject = self.message(id)?.subject;
        Ok(format!("acknowledged \"{subject}\" ({})", short_id(id.as_str())))
    }

    /// Sends an answer; one that cannot be sent is not lost.
    fn reply(&self, draft: Draft, view: &mut View) -> Result<String, Failure> {
        let text = draft.text();
        // A dash alone would stand for standard input, which is the keyboard here.
        let said = if text == "-" { "- ".to_owned() } else { text.clone() };
        let body = words::Body { body: Some(said), body_file: None };
        let args = reply::Args { me: self.me(), which: which(&draft.id), body, ..reply::Args::default() };
        match reply::answer(self.context, &args) {
            Ok(replied) => Ok(format!("sent to {}: {text}", replied.message.to_agent)),
            Err(failure) => {
                view.reply = Some(draft);
                Err(failure)
            }
        }
    }

    fn release(&self, id: &str) -> Result<String, Failure> {
        let released = release::with_id(self.context, &self.me(), id)?;
        Ok(format!("released {}", released.scope))
    }

    fn me(&self) -> Me {
        Me { agent: self.me.clone() }
    }

    fn message(&self, id: &MessageId) -> Result<Message, Failure> {
        self.context.read(|stored| lookup::message(stored, id))
    }
}

fn which(id: &MessageId) -> Which {
    Which { id: Some(id.clone()), message: None }
}

fn said(failure: &Failure) -> String {
    let hint = failure.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("{}: {}{hint}", failure.code, failure.message)
}
