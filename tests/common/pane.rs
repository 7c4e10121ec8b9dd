//! A real terminal, held by tmux.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use super::World;

/// A shell in a pseudo-terminal, with the world's variables.
pub(crate) struct Pane<'a> {
    world: &'a World,
}

impl<'a> Pane<'a> {
    /// Opens a terminal of that size; none where there is no tmux.
    pub(crate) fn open(
        world: &'a World,
        width: u16,
        height: u16,
        variables: &[(&str, &str)],
    ) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            super::not_run("tmux is not installed");
            return None;
        }
        let pane = Self { world };
        let mut command = pane.tmux();
        command.args(["-f", "/dev/null", "new-session", "-d"]);
        command.args(["-x", &width.to_string(), "-y", &height.to_string()]);
        let store = format!("BB_STORE={}", world.store().display());
        command.args(["-e", &store]);
        for (name, value) in variables {
            command.args(["-e", &format!("{name}={value}")]);
        }
        let output = command.args(["env", "PS1=prompt> ", "sh"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        pane.wait_for("prompt>");
        Some(pane)
    }

    fn tmux(&self) -> Command {
        let mut command = Command::new("tmux");
        command.env_clear().env("HOME", self.world.path("home")).env("LC_ALL", "C.UTF-8");
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("TERM", "xterm-256color");
        command.current_dir(self.world.work()).arg("-u").arg("-S").arg(self.world.path("tmux"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.tmux().args(arguments).output().unwrap()
    }

    /// Types a line into the shell.
    pub(crate) fn line(&self, line: &str) {
        self.run(&["send-keys", "-l", line]);
        self.keys(&["Enter"]);
    }

    /// Starts the program with these arguments.
    pub(crate) fn bb(&self, arguments: &str) {
        self.line(&format!("{} {arguments}", env!("CARGO_BIN_EXE_bb")));
    }

    /// Presses keys by their names.
    pub(crate) fn keys(&self, keys: &[&str]) {
        let mut arguments = vec!["send-keys"];
        arguments.extend(keys);
        self.run(&arguments);
    }

    /// Pastes a text, marked as such for a program that asked for it.
    pub(crate) fn paste(&self, text: &str) {
        self.run(&["set-buffer", "--", text]);
        self.run(&["paste-buffer", "-p", "-r"]);
    }

    /// What stands on the screen.
    pub(crate) fn screen(&self) -> String {
        String::from_utf8(self.run(&["capture-pane", "-p"]).stdout).unwrap()
    }

    /// What tmux says of the terminal, for example `#{alternate_on}`.
    pub(crate) fn asks(&self, format: &str) -> String {
        String::from_utf8(self.run(&["display-message", "-p", format]).stdout).unwrap().trim().to_owned()
    }

    /// Gives the screen another size.
    pub(crate) fn resize(&self, width: u16, height: u16) {
        self.run(&["resize-window", "-x", &width.to_string(), "-y", &height.to_string()]);
    }

    /// Waits until something stands on the screen.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |screen| screen.contains(text))
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let screen = self.screen();
            if fits(&screen) {
                return screen;
            }
            assert!(Instant::now() < end, "no {what} on\n{screen}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Pane<'_> {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}
