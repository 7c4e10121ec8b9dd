//! `watch`: a live board of agents, mail, handshakes and events.

mod board;
#[cfg(test)]
pub(crate) mod samples;
mod view;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lookup::WhichOnes;
use super::{Context, Listener, Me, Report, Which, ack, read, release, reply, words};
use crate::domain::agent::AgentId;
use crate::domain::message::{Message, MessageId, State};
use crate::failure::{Code, Failure};
use crate::interrupt::Interrupt;
use crate::store::changes::{Bell, Topic};

use board::Whose;
pub use board::{AgentRow, Board, ReservationRow};
pub use view::{Key, Open, Panel, View, Wish};

/// The longest the board stands still, so that its countdowns run.
const SECOND: Duration = Duration::from_secs(1);

/// The longest nothing is looked at anew, so that agents that do nothing become stale.
const LONGEST: Duration = Duration::from_secs(15);

/// Watch agents, mail and handshakes as they change
///
/// On a terminal it is a board of panels: Tab and the arrows move, Enter opens a message, a acknowledges it,
/// r answers it, x releases a reservation of yours, m switches between your own mail and everybody's, q quits.
/// Opening a message of your own marks it read, as `read` does. Elsewhere a snapshot is printed whenever
/// something changes.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    /// Print one snapshot and end
    #[arg(long)]
    pub once: bool,
}

/// What was seen last.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Watched {
    pub board: Board,
    #[serde(skip)]
    #[schemars(skip)]
    was_live: bool,
}

impl Report for Watched {
    fn is_silent(&self) -> bool {
        self.was_live
    }
}

/// A terminal that shows the board and hears keys. It is given back when this is dropped.
pub trait Screen {
    /// Draws the board.
    fn draw(&mut self, board: &Board, view: &View) -> Result<(), Failure>;

    /// The keys that were pressed since this was last asked; nothing when there is no keyboard any more.
    fn keys(&mut self) -> Option<Vec<Key>>;
}

/// Shows the board until told to stop, or once.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Watched, Failure> {
    let watch = Watch { context, me: watcher(context, args)? };
    if args.once {
        return Ok(Watched { board: watch.look(Whose::Everybodys)?, was_live: false });
    }
    let bell = context.store()?.bell(&Topic::Everything);
    let interrupt = Interrupt::listen(bell.cord());
    let cord = bell.cord();
    let board = match listener.screen(Box::new(move || cord.pull()))? {
        Some(mut screen) => watch.on(screen.as_mut(), &bell, &interrupt)?,
        None => watch.in_lines(listener, &bell, &interrupt)?,
    };
    Ok(Watched { board, was_live: true })
}

/// Who watches; an identity that is merely set in the environment and unknown here is nobody.
fn watcher(context: &Context, args: &Args) -> Result<Option<AgentId>, Failure> {
    let Some(me) = context.identity_if_set(args.me.agent.as_ref(), "--agent")?.map(|it| it.id) else {
        return Ok(None);
    };
    context.read(|view| {
        if args.me.agent.is_none() && view.agent(&me)?.is_none() {
            return Ok(None);
        }
        context.acting(view, &me, Code::AgentNotFound)?;
        Ok(Some(me))
    })
}

/// Somebody watches.
struct Watch<'a> {
    context: &'a Context<'a>,
    me: Option<AgentId>,
}

