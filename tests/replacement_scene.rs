//! A team in which one agent has failed, and what its replacement takes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Run, World};

pub(crate) const LEAD: &str = "lead-one";
pub(crate) const FAILED: &str = "implementer-1";
pub(crate) const NEW: &str = "implementer-2";
pub(crate) const CONTROLLER: &str = "ecos-controller";
pub(crate) const CHECKPOINT: &str = "Token signing";
pub(crate) const UNDERSTANDING: &str = "Finish the login with signed tokens";

/// A world with `GH-42` and `GH-43` in the hands of an agent that has failed.
pub(crate) struct Scene {
    pub(crate) world: World,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self::of(World::new())
    }

    pub(crate) fn of(world: World) -> Self {
        for (name, role) in [(LEAD, "lead"), (FAILED, "backend"), (NEW, "backend")] {
            let session = format!("session-of-{name}");
            world.bb(["register", "--name", name, "--role", role, "--session", &session]).ok();
        }
        for (task, title) in [("GH-42", "Log in and out"), ("GH-43", "Reset passwords")] {
            world
                .bb([
                    "assign", "--from", LEAD, "--to", FAILED, "--task", task, "--title", title, "-m", "Do it",
                ])
                .ok();
        }
        world
            .bb([
                "ack",
                "--agent",
                FAILED,
                "--task",
                "GH-42",
                "--understanding",
                "log in and out",
                "--checkpoint",
                "Design",
                "--checkpoint",
                "Code",
            ])
            .ok();
        world
            .bb(["checkpoint", "--agent", FAILED, "--task", "GH-42", "--number", "1", "--summary", "Design"])
            .ok();
        fs::write(world.work().join("handoff.md"), "# Handoff\n\nEverything about the login.\n").unwrap();
        Self { world }
    }

    /// The words of a handoff of `GH-42`, after the verb.
    pub(crate) fn order<'a>(verb: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let mut words = vec![verb, "--from", LEAD, "--failed", FAILED, "--to", NEW];
        words.extend(["--reason", "context_loss", "--document", "handoff.md", "--starting-from", CHECKPOINT]);
        if !more.contains(&"--task") {
            words.extend(["--task", "GH-42"]);
        }
        words.extend(more);
        words
    }

    /// Hands `GH-42` over.
    pub(crate) fn hand_over(&self, more: &[&str]) -> Value {
        self.world.json(Self::order("handoff", more))
    }

    /// Acknowledges a handoff in full.
    pub(crate) fn ready(&self, handoff: &Value) -> Run {
        self.ack(handoff, &["--understanding", UNDERSTANDING, "--starting-from", CHECKPOINT])
    }

    pub(crate) fn ack(&self, handoff: &Value, more: &[&str]) -> Run {
        let id = text(&handoff["message_id"]);
        let mut words = vec!["ack", "--agent", NEW, "--message", &id, "--json"];
        if !more.contains(&"--status") {
            words.extend(["--status", "ready_to_proceed"]);
        }
        words.extend(more);
        self.world.bb(words)
    }

    pub(crate) fn verify(&self, handoff: &Value, more: &[&str]) -> Run {
        let id = text(&handoff["handoff_id"]);
        self.world.bb(["verify-ack", "--handoff", &id, "--json"].iter().chain(more))
    }

    pub(crate) fn resume(&self, handoff: &Value, more: &[&str]) -> Run {
        let id = text(&handoff["handoff_id"]);
        self.world.bb(["replace", "--resume", &id, "--json"].iter().chain(more))
    }

    /// The mail of an agent, newest first.
    pub(crate) fn mail(&self, agent: &str) -> Vec<Value> {
        self.world.json(["inbox", "--agent", agent, "--limit", "100"]).as_array().unwrap().clone()
    }

    /// The mail of one kind, whole, newest first.
    pub(crate) fn mail_of(&self, agent: &str, kind: &str) -> Vec<Value> {
        let of_kind = self.mail(agent).into_iter().filter(|it| it["kind"] == kind);
        of_kind.map(|it| self.world.json(["show", &text(&it["message_id"])])).collect()
    }

    pub(crate) fn task(&self, id: &str) -> Value {
        let tasks = self.world.json(["tasks"]);
        let found =
            tasks["tasks"].as_array().or(tasks.as_array()).unwrap().iter().find(|it| it["task_id"] == id);
        found.unwrap().clone()
    }

    /// How many events of this name were recorded.
    pub(crate) fn events(&self, name: &str) -> usize {
        let log = self.world.bb(["log", "--json", "--limit", "500"]).ok().data();
        let events = log["events"].as_array().or(log.as_array()).unwrap().clone();
        events.iter().filter(|it| it["event"] == name).count()
    }

    /// Puts a `gh` on the path that records how it is called and answers as it is told: no GitHub is
    /// reached. Gives the value of PATH and the file with the calls.
    pub(crate) fn fake_gh(&self, script: &str) -> (String, PathBuf) {
        let folder = self.world.path("bin");
        let calls = self.world.path("gh-calls");
        fs::create_dir_all(&folder).unwrap();
        let text = format!("#!/bin/sh\necho \"$*\" >> '{}'\n{script}\n", calls.display());
        fs::write(folder.join("gh"), text).unwrap();
        fs::set_permissions(folder.join("gh"), fs::Permissions::from_mode(0o755)).unwrap();
        (format!("{}:/usr/bin:/bin", folder.display()), calls)
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
