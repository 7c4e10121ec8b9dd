//! The power is cut while agents send: whatever was told is there when it comes back.
//!
//! The store lies on a file system of its own in a file, which is shut down in the midst of writing: what had not
//! reached the disk by then never does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use bb_agent::domain::event::Origin;
use bb_agent::domain::mailbox::{Filter, Limit};
use bb_agent::domain::message::Message;
use bb_agent::store::sqlite::Mode;
use bb_agent::store::{Location, Store, StoreError, Transaction};
use tempfile::TempDir;

use super::part::Part;
use crate::common::{Run, World, letter, not_run};

const SENDERS: usize = 4;

/// Shuts a file system down without writing anything more, as a cut does (EXT4_IOC_SHUTDOWN, no log flush).
const CUT: &str = "#include <fcntl.h>\n#include <sys/ioctl.h>\nint main(int n, char **words) {\n\
    unsigned flags = 2; int folder = open(words[1], O_RDONLY);\n\
    return folder < 0 || ioctl(folder, _IOR('X', 125, unsigned), &flags) != 0; }\n";

/// A file system in a file, with the program that cuts its power.
struct Disk {
    folder: TempDir,
}

fn succeeds(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    output.status.success().then_some(()).ok_or_else(|| format!("{command:?}: {said}"))
}

impl Disk {
    /// A new one, mounted; or why there can be none.
    fn new() -> Result<Self, String> {
        let disk = Self { folder: tempfile::tempdir().unwrap() };
        let (source, image) = (disk.path("cut.c"), disk.path("image"));
        fs::create_dir(disk.top()).unwrap();
        fs::write(&source, CUT).unwrap();
        succeeds(Command::new("cc").arg("-o").arg(disk.path("cut")).arg(source))?;
        fs::File::create(&image).unwrap().set_len(64 << 20).unwrap();
        succeeds(Command::new("mkfs.ext4").args(["-q", "-F"]).arg(&image))?;
        disk.mount()?;
        Ok(disk)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn top(&self) -> PathBuf {
        self.path("disk")
    }

    fn store(&self) -> PathBuf {
        self.top().join("store/bb.db")
    }

    fn mount(&self) -> Result<(), String> {
        succeeds(Command::new("mount").args(["-o", "loop"]).arg(self.path("image")).arg(self.top()))
    }

    fn unmount(&self) -> Result<(), String> {
        succeeds(Command::new("umount").arg(self.top()))
    }

    fn cut(&self) -> Result<(), String> {
        succeeds(Command::new(self.path("cut")).arg(self.top()))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = self.unmount();
    }
}

#[test]
fn what_was_told_is_there_after_a_cut_of_the_power() {
    let part = Part::begin("power");
    let disk = match Disk::new() {
        Ok(disk) => disk,
        Err(why) => return not_run(&why),
    };
    let (cuts, mut chances) = (part.number("TORTURE_CUTS", 10), part.chances(0));
    let world = World::in_real_time();
    let register = |name: &str| drop(on(&disk, &world, &["register", "--name", name, "--role", "any"]).ok());
    (0..SENDERS).for_each(|number| register(&sender(number)));
    let mut told: BTreeSet<String> = BTreeSet::new();
    for cut in 0..cuts {
        let (to, pause) = (format!("receiver-{cut}"), 50 + chances.next().unwrap() as u64 % 500);
        register(&to);
        told.extend(send_until_the_cut(&disk, &world, &to, Duration::from_millis(pause)));
        disk.unmount().unwrap();
        disk.mount().unwrap();
        let there = received(&disk.store());
        let lost: Vec<_> = told.difference(&there).collect();
        assert!(lost.is_empty(), "cut {cut}: {} of {} are lost: {lost:?}", lost.len(), told.len());
    }
    part.did(&format!("{cuts} cuts, {} sends told, 0 lost", told.len()));
}

fn sender(number: usize) -> String {
    format!("sender-{number}")
}

fn on(disk: &Disk, world: &World, line: &[&str]) -> Run {
    let mut command = world.command(line);
    Run::of(command.env("BB_STORE", disk.store()).stdin(Stdio::null()).output().unwrap())
}

/// Sends until the power is cut, and gives the messages of which somebody was told before that they were sent.
/// Nobody is told anything after a real cut; here a sync that is under way may still return, and not be true.
fn send_until_the_cut(disk: &Disk, world: &World, to: &str, pause: Duration) -> Vec<String> {
    let is_cut = AtomicBool::new(false);
    thread::scope(|scope| {
        let senders: Vec<_> = (0..SENDERS)
            .map(|number| {
                let (world, is_cut) = (world.again(), &is_cut);
                scope.spawn(move || {
                    let (me, mut told) = (sender(number), Vec::new());
                    while !is_cut.load(Ordering::SeqCst) {
                        let line = [letter(&[("--from", &me), ("--to", to)]), vec!["--json"]].concat();
                        let run = on(disk, &world, &line);
                        if run.code == 0 && !is_cut.load(Ordering::SeqCst) {
                            told.push(run.data()["message_id"].as_str().unwrap().to_owned());
                        }
                    }
                    told
                })
            })
            .collect();
        thread::sleep(pause);
        is_cut.store(true, Ordering::SeqCst);
        disk.cut().unwrap();
        senders.into_iter().flat_map(|sender| sender.join().unwrap()).collect()
    })
}

/// Everything that somebody received, in a store that was not damaged.
fn received(file: &Path) -> BTreeSet<String> {
    let store = Store::open(Location::new(file).unwrap(), Mode::Create, Origin::default(), None).unwrap();
    let ids = |page: &[Message]| page.iter().map(|it| it.message_id.to_string()).collect::<Vec<_>>();
    let look = |view: &Transaction| {
        let (mut found, most) = (BTreeSet::new(), Limit::parse("500").unwrap());
        for agent in view.agents()? {
            let mut cursor = 0;
            loop {
                let page = view.inbox_after(&agent.id, &Filter::default(), cursor, most, agent.created_at)?;
                let Some(last) = page.last() else { break };
                cursor = last.cursor;
                found.extend(ids(&page));
            }
        }
        Ok(found)
    };
    store.read::<_, StoreError>(look).unwrap()
}
