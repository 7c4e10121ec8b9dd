//! Has anything changed? How a waiting process learns of another one's commit.
//!
//! A waiter binds a datagram socket in a folder named after what it waits for; a writer
//! rings exactly the folders its transaction concerns, after the commit, without blocking.
//! The bell is only a hint: a waiter looks before it sleeps and once a second in any case,
//! so a lost ring costs a second and never a message.

mod abandoned;

use std::fmt;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use crate::domain::agent::AgentId;

/// The longest a belled waiter sleeps before it looks anyway.
const GLANCE: Duration = Duration::from_secs(1);

/// How often a waiter without a bell looks.
const POLL: Duration = Duration::from_millis(30);

/// The longest path a socket can have on every system we know.
const MAX_SOCKET_PATH: usize = 100;

/// What a waiter waits for and a change concerns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Mail for an agent.
    Mailbox(AgentId),
    /// The handshake of an operation.
    Operation(String),
    /// The reservations of a project.
    Reservations(String),
    /// Anything at all.
    Everything,
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mailbox(agent) => write!(f, "mailbox:{agent}"),
            Self::Operation(id) => write!(f, "operation:{id}"),
            Self::Reservations(project) => write!(f, "reservations:{project}"),
            Self::Everything => f.write_str("everything"),
        }
    }
}

/// The folder that holds the bells of one store, if its path is short enough for sockets.
#[derive(Debug, Clone)]
pub struct Belfry {
    root: Option<PathBuf>,
}

impl Belfry {
    /// Chooses the folder beside the store, or a short one in the user's runtime folder.
    pub(super) fn new(beside_store: PathBuf, runtime_folder: Option<&Path>) -> Self {
        let fits =
            |root: &PathBuf| root.as_os_str().len() + "/0123456789ab/4194304.99".len() <= MAX_SOCKET_PATH;
        let short = runtime_folder
            .map(|folder| folder.join(format!("bb-{}", digest(&beside_store.to_string_lossy()))));
        Self { root: [Some(beside_store), short].into_iter().flatten().find(fits) }
    }

    fn folder(&self, topic: &Topic) -> Option<PathBuf> {
        self.root.as_ref().map(|root| root.join(digest(&topic.to_string())))
    }

    /// Wakes everyone who waits for the topic; removes bells whose owners died.
    pub(super) fn ring(&self, topic: &Topic) {
        let Some(Ok(bells)) = self.folder(topic).map(fs::read_dir) else { return };
        let Ok(ringer) = UnixDatagram::unbound() else { return };
        if ringer.set_nonblocking(true).is_err() {
            return;
        }
        for bell in bells.flatten() {
            let path = bell.path();
            match ringer.send_to(b"!", &path) {
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    let _ = fs::remove_file(&path);
                }
                // A full bell has been rung often enough.
                _ => {}
            }
        }
    }

    /// Hangs a bell for the topic. Without one, the waiter looks more often.
    pub(super) fn hang(&self, topic: &Topic) -> Bell {
        let hung = self.folder(topic).and_then(|folder| hang_in(&folder).ok());
        Bell { hung }
    }
}

