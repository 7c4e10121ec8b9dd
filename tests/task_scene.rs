//! A lead with a task for one of its agents.

use serde_json::Value;

use crate::common::{Run, World};

pub(crate) const LEAD: &str = "lead-one";
pub(crate) const OTTER: &str = "amber-otter";
pub(crate) const HERON: &str = "blue-heron";
pub(crate) const YAK: &str = "zinc-yak";

/// What is always delegated here.
pub(crate) const BODY: &str = "Log in and out.";

/// A world with `lead-one`, who delegates, and `amber-otter`, `blue-heron` and `zinc-yak`.
pub(crate) struct Scene {
    pub(crate) world: World,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self::of(World::new())
    }

    pub(crate) fn in_real_time() -> Self {
        Self::of(World::in_real_time())
    }

    fn of(world: World) -> Self {
        world.register(LEAD, "lead");
        for agent in [OTTER, HERON, YAK] {
            world.register(agent, "backend");
        }
        Self { world }
    }

    /// The same with GH-42 assigned to `amber-otter`.
    pub(crate) fn assigned() -> Self {
        let scene = Self::new();
        scene.assign("GH-42", OTTER, &[]);
        scene
    }

    /// The same with GH-42 acknowledged.
    pub(crate) fn acknowledged(status: &str) -> Self {
        let scene = Self::assigned();
        scene.ack(&["--status", status, "--understanding", "JWT login"]).ok();
        scene
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.world.bb(arguments.iter().copied())
    }

    /// The answer as JSON, whatever the exit code.
    pub(crate) fn json(&self, arguments: &[&str]) -> Run {
        self.world.bb(arguments.iter().copied().chain(["--json"]))
    }

    pub(crate) fn assign_to(&self, task: &str, to: &str, more: &[&str]) -> Run {
        let line = ["assign", "--from", LEAD, "--to", to, "--task", task, "--title", "Authentication"];
        let body = ["--body", BODY, "--criterion", "login works", "--criterion", "logout works"];
        self.json(&[&line[..], &body[..], more].concat())
    }

    #[track_caller]
    pub(crate) fn assign(&self, task: &str, to: &str, more: &[&str]) -> Value {
        self.assign_to(task, to, more).ok().data()
    }

    /// `amber-otter` answers for GH-42.
    pub(crate) fn ack(&self, more: &[&str]) -> Run {
        self.ack_as(OTTER, more)
    }

    pub(crate) fn ack_as(&self, agent: &str, more: &[&str]) -> Run {
        self.json(&[&["ack", "--agent", agent, "--task", "GH-42"], more].concat())
    }

    /// `lead-one` clarifies GH-42.
    pub(crate) fn clarify(&self, more: &[&str]) -> Run {
        self.json(&[&["clarify", "--agent", LEAD, "--task", "GH-42"], more].concat())
    }

    pub(crate) fn checkpoint(&self, number: &str, summary: &str) -> Run {
        let line = ["checkpoint", "--agent", OTTER, "--task", "GH-42"];
        self.json(&[&line[..], &["--number", number, "--summary", summary]].concat())
    }

    pub(crate) fn complete(&self, more: &[&str]) -> Run {
        self.json(&[&["complete", "--agent", OTTER, "--task", "GH-42"], more].concat())
    }

    /// `lead-one` waits for the answer for GH-42.
    pub(crate) fn wait(&self, more: &[&str]) -> Run {
        self.json(&[&["wait-ack", "--task", "GH-42"], more].concat())
    }

    /// An agent sends a plain message.
    pub(crate) fn says(&self, from: &str, to: &str, body: &str) -> Run {
        let line = ["send", "--from", from, "--to", to, "--bead", "bb-1", "--category", "INFO"];
        self.json(&[&line[..], &["--subject", "About the task", "--body", body]].concat())
    }

    /// The task of that name as `tasks` shows it.
    #[track_caller]
    pub(crate) fn task_named(&self, task: &str) -> Value {
        self.json(&["tasks", "--task", task]).ok().data()[0].clone()
    }

    #[track_caller]
    pub(crate) fn task(&self) -> Value {
        self.task_named("GH-42")
    }

    /// The status of GH-42, and whether it may begin.
    #[track_caller]
    pub(crate) fn status(&self) -> (String, bool) {
        let task = self.task();
        (task["status"].as_str().unwrap().to_owned(), task["may_begin"].as_bool().unwrap())
    }

    /// The messages of one kind that an agent got, newest first.
    pub(crate) fn got(&self, agent: &str, kind: &str) -> Vec<Value> {
        let inbox = self.json(&["inbox", "--agent", agent, "--limit", "500"]).ok().data();
        inbox.as_array().unwrap().iter().filter(|message| message["kind"] == kind).cloned().collect()
    }

    /// The newest message of one kind that an agent got.
    #[track_caller]
    pub(crate) fn newest(&self, agent: &str, kind: &str) -> Value {
        self.got(agent, kind).into_iter().next().unwrap_or_else(|| panic!("{agent} got no {kind}"))
    }

    pub(crate) fn state_of(&self, agent: &str) -> String {
        self.json(&["show", agent]).ok().data()["state"].as_str().unwrap().to_owned()
    }

    /// The names of all events, oldest first.
    pub(crate) fn events(&self) -> Vec<String> {
        let log = self.json(&["log", "--limit", "500"]).ok().data();
        let log = log.as_array().unwrap();
        log.iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
    }
}

/// The body of a message.
#[track_caller]
pub(crate) fn body(message: &Value) -> &str {
    message["body"].as_str().unwrap()
}

/// The id of a message.
#[track_caller]
pub(crate) fn id(message: &Value) -> String {
    message["message_id"].as_str().unwrap().to_owned()
}
