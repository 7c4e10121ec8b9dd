//! Many at once, and kills at any instant: never two holders, never anything half done.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use bb_agent::domain::scope::{Scope, overlap};
use serde_json::Value;

use crate::common::{Run, World};

const RACERS: usize = 24;
const RACES: usize = 20;

/// Scopes of which many overlap.
const WANTED: [&str; 8] =
    ["src", "src/**/*.rs", "src/cli", "src/cli/main.rs", "**/*.rs", "docs", "docs/*.md", "src/{cli,store}/*"];

/// A number that looks random and is the same in every run.
fn shuffled(number: usize) -> usize {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 17) % 1_000_003
}

/// A command in a project of its own.
fn in_project(world: &World, project: &Path, arguments: &[&str]) -> Command {
    let mut command = world.command(arguments);
    command.current_dir(project).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What a reservation covers where no file is: an extension stands for files.
fn scope_of(reservation: &Value) -> Scope {
    let scope: Scope = reservation["scope"].as_str().unwrap().parse().unwrap();
    let has_extension = scope.has_extension();
    scope.of_files(has_extension)
}

/// Insists that no two agents hold one path, and gives the fences in order.
fn check_holders(reservations: &[Value]) -> Vec<i64> {
    for (place, one) in reservations.iter().enumerate() {
        for other in &reservations[..place] {
            let same = one["agent_id"] == other["agent_id"];
            let apart = !overlap(&scope_of(one), &scope_of(other)).is_shared();
            assert!(same || apart, "two holders: {one} and {other}");
        }
    }
    let mut fences: Vec<_> = reservations.iter().map(|one| one["fence"].as_i64().unwrap()).collect();
    fences.sort_unstable();
    fences
}

#[test]
fn of_many_at_once_only_those_win_who_do_not_meet() {
    let world = World::in_real_time();
    let names: Vec<_> = (0..RACERS).map(|number| format!("racer-{number}")).collect();
    names.iter().for_each(|name| world.register(name, "racer"));
    let mut highest = 0;
    for race in 0..RACES {
        let project = world.path(&format!("race-{race}"));
        std::fs::create_dir(&project).unwrap();
        let racers: Vec<_> = names
            .iter()
            .enumerate()
            .map(|(place, name)| {
                let scope = WANTED[shuffled(race * RACERS + place + 1) % WANTED.len()];
                let line = ["reserve", "--json", "--bead", "bb-1", "--agent", name, "--scope", scope];
                in_project(&world, &project, &line).spawn().unwrap()
            })
            .collect();
        let mut won = Vec::new();
        for racer in racers {
            let run = Run::of(racer.wait_with_output().unwrap());
            if run.code == 0 {
                won.push(run.data());
            } else {
                run.fails("RESERVATION_CONFLICT", 75);
            }
        }
        let fences = check_holders(&won);
        assert!(!won.is_empty());
        assert!(fences.windows(2).all(|pair| pair[0] < pair[1]), "{fences:?}");
        assert!(fences.iter().all(|fence| *fence > highest), "{fences:?} after {highest}");
        highest = *fences.last().unwrap();
    }
}

#[test]
fn of_many_takers_of_one_stale_scope_one_wins() {
    let world = World::in_real_time();
    let names: Vec<_> = (0..12).map(|number| format!("racer-{number}")).collect();
    names.iter().for_each(|name| world.register(name, "racer"));
    world.register("gone-one", "racer");
    world.bb(["reserve", "--agent", "gone-one", "--bead", "bb-1", "--scope", "src"]).ok();
    world.bb(["state", "gone-one", "dead"]).ok();
    let takers: Vec<_> = names
        .iter()
        .map(|name| {
            let line = ["reserve", "--json", "--bead", "bb-1", "--agent", name, "--scope", "src"];
            let mut command = in_project(&world, &world.work(), &line);
            command.arg("--takeover-stale").spawn().unwrap()
        })
        .collect();
    let runs = takers.into_iter().map(|taker| Run::of(taker.wait_with_output().unwrap()));
    let (won, lost): (Vec<_>, Vec<_>) = runs.partition(|run| run.code == 0);
    assert_eq!((won.len(), lost.len()), (1, 11));
    lost.into_iter().for_each(|run| drop(run.fails("RESERVATION_CONFLICT", 75)));
    assert_eq!(world.json(["inbox", "--agent", "gone-one"]).as_array().unwrap().len(), 1);
}

/// Kills commands at instants spread over their whole life. Whatever was killed is done or not done, and the
/// next command works.
#[test]
fn a_kill_at_any_instant_leaves_all_or_nothing_and_nothing_to_clean_up() {
    const KILLS: usize = 200;
    let world = World::in_real_time();
    ["amber-otter", "lead-one"].iter().for_each(|agent| world.register(agent, "backend"));
    let mut highest = 0;
    for kill in 0..KILLS {
        let line: &[&str] = match kill % 2 {
            0 => &["reserve", "--agent", "amber-otter", "--bead", "bb-1", "--scope", "one", "two", "three"],
            _ => &["release", "--agent", "amber-otter", "--all"],
        };
        let mut child = in_project(&world, &world.work(), line).spawn().unwrap();
        thread::sleep(Duration::from_micros(u64::try_from(shuffled(kill) % 7_000).unwrap()));
        child.kill().unwrap();
        child.wait().unwrap();

        let next = world.json(["reserve", "--agent", "lead-one", "--bead", "bb-2", "--scope", "other"]);
        let fence = next["fence"].as_i64().unwrap();
        assert!(fence > highest, "{fence} after {highest}");
        highest = fence;
        let board = world.json(["status", "--agent", "amber-otter"]);
        let held = board["reservations"].as_array().unwrap();
        assert!([0, 3].contains(&held.len()), "half done: {board}");
        check_holders(held);
    }
    let again = ["reserve", "--agent", "amber-otter", "--bead", "bb-1", "--scope", "one", "two", "three"];
    assert_eq!(world.json(again)["reservations"].as_array().unwrap().len(), 3);
}
