//! `lead-one` asks other agents about an operation, and time passes as the test wants it.

use std::process::{Command, Stdio};
use std::time::Duration;

use bb_agent::domain::Timestamp;
use serde_json::Value;

use crate::common::{Run, World};

pub(crate) const LEAD: &str = "lead-one";
pub(crate) const OTTER: &str = "amber-otter";

/// A world with `lead-one` and those it asks.
pub(crate) struct Scene {
    pub(crate) world: World,
    beginning: Option<Timestamp>,
}

/// An open handshake.
pub(crate) struct Asked {
    pub(crate) operation: String,
    /// Each agent with the request it got.
    pub(crate) requests: Vec<(String, String)>,
}

impl Asked {
    /// The only request, or the first of several.
    pub(crate) fn request(&self) -> &str {
        &self.requests[0].1
    }

    /// The request this agent got.
    #[track_caller]
    pub(crate) fn request_to(&self, agent: &str) -> &str {
        &self.requests.iter().find(|(asked, _)| asked == agent).unwrap().1
    }
}

impl Scene {
    /// `lead-one` and `amber-otter`, at a fixed time.
    pub(crate) fn new() -> Self {
        Self::with(&[OTTER])
    }

    /// `lead-one` and these, at a fixed time.
    pub(crate) fn with(agents: &[&str]) -> Self {
        let world = World::new();
        let beginning = Some(world.now());
        Self { world, beginning }.peopled(agents)
    }

    /// `lead-one` and these, in real time.
    pub(crate) fn in_real_time(agents: &[&str]) -> Self {
        Self { world: World::in_real_time(), beginning: None }.peopled(agents)
    }

    fn peopled(self, agents: &[&str]) -> Self {
        self.world.register(LEAD, "lead");
        for agent in agents {
            self.world.register(agent, "backend");
        }
        self
    }

    /// A command line, split at spaces.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = self.world.command(line.split_whitespace());
        command.stdin(Stdio::null());
        command
    }

    /// Runs a command line, split at spaces.
    pub(crate) fn run(&self, line: &str) -> Run {
        Run::of(self.command(line).output().unwrap())
    }

    /// Runs a command line as if this long had passed since the beginning.
    pub(crate) fn run_at(&self, since_beginning: Duration, line: &str) -> Run {
        let now = self.beginning.unwrap() + since_beginning;
        Run::of(self.command(line).env("BB_NOW", now.to_string()).output().unwrap())
    }

    /// The `data` of a command that succeeds.
    #[track_caller]
    pub(crate) fn data(&self, line: &str) -> Value {
        self.run(&format!("{line} --json")).ok().data()
    }

    /// Asks `amber-otter` about the installation of a skill, and goes on at once.
    pub(crate) fn ask(&self) -> Asked {
        self.ask_with(OTTER, "")
    }

    /// Asks these agents, with more flags, and goes on at once.
    #[track_caller]
    pub(crate) fn ask_with(&self, to: &str, flags: &str) -> Asked {
        self.open(&format!("--from {LEAD} --to {to} --operation skill-install {flags}"))
    }

    /// Opens a handshake with these words and goes on at once.
    #[track_caller]
    pub(crate) fn open(&self, words: &str) -> Asked {
        let run = self.run(&format!("wait-ack {words} --no-wait --json"));
        assert_eq!(run.code, 75, "{run}");
        let data = run.data();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Asked {
            operation: text(&data["operation_id"]),
            requests: list(&data["agents"])
                .iter()
                .map(|agent| (text(&agent["agent"]), text(&agent["message_id"])))
                .collect(),
        }
    }

    /// Waits for this many seconds; the handshake must still be open then.
    #[track_caller]
    pub(crate) fn watch(&self, asked: &Asked, seconds: u64) -> Run {
        let run = self.run(&format!("wait-ack --resume {} --block-for {seconds}s --json", asked.operation));
        assert_eq!(run.code, 75, "{run}");
        self.world.pass(seconds);
        run
    }

    /// Waits until the end.
    pub(crate) fn finish(&self, asked: &Asked) -> Run {
        self.run(&format!("wait-ack --resume {} --json", asked.operation))
    }

    /// Lets the agent answer its request with these words.
    #[track_caller]
    pub(crate) fn answer(&self, asked: &Asked, agent: &str, words: &str) -> Run {
        let id = asked.request_to(agent);
        self.world.bb(["reply", "--agent", agent, "--message", id, "--body", words]).ok()
    }

    /// Everything an agent received, oldest first.
    pub(crate) fn inbox(&self, agent: &str) -> Vec<Value> {
        let page = self.data(&format!("inbox --agent {agent} --after 0 --limit 500"));
        list(&page["messages"]).clone()
    }

    /// What an agent received of one kind, oldest first.
    pub(crate) fn received(&self, agent: &str, kind: &str) -> Vec<Value> {
        self.inbox(agent).into_iter().filter(|message| message["kind"] == kind).collect()
    }

    /// The kinds of what an agent received, oldest first.
    pub(crate) fn kinds(&self, agent: &str) -> Vec<String> {
        self.inbox(agent).iter().map(|message| message["kind"].as_str().unwrap().to_owned()).collect()
    }

    /// The events of an operation, oldest first.
    pub(crate) fn log(&self, asked: &Asked) -> Vec<Value> {
        let log = self.data(&format!("log --operation-id {} --limit 500", asked.operation));
        list(&log).clone()
    }

    /// The events of an operation that have this name.
    pub(crate) fn events(&self, asked: &Asked, name: &str) -> Vec<Value> {
        self.log(asked).into_iter().filter(|event| event["event"] == name).collect()
    }
}

/// The elements of a JSON array.
#[track_caller]
pub(crate) fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("not an array: {value}"))
}

/// The lines on standard error without their dates, which every one of them must have.
#[track_caller]
pub(crate) fn told(run: &Run) -> Vec<&str> {
    run.stderr
        .lines()
        .map(|line| {
            let (date, rest) = line.split_once("] ").unwrap_or_else(|| panic!("no date: {run}"));
            date.trim_start_matches('[').parse::<Timestamp>().unwrap_or_else(|_| panic!("no date: {run}"));
            rest
        })
        .collect()
}
