//! Real processes in real time: races at the deadline, and waiters that are killed.
//!
//! Nothing here depends on how fast the machine is: whatever happens first, all must agree on it.

use std::collections::BTreeSet;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use bb_agent::domain::Timestamp;
use serde_json::{Value, json};

use crate::common::Run;
use crate::wait_ack_scene::{Asked, OTTER, Scene, list};

/// Starts a command line whose output is kept.
pub(crate) fn start(scene: &Scene, line: &str) -> Child {
    scene.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

pub(crate) fn waiter(scene: &Scene, asked: &Asked) -> Child {
    start(scene, &format!("wait-ack --resume {} --json", asked.operation))
}

pub(crate) fn end(child: Child) -> Run {
    Run::of(child.wait_with_output().unwrap())
}

fn now() -> Timestamp {
    let millis = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    Timestamp::from_millis(i64::try_from(millis).unwrap())
}

fn sleep_until(at: Timestamp) {
    sleep(at.since(now()));
}

/// Waits until something is so; a test that hangs says what it waited for.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "still not so: {what}");
        sleep(Duration::from_millis(10));
    }
}

/// What every waiter of a handshake must say alike.
fn verdict(run: &Run) -> Value {
    let data = run.data();
    let agent = &data["agents"][0];
    json!({
        "exit": run.code,
        "outcome": data["outcome"],
        "proceed": data["proceed"],
        "acknowledgment_received": data["acknowledgment_received"],
        "timeout_occurred": data["timeout_occurred"],
        "proceeded_anyway": data["proceeded_anyway"],
        "elapsed_seconds": data["elapsed_seconds"],
        "reminders_sent": data["reminders_sent"],
        "missing": data["missing"],
        "status": agent["status"],
        "response": agent["response"],
        "responded_at": agent["responded_at"],
    })
}

/// When an acker is started, seen from the deadline.
enum AckAt {
    Once,
    Around(i64),
    AfterTheEnd,
}

/// A handshake whose ack is about to race against its deadline.
struct Race {
    asked: Asked,
    waiters: Vec<Child>,
    ack_at: AckAt,
    deadline: Timestamp,
    acker: Option<Child>,
}

impl Race {
    fn open(scene: &Scene, ack_at: AckAt) -> Self {
        let run = scene.run(
            "wait-ack --from lead-one --to amber-otter --operation restart --timeout 2500ms --no-wait --json",
        );
        let agent = run.data()["agents"][0].clone();
        let asked = Asked {
            operation: run.data()["operation_id"].as_str().unwrap().to_owned(),
            requests: vec![(OTTER.to_owned(), agent["message_id"].as_str().unwrap().to_owned())],
        };
        let waiters = vec![waiter(scene, &asked), waiter(scene, &asked)];
        let deadline = agent["deadline"].as_str().unwrap().parse().unwrap();
        Self { asked, waiters, ack_at, deadline, acker: None }
    }

    fn start_of_the_ack(&self) -> Timestamp {
        match self.ack_at {
            AckAt::Once => Timestamp::default(),
            AckAt::Around(millis) => Timestamp::from_millis(self.deadline.millis() + millis),
            AckAt::AfterTheEnd => self.deadline + Duration::from_secs(1),
        }
    }

    /// Lets everybody finish and compares what each of them saw. Says how it ended.
    fn agree(self, scene: &Scene, inbox: &[Value]) -> String {
        let acker = end(self.acker.unwrap());
        let told: Vec<_> = self.waiters.into_iter().map(|waiter| verdict(&end(waiter))).collect();
        assert_eq!(told[0], told[1], "two waiters disagree");
        let outcome = told[0]["outcome"].as_str().unwrap().to_owned();
        let acknowledged = outcome == "acknowledged";
        assert!(acknowledged || outcome == "timed_out", "{outcome}");
        assert_eq!(told[0]["exit"], if acknowledged { 0 } else { 3 });
        assert_eq!(told[0]["status"], if acknowledged { "ready" } else { "silent" });

        assert_eq!((acker.code, &acker.data()["state"]), (0, &json!("acked")), "{acker}");
        let notices = inbox
            .iter()
            .filter(|it| {
                it["kind"] == "timeout-notice" && it["operation_id"] == self.asked.operation.as_str()
            })
            .count();
        assert_eq!(notices, usize::from(!acknowledged), "the acker was told otherwise than the waiters");

        let log = scene.log(&self.asked);
        let events = |name: &str| log.iter().filter(|it| it["event"] == name).collect::<Vec<_>>();
        assert_eq!(events("handshake.ended").len(), 1);
        assert_eq!(events("handshake.ended")[0]["data"]["outcome"], outcome.as_str());
        assert_eq!(events("handshake.answered").len(), usize::from(acknowledged));
        assert_eq!(events("handshake.late").len(), usize::from(!acknowledged));
        assert_eq!(events("operation.record").len(), 1);
        assert_eq!(events("operation.record")[0]["data"]["acknowledgment_received"], acknowledged);
        outcome
    }
}

