//! Where a store can lie, where it cannot, and who can look into it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use super::{one_line_of_every_verb_with_a_store, world_with_mail};
use crate::common::{Run, World, not_run};

/// Runs a line with the given store variable and home; `None` is not set.
fn run(world: &World, store: Option<&str>, home: Option<&str>, line: &[&str]) -> Run {
    let mut command = world.command(line);
    for (name, value) in [("BB_STORE", store), ("HOME", home)] {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Run::of(command.output().unwrap())
}

#[test]
fn without_home_there_is_nowhere_to_keep_a_store() {
    let world = World::new();
    for home in [None, Some(""), Some("relative")] {
        let run = run(&world, None, home, &["list"]).fails("CONFIG_INVALID", 78);
        assert!(run.stderr.contains("set HOME") && run.stderr.contains("BB_STORE"), "{run}");
    }
    let store = world.store().display().to_string();
    run(&world, Some(&store), None, &["list"]).ok();
}

#[test]
fn a_home_that_cannot_be_written_is_a_wrong_configuration() {
    let world = World::new();
    fs::write(world.path("file"), "").unwrap();
    for home in [world.path("file").display().to_string(), "/proc".to_owned()] {
        let run = run(&world, None, Some(&home), &["list"]).fails("CONFIG_INVALID", 78);
        assert!(run.stderr.contains("HOME") && run.stderr.contains("BB_STORE"), "{run}");
    }
}

#[test]
fn the_usual_place_is_the_users_data_folder() {
    let world = World::new();
    let home = world.path("home").display().to_string();
    run(&world, None, Some(&home), &["list"]).ok();
    assert!(world.path("home/.local/share/bb/bb.db").is_file());
}

#[test]
fn a_relative_or_empty_variable_names_no_store() {
    let world = World::new();
    for store in ["", " ", "bb.db", "./bb.db", "~/bb.db"] {
        let run = run(&world, Some(store), Some("/nonexistent"), &["list"]).fails("CONFIG_INVALID", 78);
        assert!(run.stderr.contains("set BB_STORE to the absolute path of a file"), "{run}");
    }
    assert_eq!(fs::read_dir(world.work()).unwrap().count(), 0);
}

#[test]
fn names_that_keep_nothing_are_refused_by_variable_and_by_flag() {
    let world = World::new();
    for store in [":memory:", "file:bb.db", "file::memory:?cache=shared", ":x", " "] {
        run(&world, Some(store), None, &["list"]).fails("CONFIG_INVALID", 78);
        world.bb(["list", "--store", store]).fails("CONFIG_INVALID", 78);
    }
    assert_eq!(fs::read_dir(world.work()).unwrap().count(), 0);
}

#[test]
fn a_folder_is_no_store() {
    let world = World::new();
    let folder = world.work().display().to_string();
    for store in [folder.as_str(), "/", "/tmp/"] {
        world.bb(["list", "--store", store]).fails("CONFIG_INVALID", 78);
    }
}

#[test]
fn the_flag_wins_over_the_variable_and_may_be_relative() {
    let world = World::new();
    world.bb(["register", "--name", "amber-otter", "--role", "r", "--store", "own/bb.db"]).ok();
    assert!(world.work().join("own/bb.db").is_file());
    assert!(!world.store().exists());
    world.bb(["show", "amber-otter", "--store", "own/bb.db"]).ok();
    world.bb(["show", "amber-otter"]).fails("AGENT_NOT_FOUND", 67);
}

#[test]
fn a_store_below_a_file_cannot_be_created() {
    let world = World::new();
    fs::write(world.path("file"), "precious").unwrap();
    for store in ["file/bb.db", "file/below/bb.db"] {
        let store = world.path(store).display().to_string();
        let run = world.bb(["list", "--store", &store]).fails("STORE_CREATE_FAILED", 73);
        assert!(run.stderr.contains(&store) && run.stderr.contains("--store"), "{run}");
    }
    assert_eq!(fs::read_to_string(world.path("file")).unwrap(), "precious");
}

#[test]
fn a_store_that_is_a_link_is_refused_by_every_verb() {
    let (world, id) = world_with_mail();
    let link = world.path("link.db");
    std::os::unix::fs::symlink(world.store(), &link).unwrap();
    let link = link.display().to_string();
    for mut line in one_line_of_every_verb_with_a_store(&id) {
        line.extend(["--store", &link]);
        let run = world.bb(&line).fails("STORE_FORBIDDEN", 77);
        assert!(run.stderr.contains("symbolic link"), "{run}");
    }
    let dangling = world.path("dangling.db");
    std::os::unix::fs::symlink(world.path("target.db"), &dangling).unwrap();
    world.bb(["list", "--store", dangling.to_str().unwrap()]).fails("STORE_FORBIDDEN", 77);
    assert!(!world.path("target.db").exists());
}

#[test]
fn a_folder_may_be_a_link() {
    let world = World::with_two_agents();
    std::os::unix::fs::symlink(world.path("store"), world.path("linked")).unwrap();
    let through = world.path("linked/bb.db").display().to_string();
    assert_eq!(world.json(["list", "--store", &through]), world.json(["list"]));
}

#[test]
fn only_a_regular_file_is_a_store() {
    let world = World::new();
    let fifo = world.path("fifo.db");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for store in [fifo.to_str().unwrap(), "/dev/null", "/dev/full"] {
        world.bb(["list", "--store", store]).fails("STORE_FORBIDDEN", 77);
    }
}

/// The permissions of a file or folder.
fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn nobody_else_can_look_into_a_store_whatever_the_umask() {
    let world = World::in_real_time();
    let shell = |line: &[&str]| {
        let bb = world.command(line);
        let mut shell = Command::new("sh");
        shell.args(["-c", "umask 000; exec \"$@\"", "sh"]).arg(bb.get_program()).args(bb.get_args());
        shell.env_clear().envs(bb.get_envs().filter_map(|(name, value)| Some((name, value?))));
        Run::of(shell.current_dir(world.work()).output().unwrap()).ok()
    };
    shell(&["register", "--name", "amber-otter", "--role", "backend"]);
    shell(&["inbox", "--agent", "amber-otter", "--wait", "0"]);
    assert_eq!(mode(&world.path("store")), 0o700);
    let mut files = 0;
    for entry in fs::read_dir(world.path("store")).unwrap() {
        let path = entry.unwrap().path();
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), expected, "{}", path.display());
        files += 1;
    }
    assert!(files >= 4, "store, log, index, queue");
}

