//! What an agent may do next.

use std::time::Duration;

use bb_agent::commands::log::Format;
use bb_agent::commands::wait_ack::Countdown;
use bb_agent::commands::{
    Listener, Me, Report, Which, ack, activity_lease, read, release, reply, reserve, send, state, tick,
    wait_ack,
};
use bb_agent::domain::Timestamp;
use bb_agent::domain::agent::{AgentId, AgentState};
use bb_agent::domain::event::Event;
use bb_agent::domain::message::{Message, MessageId};
use bb_agent::domain::schedule::{Policy, Profile, Quorum};
use bb_agent::failure::{Code, Failure};

use super::play::Play;

const SCOPES: [&str; 10] = [
    "meadow",
    "meadow/**/*.rs",
    "meadow/brook.rs",
    "meadow/{brook,reed}.rs",
    "**/*.md",
    "marsh",
    "marsh/*.md",
    "marsh/a/**",
    "hedge.toml",
    "[surface] release",
];

/// Nobody hears anything.
struct Deaf;

impl Listener for Deaf {
    fn makes_room(&mut self) {}

    fn message(&mut self, _: &Message) -> Result<bool, Failure> {
        Ok(true)
    }

    fn logged(&mut self, _: &Event, _: Format) -> Result<bool, Failure> {
        Ok(true)
    }

    fn notice(&mut self, _: &str) -> Result<(), Failure> {
        Ok(())
    }

    fn event(&mut self, _: Timestamp, _: &str) -> Result<(), Failure> {
        Ok(())
    }

    fn countdown(&mut self, _: &[Countdown]) {}

    fn keeps_stdout(&self) -> bool {
        true
    }
}

fn me(agent: AgentId) -> Me {
    Me { agent: Some(agent) }
}

fn which(id: MessageId) -> Which {
    Which { id: Some(id), message: None }
}

