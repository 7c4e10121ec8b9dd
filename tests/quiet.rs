//! The program speaks with nobody, and writes nowhere but into the store's folder unless told to.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{World, not_run, words};

/// What every agent, orchestrator and person runs, in an order in which each works. `ID` is a message.
const LINES: &[&str] = &[
    "register --name amber-otter --role backend",
    "register --name lead-one --role lead --protect",
    "list",
    "show amber-otter",
    "whoami --agent amber-otter",
    "state amber-otter working",
    "activity-lease --agent amber-otter",
    "send --from amber-otter --to blue-heron --bead bb-1 --category BLOCKED -s 'Need a key' -m 'Which one?'",
    "inbox --agent blue-heron",
    "inbox --agent blue-heron --wait 1 --from amber-otter",
    "read --agent blue-heron ID",
    "reply --agent blue-heron ID --body 'The new one.'",
    "ack --agent blue-heron ID",
    "thread ID",
    "wait-ack --from amber-otter --to blue-heron --operation restart --timeout 2 --no-extend",
    "wait-ack --from amber-otter --to blue-heron --operation restart --no-wait",
    "waits",
    "tick",
    "reserve --agent amber-otter --scope src --bead bb-1",
    "status",
    "release --agent amber-otter --scope src",
    "assign --from amber-otter --to blue-heron --task GH-42 --title T --body B",
    "ack --agent blue-heron --task GH-42 --status confirmed --understanding 'As asked'",
    "checkpoint --agent blue-heron --task GH-42 --number 1 --summary S",
    "complete --agent blue-heron --task GH-42",
    "tasks",
    "log",
    "report",
    "export --format yaml",
    "doctor",
    "config",
    "hook plain prompt --agent blue-heron",
    "hook status claude-code",
    "onboard",
    "explain ID",
    "watch --once",
    "completions bash",
    "man send",
    "",
    "--help",
    "send --from nobody-here --to blue-heron --bead bb-1 --category INFO -s x -m x",
    "no-such-verb",
];

/// System calls that speak with others, or change what lies on a disk.
const WATCHED: &str = "%network,openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,\
                       link,linkat,symlink,symlinkat,mknod,mknodat,chmod,fchmodat,chown,lchown,fchownat,\
                       truncate,utimensat,execve";

/// What a line of a trace does that nobody asked for.
fn offence(line: &str, allowed: &Path, current: &Path) -> Option<String> {
    let call = line.split_once(' ').map_or(line, |(_, call)| call.trim_start());
    let (name, arguments) = call.split_once('(')?;
    let writes_elsewhere = |text: &str| paths(text).any(|path| !is_ours(&path, allowed, current));
    let is_offence = match name {
        "execve" => false,
        "socket" | "socketpair" => !arguments.starts_with("AF_UNIX"),
        "open" | "openat" => {
            ["O_WRONLY", "O_RDWR"].iter().any(|flag| arguments.contains(flag)) && writes_elsewhere(arguments)
        }
        _ if arguments.contains("AF_INET") || arguments.contains("AF_NETLINK") => true,
        _ if is_about_sockets(name) => {
            arguments.split_once("sun_path=").is_some_and(|(_, address)| writes_elsewhere(address))
        }
        _ => writes_elsewhere(arguments),
    };
    is_offence.then(|| line.to_owned())
}

fn is_about_sockets(name: &str) -> bool {
    let names =
        ["recv", "send", "getsock", "setsock", "getpeer", "shutdown", "listen", "accept", "bind", "connect"];
    names.iter().any(|begin| name.starts_with(begin))
}

/// The paths that a call names.
fn paths(arguments: &str) -> impl Iterator<Item = PathBuf> {
    arguments.split('"').skip(1).step_by(2).map(PathBuf::from)
}

fn is_ours(path: &Path, allowed: &Path, current: &Path) -> bool {
    let path = current.join(path);
    path.starts_with(allowed) || ["/dev/null", "/dev/tty"].iter().any(|device| path == Path::new(device))
}