/// Runs races one after the other, some milliseconds apart, and says how each ended.
pub(crate) fn races(number: i64) -> Vec<String> {
    let scene = Scene::in_real_time(&[OTTER]);
    let mut races: Vec<_> = (0..number)
        .map(|index| match index {
            0 => AckAt::Once,
            1 => AckAt::AfterTheEnd,
            // A process takes some tens of milliseconds until it holds the store.
            _ => AckAt::Around(index * 160 / number - 120),
        })
        .map(|ack_at| Race::open(&scene, ack_at))
        .collect();
    races.sort_by_key(Race::start_of_the_ack);
    for race in &mut races {
        sleep_until(race.start_of_the_ack());
        let line = format!("ack --agent {OTTER} --message {} --json", race.asked.request());
        race.acker = Some(start(&scene, &line));
    }
    // Nobody is compared before everybody is done.
    let last = races.iter().map(|race| race.deadline).max().unwrap();
    sleep_until(last + Duration::from_secs(1));
    until("every handshake is over", || scene.data("waits") == json!([]));
    for race in &mut races {
        let _ = race.acker.as_mut().unwrap().wait();
    }
    let inbox = scene.inbox(OTTER);
    races.into_iter().map(|race| race.agree(&scene, &inbox)).collect()
}

/// Kills so many waiters about when a reminder is due, lets three go on in the place of each, and insists that
/// all agree and no reminder is sent twice.
pub(crate) fn kills(number: u64) {
    let scene = Scene::in_real_time(&[OTTER]);
    let mut killed: Vec<_> = (0..number)
        .map(|index| {
            let asked = scene.ask_with(OTTER, "--timeout 3s --remind-at 1s,2s");
            let kill_at = now() + Duration::from_millis(900 + 200 * index / number);
            let first = waiter(&scene, &asked);
            (asked, first, kill_at)
        })
        .collect();
    for (_, first, kill_at) in &mut killed {
        sleep_until(*kill_at);
        first.kill().unwrap();
    }
    let resumed: Vec<_> = killed
        .into_iter()
        .map(|(asked, mut first, _)| {
            first.wait().unwrap();
            let waiters: Vec<_> = (0..3).map(|_| waiter(&scene, &asked)).collect();
            (asked, waiters)
        })
        .collect();
    for (asked, waiters) in resumed {
        let told: Vec<_> = waiters.into_iter().map(|waiter| verdict(&end(waiter))).collect();
        assert_eq!(told[0]["outcome"], "timed_out");
        assert!(told.iter().all(|it| *it == told[0]), "waiters disagree: {told:?}");
        let log = scene.log(&asked);
        let steps = log.iter().filter(|it| it["event"] == "handshake.remind");
        let numbers: Vec<u64> = steps
            .flat_map(|it| {
                let sent = it["data"]["number"].as_u64();
                let skipped = list(&it["data"]["skipped"]).iter().filter_map(Value::as_u64);
                sent.into_iter().chain(skipped).collect::<Vec<_>>()
            })
            .collect();
        let distinct: BTreeSet<_> = numbers.iter().collect();
        assert_eq!(distinct.len(), numbers.len(), "a reminder was sent twice: {numbers:?}");
        let of = |kind: &str| {
            let mine = |it: &&Value| it["data"]["kind"] == kind;
            log.iter().filter(|it| it["event"] == "message.sent").filter(mine).count()
        };
        let sent = log.iter().filter(|it| it["event"] == "handshake.remind").count();
        assert_eq!((of("reminder"), of("timeout-notice")), (sent, 1));
        assert_eq!(told[0]["reminders_sent"], sent);
    }
}
