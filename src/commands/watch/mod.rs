//! `watch`: a live board of agents, mail, handshakes and events.

mod board;
mod doing;
mod place;
#[cfg(test)]
pub(crate) mod samples;
mod view;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Listener, Me, Report};
use crate::domain::agent::AgentId;
use crate::failure::{Code, Failure};
use crate::interrupt::Interrupt;
use crate::store::changes::{Bell, Topic};

use board::Whose;
pub use board::{AgentRow, Board, ReservationRow};
use place::Place;
pub use view::{Draft, Key, Open, Panel, READ_ONLY, View, Wish};

/// The longest the board stands still, so that its countdowns run.
const SECOND: Duration = Duration::from_secs(1);

/// The longest nothing is looked at anew, so that agents that do nothing become stale.
const LONGEST: Duration = Duration::from_secs(15);

/// Watch agents, mail and handshakes as they change
///
/// On a terminal it is a board of panels: Tab and the arrows move, Enter opens a message, a acknowledges it,
/// r answers it, x releases a reservation of yours, m switches between your own mail and everybody's, q quits.
/// Opening a message of your own marks it read, as `read` does. Elsewhere a snapshot is printed whenever
/// something changes, with everybody's mail, or with that of --agent.
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
    /// Draws the board, and says how far an open message can be scrolled.
    fn draw(&mut self, board: &Board, view: &View) -> Result<u16, Failure>;

    /// The keys that were pressed since this was last asked; nothing when there is no keyboard any more.
    fn keys(&mut self) -> Option<Vec<Key>>;
}

/// Shows the board until told to stop, or once.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Watched, Failure> {
    let watch = Watch { context, me: watcher(context, args)? };
    // Whoever is named wants their own mail; whoever merely has a name reads along with everybody.
    let whose = if args.me.agent.is_some() { Whose::Mine } else { Whose::Everybodys };
    if args.once {
        return Ok(Watched { board: watch.look(whose)?, was_live: false });
    }
    let bell = context.store()?.bell(&Topic::Everything);
    let interrupt = Interrupt::listen(bell.cord());
    let cord = bell.cord();
    let board = match listener.screen(Box::new(move || cord.pull()))? {
        Some(mut screen) => watch.on(screen.as_mut(), &bell, &interrupt)?,
        None => watch.in_lines(listener, whose, &bell, &interrupt)?,
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
        self.context.read(|stored| board::look(self.context, stored, self.me.as_ref(), whose))
    }

    /// Looks at everything that is shown, and at the message that is open.
    fn look_for(&self, view: &mut View) -> Result<Board, Failure> {
        let whose = if view.mine { Whose::Mine } else { Whose::Everybodys };
        self.context.read(|stored| {
            if let Some(open) = &mut view.open
                && let Some(message) = stored.message(&open.message.message_id)?
            {
                open.message = message;
            }
            board::look(self.context, stored, self.me.as_ref(), whose)
        })
    }

    /// Prints a snapshot whenever something changed.
    fn in_lines(
        &self,
        listener: &mut dyn Listener,
        whose: Whose,
        bell: &Bell,
        interrupt: &Interrupt,
    ) -> Result<Board, Failure> {
        let store = self.context.store()?;
        let place = Place::of(store);
        loop {
            let version = store.version()?;
            let board = self.look(whose)?;
            if !listener.board(&board)? {
                return Ok(board);
            }
            while store.version()? == version {
                if interrupt.asked() {
                    return Ok(board);
                }
                place.check()?;
                bell.sleep(SECOND);
            }
        }
    }

    /// Draws, sleeps until a key, a change or the next second, and does what was asked for. Everything is looked
    /// at again only when it may have changed; from second to second only time passes.
    fn on(&self, screen: &mut dyn Screen, bell: &Bell, interrupt: &Interrupt) -> Result<Board, Failure> {
        let store = self.context.store()?;
        let place = Place::of(store);
        let mut view = View::new(self.me.is_some());
        let mut version = store.version()?;
        let mut board = self.look_for(&mut view)?;
        loop {
            view.fit(&board);
            let farthest = screen.draw(&board, &view)?;
            view.end_page_at(farthest);
            let mut is_old = self.note_what_was_seen(&mut view);
            if !is_old {
                bell.sleep(SECOND);
            }
            let Some(keys) = screen.keys() else { return Ok(board) };
            for key in keys {
                match view.handle(&key, &board) {
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
            place.check()?;
            let seen = store.version()?;
            if is_old || seen != version || self.context.now().since(board.looked_at) >= LONGEST {
                version = seen;
                board = self.look_for(&mut view)?;
            } else {
                self.context.read(|stored| board.let_time_pass(self.context, stored))?;
            }
        }
    }
}