impl Play<'_> {
    /// Does something.
    pub(super) fn step(&mut self) {
        match self.chance(100) {
            0..14 => self.send(),
            14..22 => self.read(),
            22..29 => self.ack(),
            29..33 => self.meddle(),
            33..47 => self.answer(),
            47..53 => self.ask(),
            53..61 => self.resume(),
            61..65 => self.tick(),
            65..73 => self.reserve(),
            73..78 => self.release(),
            78..80 => self.change_state(),
            80..82 => self.live(),
            82..85 => self.crash(),
            85..98 => self.forward(Duration::from_secs(30)),
            98 => {
                let most = self.one_of(&[60, 600, 3_600, 86_400]);
                self.forward(Duration::from_secs(most));
            }
            _ => {
                let most = self.one_of(&[60, 600, 3_600, 86_400]);
                self.back(Duration::from_secs(most));
            }
        }
    }

    fn send(&mut self) {
        let category = self.one_of(&["HANDOFF", "BLOCKED", "DECISION", "INFO"]);
        let to = match self.chance(10) {
            0 => format!("role:role-{}", self.chance(8)),
            _ => self.anyone().to_string(),
        };
        let key = (self.chance(4) == 0).then(|| format!("key-{}", self.chance(50)));
        let mut args = send::Args {
            from: Some(self.anyone()),
            // The same key is the same message: whatever else it says stays the same as well.
            to: vec![if key.is_some() { "agent-00".to_owned() } else { to }],
            bead: Some("b-1".to_owned()),
            category: if key.is_some() { "INFO" } else { category }.to_owned(),
            subject: "news".to_owned(),
            priority: "normal".to_owned(),
            key,
            queue: self.chance(4) == 0,
            ..send::Args::default()
        };
        args.body.body = Some(self.one_of(&["ok", "wait", "the body"]).to_owned());
        let done = send::run(&self.context, &args, &mut Deaf);
        self.took("sends", done);
    }

    /// Marks it read when it was written out, unless the process dies before.
    fn read(&mut self) {
        let Some((id, to)) = self.some_letter() else { return };
        let args = read::Args { me: me(to), which: which(id), ..read::Args::default() };
        let done = read::run(&self.context, &args);
        let Some(reading) = self.took("reads", done) else { return };
        if self.chance(5) == 0 {
            return self.crash();
        }
        reading.settle(&self.context).unwrap();
    }

    fn ack(&mut self) {
        let Some((id, to)) = self.some_letter() else { return };
        let done = self.acks(id, to);
        self.took("acks", done);
    }

    fn acks(&self, id: MessageId, by: AgentId) -> Result<ack::Acked, Failure> {
        let mut args = ack::Args { me: me(by), ..ack::Args::default() };
        args.which.ids = vec![id];
        ack::run(&self.context, &args)
    }

    /// Somebody else reads, acks or answers; nobody lets it.
    fn meddle(&mut self) {
        let (Some((id, to)), other) = (self.some_letter(), self.anyone()) else { return };
        if other == to {
            return;
        }
        let refused = match self.chance(3) {
            0 => self.acks(id, other).err(),
            1 => {
                let args = read::Args { me: me(other), which: which(id), ..read::Args::default() };
                read::run(&self.context, &args).err()
            }
            _ => {
                let args =
                    reply::Args { me: me(other), which: which(id), ok: true, ..reply::Args::default() };
                reply::run(&self.context, &args, &mut Deaf).err()
            }
        };
        let code = refused.map(|failure| failure.code);
        assert!(matches!(code, Some(Code::AckForbidden | Code::ReadForbidden)), "{code:?}");
        self.counts.note("refused");
    }

    /// Answers what is asked in an open handshake, or any letter.
    fn answer(&mut self) {
        let asked = self.promises.asked();
        let (asked, letter) = (self.one_if_any(&asked), self.some_letter());
        let Some((id, by)) = asked.or(letter) else { return };
        let mut args = reply::Args { me: me(by), which: which(id), ..reply::Args::default() };
        match self.chance(8) {
            0..3 => args.ok = true,
            3..6 => args.wait = true,
            6 => args.cancel = true,
            _ => args.body.body = Some("looking into it".to_owned()),
        }
        let done = reply::run(&self.context, &args, &mut Deaf);
        self.took("answers", done);
    }

    /// Opens a handshake, for a request of its own or for a letter that was sent.
    fn ask(&mut self) {
        let recipients = 1 + self.chance(3);
        let mut args = wait_ack::Args {
            from: Some(self.anyone()),
            to: (0..recipients).map(|_| self.anyone().to_string()).collect(),
            operation: Some("restart".to_owned()),
            profile: self.one_of(&[
                None,
                Some(Profile::Approval),
                Some(Profile::Critical),
                Some(Profile::Emergency),
            ]),
            on_timeout: self.one_of(&[
                None,
                Some(Policy::Abort),
                Some(Policy::Unresponsive),
                Some(Policy::Escalate),
            ]),
            quorum: self.one_of(&[None, None, Some(Quorum::All), Some(Quorum::Majority)]),
            no_wait: true,
            ..wait_ack::Args::default()
        };
        let letters = self.promises.letters_to_wait_for();
        if let (0, Some((id, from))) = (self.chance(4), self.one_if_any(&letters)) {
            args = wait_ack::Args {
                from: Some(from),
                ids: vec![id],
                no_wait: true,
                ..wait_ack::Args::default()
            };
        }
        let done = wait_ack::run(&self.context, &args, &mut Deaf);
        self.took("waits", done);
    }

    /// A waiter goes on, does what is due in its handshake, and is gone again.
    fn resume(&mut self) {
        let operations = self.promises.operations();
        let Some(operation) = self.one_if_any(&operations) else { return };
        let args = wait_ack::Args { resume: Some(operation), no_wait: true, ..wait_ack::Args::default() };
        let done = wait_ack::run(&self.context, &args, &mut Deaf);
        self.took("resumes", done);
    }

    fn tick(&mut self) {
        let done = tick::run(&self.context, &tick::Args::default());
        self.took("ticks", done);
    }

    fn reserve(&mut self) {
        let wanted = 1 + self.chance(2);
        let args = reserve::Args {
            me: me(self.anyone()),
            scope: (0..wanted).map(|_| self.one_of(&SCOPES).to_owned()).collect(),
            bead: Some("b-1".to_owned()),
            takeover_stale: self.chance(3) == 0,
            shared: self.chance(4) == 0,
            ..reserve::Args::default()
        };
        let done = reserve::run(&self.context, &args);
        self.took("reservations", done);
    }

    fn release(&mut self) {
        let holders = self.promises.holders(&self.context);
        let Some(holder) = self.one_if_any(&holders) else { return };
        let scope = vec![self.one_of(&SCOPES).to_owned()];
        let all = self.chance(2) == 0;
        let scope = if all { Vec::new() } else { scope };
        let done = release::run(&self.context, &release::Args { me: me(holder), scope, all });
        self.took("releases", done);
    }

    fn change_state(&mut self) {
        let args = state::Args {
            me: Me { agent: None },
            subject: self.anyone(),
            state: self.one_of(&[
                AgentState::Idle,
                AgentState::Working,
                AgentState::Working,
                AgentState::Dead,
            ]),
        };
        let done = state::run(&self.context, &args);
        self.took("states", done);
    }

    fn live(&mut self) {
        let args = activity_lease::Args { subject: None, me: me(self.anyone()) };
        let done = activity_lease::run(&self.context, &args);
        self.took("leases", done);
    }

    /// One of the newest messages, with its recipient.
    fn some_letter(&mut self) -> Option<(MessageId, AgentId)> {
        let letters = self.promises.letters();
        self.one_if_any(&letters)
    }
}