fn hang_in(folder: &Path) -> io::Result<(UnixDatagram, PathBuf)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let path = folder.join(format!("{}.{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    // A bell left by a dead process with our number may still hang there.
    let _ = fs::remove_file(&path);
    let mut tries = 0;
    loop {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        match UnixDatagram::bind(&path) {
            Ok(socket) => return Ok((socket, path)),
            // The last one out removed the folder between the two calls.
            Err(error) if error.kind() == io::ErrorKind::NotFound && tries < 10 => tries += 1,
            Err(error) => return Err(error),
        }
    }
}

/// A waiter's bell; it is taken down when dropped.
#[derive(Debug)]
pub struct Bell {
    hung: Option<(UnixDatagram, PathBuf)>,
}

impl Bell {
    /// Sleeps until rung, for at most `limit`, and never much longer than a glance.
    #[allow(clippy::disallowed_methods, reason = "without a bell there is nothing to wait on but time")]
    pub fn sleep(&self, limit: Duration) {
        let Some((socket, _)) = &self.hung else {
            thread::sleep(limit.min(POLL));
            return;
        };
        let limit = limit.min(GLANCE).max(Duration::from_millis(1));
        if socket.set_read_timeout(Some(limit)).is_ok() {
            // A ring, a time-out and a signal all mean the same: look.
            let _ = socket.recv(&mut [0; 8]);
        }
    }

    /// Something that rings this bell from another thread.
    pub fn cord(&self) -> Cord {
        Cord { path: self.hung.as_ref().map(|(_, path)| path.clone()) }
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        if let Some((_, path)) = &self.hung {
            let _ = fs::remove_file(path);
            // Fails as long as others wait for the same.
            let _ = path.parent().map(fs::remove_dir);
        }
    }
}

/// Rings one bell.
#[derive(Debug, Clone)]
pub struct Cord {
    path: Option<PathBuf>,
}

impl Cord {
    /// Wakes the bell's owner.
    pub fn pull(&self) {
        if let (Some(path), Ok(ringer)) = (&self.path, UnixDatagram::unbound()) {
            let _ = ringer.send_to(b"!", path);
        }
    }
}

/// A short name for a longer text (FNV-1a); two that collide only ring once too often.
fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{:012x}", hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn topic(agent: &str) -> Topic {
        Topic::Mailbox(agent.parse().unwrap())
    }

    #[test]
    fn a_ring_wakes_only_those_it_concerns() {
        let folder = tempfile::tempdir().unwrap();
        let belfry = Belfry::new(folder.path().join("bells"), None);
        let (mine, other) = (belfry.hang(&topic("amber-otter")), belfry.hang(&topic("zinc-yak")));
        belfry.ring(&topic("amber-otter"));
        let rung = |bell: &Bell| {
            let (socket, _) = bell.hung.as_ref().unwrap();
            socket.set_nonblocking(true).unwrap();
            socket.recv(&mut [0; 8]).is_ok()
        };
        assert!(rung(&mine));
        assert!(!rung(&other));
    }

    #[test]
    fn a_ring_ends_a_sleep() {
        let folder = tempfile::tempdir().unwrap();
        let belfry = Belfry::new(folder.path().join("bells"), None);
        let bell = belfry.hang(&Topic::Everything);
        let (sender, receiver) = mpsc::channel();
        let sleeper = thread::spawn(move || {
            bell.sleep(Duration::from_secs(60));
            sender.send(()).unwrap();
        });
        belfry.ring(&Topic::Everything);
        receiver.recv_timeout(Duration::from_secs(10)).unwrap();
        sleeper.join().unwrap();
    }

    #[test]
    fn bells_of_the_dead_are_taken_down() {
        let folder = tempfile::tempdir().unwrap();
        let belfry = Belfry::new(folder.path().join("bells"), None);
        let bell = belfry.hang(&Topic::Everything);
        let path = bell.hung.as_ref().unwrap().1.clone();
        let (socket, _) = { bell }.hung.take().unwrap();
        drop(socket);
        assert!(path.exists());
        belfry.ring(&Topic::Everything);
        assert!(!path.exists());
    }

    #[test]
    fn the_last_one_out_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let belfry = Belfry::new(folder.path().join("bells"), None);
        drop(belfry.hang(&Topic::Everything));
        assert_eq!(fs::read_dir(folder.path().join("bells")).unwrap().count(), 0);
    }

    #[test]
    fn long_paths_fall_back_to_the_runtime_folder_and_then_to_looking() {
        let long = PathBuf::from(format!("/tmp/{}", "x".repeat(120)));
        assert!(Belfry::new(long.clone(), None).root.is_none());
        let short = Belfry::new(long, Some(Path::new("/run/user/0")));
        assert!(short.root.unwrap().starts_with("/run/user/0"));
    }
}