/// Makes a command run without the powers of root. Tells whether that is possible here.
fn without_powers(command: &mut Command, world: &World) -> bool {
    let root = fs::metadata("/proc/self").unwrap().uid() == 0;
    if !root {
        return true;
    }
    // A test that opened a store in this process has made all folders private that came after it.
    for folder in [world.path(""), world.work(), world.path("home")] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let reachable = Command::new(command.get_program()).arg("--version").uid(65_534).gid(65_534).output();
    if !reachable.is_ok_and(|output| output.status.success()) {
        not_run("the program cannot be reached by another user than root");
        return false;
    }
    command.uid(65_534).gid(65_534);
    true
}

#[test]
fn a_folder_without_permission_is_named() {
    let world = World::new();
    let closed = world.path("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    let store = closed.join("bb.db").display().to_string();
    let mut command = world.command(["list", "--store", &store]);
    if !without_powers(&mut command, &world) {
        return;
    }
    let run = Run::of(command.output().unwrap()).fails("STORE_CREATE_FAILED", 73);
    assert!(run.stderr.contains(&store), "{run}");
    assert_eq!(fs::read_dir(&closed).unwrap().count(), 0);
}

#[test]
fn a_store_of_another_user_is_not_used() {
    let world = World::with_two_agents();
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        not_run("a store of another user takes root to make");
        return;
    }
    for file in [world.path("store"), world.store()] {
        fs::set_permissions(&file, fs::Permissions::from_mode(0o777)).unwrap();
    }
    let mut command = world.command(["register", "--name", "zinc-yak", "--role", "r"]);
    if !without_powers(&mut command, &world) {
        return;
    }
    let run = Run::of(command.output().unwrap()).fails("STORE_FORBIDDEN", 77);
    assert!(run.stderr.contains("another user"), "{run}");
    assert_eq!(world.json(["list"]).as_array().unwrap().len(), 2);
}

#[test]
fn a_folder_that_became_read_only_can_still_be_read() {
    let world = World::new();
    let own = world.path("own");
    fs::create_dir(&own).unwrap();
    let store = own.join("bb.db").display().to_string();
    let powerless = |line: &[&str]| {
        let mut command = world.command(line.iter().chain(&["--store", &store]));
        without_powers(&mut command, &world).then(|| Run::of(command.output().unwrap()))
    };
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        std::os::unix::fs::chown(&own, Some(65_534), Some(65_534)).unwrap();
    }
    let Some(run) = powerless(&["register", "--name", "amber-otter", "--role", "r"]) else { return };
    run.ok();
    let close = |folder: u32, files: u32| {
        for entry in fs::read_dir(&own).unwrap() {
            fs::set_permissions(entry.unwrap().path(), fs::Permissions::from_mode(files)).unwrap();
        }
        fs::set_permissions(&own, fs::Permissions::from_mode(folder)).unwrap();
    };
    close(0o500, 0o400);
    powerless(&["inbox", "--agent", "amber-otter"]).unwrap().ok();
    powerless(&["show", "amber-otter"]).unwrap().ok();
    let run = powerless(&["activity-lease", "--agent", "amber-otter"]).unwrap().fails("IO_WRITE_FAILED", 74);
    assert!(run.stderr.contains(&store), "{run}");
    close(0o000, 0o600);
    let run = powerless(&["inbox", "--agent", "amber-otter"]).unwrap();
    assert!([73, 74].contains(&run.code) && run.stderr.starts_with("error["), "{run}");
    fs::set_permissions(&own, fs::Permissions::from_mode(0o700)).unwrap();
    powerless(&["activity-lease", "--agent", "amber-otter"]).unwrap().ok();
}
