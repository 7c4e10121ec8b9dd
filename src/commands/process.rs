//! Other processes of this machine: whether they still run, and whether they are still the same.

use std::fs;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// Whether a process still runs. One that ended and was not yet collected by its parent does not.
pub(super) fn is_running(pid: u32) -> bool {
    let Some(process) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    if !matches!(test_kill_process(process), Ok(()) | Err(Errno::PERM)) {
        return false;
    }
    let state = status(pid).and_then(|status| status.chars().next());
    !matches!(state, Some('Z' | 'X'))
}

/// When a process was started, in which run of the machine; a later one with the same number has another
/// birth. Nothing where the system does not tell.
pub(super) fn birth(pid: u32) -> Option<String> {
    /// The place of the start among the fields after the name.
    const START: usize = 19;
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let status = status(pid)?;
    let start = status.split_whitespace().nth(START)?;
    Some(format!("{} {start}", boot.trim()))
}

/// What the system says of a process, from its state on. That stands after the name, which is in parentheses
/// and may itself hold some.
fn status(pid: u32) -> Option<String> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    line.rsplit_once(") ").map(|(_, rest)| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_process_that_ended_does_not_run_even_before_it_is_collected() {
        assert!(is_running(std::process::id()));
        let mut child = Command::new("true").spawn().unwrap();
        while is_running(child.id()) {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(!is_running(0));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_keeps_its_birth_and_shares_it_with_no_other() {
        let own = birth(std::process::id());
        assert!(own.is_some());
        assert_eq!(birth(std::process::id()), own);
        assert_ne!(birth(1), own);
        assert_eq!(birth(0), None);
    }
}