#[test]
fn commands_speak_with_nobody_and_write_only_into_the_stores_folder() {
    let world = World::in_real_time();
    let trace = world.path("trace");
    let can_trace = Command::new("strace").args(["-qq", "-o"]).arg(&trace).arg("true").status();
    if !can_trace.is_ok_and(|status| status.success()) {
        return not_run("strace is missing, or may not trace");
    }
    world.register("blue-heron", "backend");
    let folder = world.path("store");
    let mut id = String::new();
    for line in LINES {
        let arguments: Vec<_> = words(line).iter().map(|word| word.replace("ID", &id)).collect();
        let bb = world.command(&arguments);
        let mut traced = Command::new("strace");
        traced.args(["-f", "-qq", "-s", "4096", "-e", &format!("trace={WATCHED}"), "-o"]).arg(&trace);
        traced.env_clear().envs(bb.get_envs().filter_map(|(name, value)| Some((name, value?))));
        traced
            .arg(bb.get_program())
            .args(bb.get_args())
            .env("BB_AGENT", "blue-heron")
            .current_dir(world.work());
        let output = traced.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        if line.starts_with("send") && output.status.success() {
            id = said.split_whitespace().nth(1).unwrap().to_owned();
        }
        let is_refusal = line.contains("nobody-here") || *line == "no-such-verb";
        let code = output.status.code();
        assert_eq!(
            is_refusal,
            matches!(code, Some(64..=78)) && !line.contains("--no-wait"),
            "{line}: {output:?}"
        );
        let calls = fs::read_to_string(&trace).unwrap();
        assert_eq!(calls.matches("execve(").count(), 1, "{line} starts another program:\n{calls}");
        let offences: Vec<_> = calls.lines().filter_map(|it| offence(it, &folder, &world.work())).collect();
        assert!(offences.is_empty(), "{line}\n{}", offences.join("\n"));
    }
    assert_eq!(fs::read_dir(world.path("home")).unwrap().count(), 0);
    assert_eq!(fs::read_dir(world.work()).unwrap().count(), 0);
}

#[test]
fn what_a_trace_shows_is_judged_rightly() {
    let (allowed, current) = (Path::new("/w/store"), Path::new("/w/work"));
    for offending in [
        r#"12 socket(AF_INET, SOCK_STREAM, IPPROTO_IP) = 3"#,
        r#"12 connect(3, {sa_family=AF_UNIX, sun_path="/run/nscd/socket"}, 110) = -1"#,
        r#"12 openat(AT_FDCWD, "/w/home/.bbrc", O_WRONLY|O_CREAT|O_CLOEXEC, 0666) = 3"#,
        r#"12 openat(AT_FDCWD, "notes", O_RDWR|O_CREAT, 0666) = 3"#,
        r#"12 mkdir("/w/home/.cache", 0777) = 0"#,
        r#"12 rename("/w/store/bb.db", "/w/home/bb.db") = 0"#,
        r#"12 sendto(3, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53)}, 16) = 1"#,
    ] {
        assert!(offence(offending, allowed, current).is_some(), "{offending}");
    }
    for harmless in [
        r#"12 openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3"#,
        r#"12 openat(AT_FDCWD, "/w/store/bb.db-wal", O_RDWR|O_CREAT|O_NOFOLLOW|O_CLOEXEC, 0600) = 4"#,
        r#"12 socket(AF_UNIX, SOCK_DGRAM|SOCK_CLOEXEC, 0) = 5"#,
        r#"12 bind(5, {sa_family=AF_UNIX, sun_path="/w/store/bb.db-bells/x/1.0"}, 40) = 0"#,
        r#"12 recvfrom(5, 0x7ff, 16, 0, NULL, NULL) = 1"#,
        r#"12 +++ exited with 0 +++"#,
    ] {
        assert!(offence(harmless, allowed, current).is_none(), "{harmless}");
    }
}
