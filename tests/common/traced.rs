//! Commands under the eyes of `strace`, which can make a system call fail or kill the process at it.

use std::process::{Command, Stdio};

/// Whether processes can be traced here.
pub(crate) fn can_trace() -> bool {
    let traced = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).status();
    traced.is_ok_and(|status| status.success())
}

/// The same command, run by `strace` with these arguments.
pub(crate) fn traced(plain: &Command, arguments: &[&str]) -> Command {
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq"])
        .args(arguments)
        .arg(plain.get_program())
        .args(plain.get_args())
        .env_clear()
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(plain.get_current_dir().unwrap())
        .stdin(Stdio::null());
    command
}
