//! The program speaks with nobody, and writes nowhere but into the store's folder unless told to.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{World, not_run, words};

/// What every agent, orchestrator and person runs, in an order in which each works. `ID` is the newest message,
/// `HANDOFF` a handoff, `DOCUMENT` a file and `BOARD` a folder of BeadBoard.
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
    "assign --from amber-otter --to blue-heron --task GH-43 --title T --body B",
    "ack --agent blue-heron --task GH-43 --status needs-clarification --question 'Which one?'",
    "clarify --agent amber-otter --task GH-43 --answer 'The new one'",
    "register --name zinc-yak --role backend",
    "handoff --from amber-otter --failed blue-heron --to zinc-yak --reason context_loss --document DOCUMENT --task GH-43 --fields handoff_id",
    "verify-ack --from amber-otter --handoff HANDOFF",
    "register --name plum-fox --role backend",
    "replace --from amber-otter --failed zinc-yak --to plum-fox --reason context_loss --document DOCUMENT --no-wait",
    "tasks",
    "log",
    "report",
    "export --format yaml",
    "import --from BOARD",
    "archive --older-than 0s",
    "log --archived",
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
fn offence(line: &str, allowed: &[PathBuf], current: &Path) -> Option<String> {
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

fn is_ours(path: &Path, allowed: &[PathBuf], current: &Path) -> bool {
    let path = current.join(path);
    allowed.iter().any(|folder| path.starts_with(folder))
        || ["/dev/null", "/dev/tty"].iter().any(|device| path == Path::new(device))
}

/// Whether system calls can be watched here.
fn can_trace(world: &World) -> bool {
    let tried = Command::new("strace").args(["-qq", "-o"]).arg(world.path("trace")).arg("true").status();
    let can = tried.is_ok_and(|status| status.success());
    if !can {
        not_run("strace is missing, or may not trace");
    }
    can
}

/// Runs a line, and insists that it writes only into these folders and starts nothing; gives its calls, too.
fn traced(
    world: &World,
    line: &[String],
    variables: &[(&str, &Path)],
    allowed: &[PathBuf],
) -> (Output, String) {
    let (bb, trace) = (world.command(line), world.path("trace"));
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-s", "4096", "-e", &format!("trace={WATCHED}"), "-o"]).arg(&trace);
    command.env_clear().envs(bb.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.arg(bb.get_program()).args(bb.get_args()).envs(variables.iter().copied());
    let output = command.env("BB_AGENT", "blue-heron").current_dir(world.work()).output().unwrap();
    let calls = fs::read_to_string(&trace).unwrap();
    assert_eq!(calls.matches("execve(").count(), 1, "{line:?} starts another program:\n{calls}");
    let offences: Vec<_> = calls.lines().filter_map(|it| offence(it, allowed, &world.work())).collect();
    assert!(offences.is_empty(), "{line:?}\n{}", offences.join("\n"));
    (output, calls)
}

#[test]
fn commands_speak_with_nobody_and_write_only_into_the_stores_folder() {
    let world = World::in_real_time();
    if !can_trace(&world) {
        return;
    }
    world.register("blue-heron", "backend");
    let [document, board] = ["document.md", "board"].map(|name| world.path(name).display().to_string());
    fs::write(&document, "# All there is to know\n").unwrap();
    fs::create_dir_all(world.path("board/agents")).unwrap();
    let agent = r#"{"agent_id": "old-mole", "display_name": "Mole", "role": "backend", "status": "idle",
        "created_at": "2026-02-13T23:55:00.000Z", "last_seen_at": "2026-02-14T00:05:00.000Z", "version": 2}"#;
    fs::write(world.path("board/agents/old-mole.json"), agent).unwrap();
    let (mut id, mut handoff) = (String::new(), String::new());
    for line in LINES {
        let names = [("HANDOFF", &handoff), ("DOCUMENT", &document), ("BOARD", &board), ("ID", &id)];
        let filled =
            |word: &String| names.iter().find(|(name, _)| name == word).map_or(word, |(_, it)| it).clone();
        let arguments: Vec<_> = words(line).iter().map(filled).collect();
        let (output, _) = traced(&world, &arguments, &[], &[world.path("store")]);
        let said = String::from_utf8_lossy(&output.stdout);
        if line.starts_with("send") && output.status.success() {
            id = said.split_whitespace().nth(1).unwrap().to_owned();
        }
        if line.starts_with("handoff") {
            handoff = said.split('"').rev().nth(3).unwrap().to_owned();
        }
        let is_refusal = line.contains("nobody-here") || *line == "no-such-verb";
        let code = output.status.code();
        assert_eq!(
            is_refusal,
            matches!(code, Some(64..=78)) && !line.contains("--no-wait"),
            "{line}: {output:?}"
        );
    }
    assert_eq!(fs::read_dir(world.path("home")).unwrap().count(), 0);
    assert_eq!(fs::read_dir(world.work()).unwrap().count(), 0);
}

/// The path of a socket must be short.
#[test]
fn with_a_long_path_sockets_are_in_the_runtime_folder_and_nowhere_else() {
    let world = World::in_real_time();
    if !can_trace(&world) {
        return;
    }
    let (folder, runtime) = (world.path(&"long".repeat(30)), world.path("run"));
    fs::create_dir(&runtime).unwrap();
    let store = folder.join("bb.db");
    let allowed = [folder, runtime.clone()];
    let with_runtime: &[(&str, &Path)] = &[("BB_STORE", &store), ("XDG_RUNTIME_DIR", &runtime)];
    for variables in [with_runtime, &[("BB_STORE", &store)]] {
        traced(&world, &words("register --name blue-heron --role backend"), variables, &allowed);
        let (_, calls) = traced(&world, &words("inbox --agent blue-heron --wait 1"), variables, &allowed);
        let bound = calls.lines().any(|line| line.contains("bind(") && line.contains("/run/bb-"));
        assert_eq!(bound, variables.len() == 2, "{calls}");
    }
    let left = fs::read_dir(&runtime).unwrap().count();
    assert!(left <= 1, "{left} folders for one store");
}

#[test]
fn what_a_trace_shows_is_judged_rightly() {
    let (allowed, current) = (&[PathBuf::from("/w/store")], Path::new("/w/work"));
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