impl Watch<'_> {
    fn look(&self, whose: Whose) -> Result<Board, Failure> {
        self.context.read(|view| board::look(self.context, view, self.me.as_ref(), whose))
    }

    /// Prints a snapshot whenever something changed.
    fn in_lines(
        &self,
        listener: &mut dyn Listener,
        bell: &Bell,
        interrupt: &Interrupt,
    ) -> Result<Board, Failure> {
        let store = self.context.store()?;
        loop {
            let version = store.version()?;
            let board = self.look(Whose::Everybodys)?;
            if !listener.board(&board)? {
                return Ok(board);
            }
            while store.version()? == version {
                if interrupt.asked() {
                    return Ok(board);
                }
                bell.sleep(SECOND);
            }
        }
    }

    /// Draws, sleeps until a key, a change or the next second, and does what was asked for. Everything is looked
    /// at again only when it may have changed; from second to second only time passes.
    fn on(&self, screen: &mut dyn Screen, bell: &Bell, interrupt: &Interrupt) -> Result<Board, Failure> {
        let store = self.context.store()?;
        let mut view = View::new(self.me.is_some());
        let mut version = store.version()?;
        let mut board = self.look(whose(&view))?;
        loop {
            view.fit(&board);
            screen.draw(&board, &view)?;
            bell.sleep(SECOND);
            let mut is_old = false;
            let Some(keys) = screen.keys() else { return Ok(board) };
            for key in keys {
                match view.handle(key, &board) {
                    Wish::Nothing => {}
                    Wish::Quit => return Ok(board),
                    wish => {
                        self.fulfil(wish, &mut view);
                        is_old = true;
                    }
                }
            }
            if interrupt.asked() {
                return Ok(board);
            }
            let seen = store.version()?;
            if is_old || seen != version || self.context.now().since(board.looked_at) >= LONGEST {
                version = seen;
                board = self.look(whose(&view))?;
            } else {
                self.context.read(|stored| board.let_time_pass(self.context, stored))?;
            }
        }
    }

    /// Does what was asked for; what cannot be done is said on the board.
    fn fulfil(&self, wish: Wish, view: &mut View) {
        let done = match wish {
            Wish::Open(id) => self.open(&id, view).map(|()| None),
            Wish::Ack(id) => self.ack(&id, view).map(Some),
            Wish::Reply(id, text) => self.reply(&id, &text).map(Some),
            Wish::Release(id) => self.release(&id).map(Some),
            Wish::Nothing | Wish::Quit | Wish::Look => Ok(None),
        };
        view.notice = done.unwrap_or_else(|failure| Some(format!("{}: {}", failure.code, failure.message)));
    }

    /// Shows a message; one's own counts as read, as if `read` had printed it.
    fn open(&self, id: &MessageId, view: &mut View) -> Result<(), Failure> {
        let message = self.message(id)?;
        if self.me.as_ref() == Some(&message.to_agent) && message.state == State::Unread {
            let args = read::Args { me: self.me(), which: which(id), peek: false };
            read::run(self.context, &args)?.settle(self.context)?;
        }
        view.open = Some(Open { message: self.message(id)?, scrolled: 0 });
        Ok(())
    }

    fn ack(&self, id: &MessageId, view: &mut View) -> Result<String, Failure> {
        let which = WhichOnes { ids: vec![id.clone()], message: Vec::new() };
        ack::run(self.context, &ack::Args { me: self.me(), which, ..ack::Args::default() })?;
        if let Some(open) = &mut view.open {
            open.message = self.message(id)?;
        }
        Ok(format!("acknowledged {id}"))
    }

    fn reply(&self, id: &MessageId, text: &str) -> Result<String, Failure> {
        let body = words::Body { body: Some(text.to_owned()), body_file: None };
        let args = reply::Args { me: self.me(), which: which(id), body, ..reply::Args::default() };
        let replied = reply::answer(self.context, &args)?;
        Ok(format!("sent to {}: {text}", replied.message.to_agent))
    }

    fn release(&self, id: &str) -> Result<String, Failure> {
        let released = release::with_id(self.context, &self.me(), id)?;
        Ok(format!("released {}", released.scope))
    }

    fn me(&self) -> Me {
        Me { agent: self.me.clone() }
    }

    fn message(&self, id: &MessageId) -> Result<Message, Failure> {
        self.context.read(|view| super::lookup::message(view, id))
    }
}

fn whose(view: &View) -> Whose {
    if view.mine { Whose::Mine } else { Whose::Everybodys }
}

fn which(id: &MessageId) -> Which {
    Which { id: Some(id.clone()), message: None }
}
