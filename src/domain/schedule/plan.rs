//! What a profile and its overrides resolve to.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Manner, Policy, Profile, Quorum, Tone, millis};
use crate::domain::{Invalid, Rule};

/// The longest wait and the longest extension.
pub const MAX_WAIT: Duration = Duration::from_secs(7 * 86_400);

/// The most reminders one recipient can get.
pub const MAX_REMINDERS: usize = 20;

const EXTENSION: Duration = Duration::from_secs(60);

/// How long a handoff waits before its first reminder when no urgency says otherwise.
const HANDOFF_WAIT: Duration = Duration::from_secs(5 * 60);

/// How long each attempt of a critical task waits.
const ATTEMPTS: [Duration; 3] = [Duration::from_secs(300), Duration::from_secs(120), Duration::from_secs(60)];

/// The pause after the attempt with this number (from 1) failed: 30 s, doubling, at most 120 s.
pub fn backoff(failed_attempt: u32) -> Duration {
    let doubled = 30_u64.saturating_mul(2_u64.saturating_pow(failed_attempt.saturating_sub(1)));
    Duration::from_secs(doubled.min(120))
}

/// Everything a handshake needs to know about time and silence, fixed when it begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub profile: Profile,
    /// How long each recipient is waited for.
    #[serde(rename = "wait_ms", with = "millis")]
    pub wait: Duration,
    /// What is sent to those still silent, in order of time, each before the wait is over.
    pub steps: Vec<Step>,
    /// What a recipient gets the first time it asks for more time.
    #[serde(rename = "extension_ms", with = "millis::optional")]
    pub extension: Option<Duration>,
    pub on_silence: Policy,
    /// Decides instead of `on_silence` whether to go ahead.
    pub quorum: Option<Quorum>,
    pub manner: Manner,
}

/// Something that is sent to a recipient that is still silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Since the start, whatever extensions were granted.
    #[serde(rename = "after_ms", with = "millis")]
    pub after: Duration,
    #[serde(flatten)]
    pub kind: StepKind,
}

/// What a step sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum StepKind {
    Reminder { tone: Tone },
    AckRequest,
    Resend { attempt: usize },
}

/// What flags, environment and configuration say instead of the profile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides {
    /// The whole wait. Steps the profile has at or after it are dropped.
    pub timeout: Option<Duration>,
    /// When to send the profile's steps, exactly. One at or after the timeout is an error.
    pub remind_at: Option<Vec<Duration>>,
    /// When to send them by habit: like the profile's own times, those too late for the timeout are dropped.
    pub usual_remind_at: Option<Vec<Duration>>,
    /// `Some(None)`, or an extension of zero, allows none.
    pub extend: Option<Option<Duration>>,
    pub on_timeout: Option<Policy>,
    pub quorum: Option<Quorum>,
    /// `false` turns a profile that would proceed into one that aborts. `true` changes nothing: it
    /// must not make an approval out of silence. `on_timeout` wins over it.
    pub proceed_on_timeout: Option<bool>,
    /// For a handoff, the time its urgency gives before the first reminder.
    pub first_wait: Option<Duration>,
}

impl Plan {
    /// Resolves a profile.
    pub fn new(profile: Profile, overrides: &Overrides) -> Result<Self, Invalid> {
        let (usual_wait, usual_times) = profile.times(overrides.first_wait.unwrap_or(HANDOFF_WAIT));
        let wait = checked_wait("timeout", overrides.timeout.unwrap_or(usual_wait))?;
        let times = match &overrides.remind_at {
            Some(times) => checked_times(times, wait)?,
            None => {
                let mut times = overrides.usual_remind_at.clone().unwrap_or(usual_times);
                times.retain(|time| *time < wait);
                checked_times(&times, wait)?
            }
        };
        let total = times.len();
        let steps = times
            .into_iter()
            .zip(1..)
            .map(|(after, number)| Step { after, kind: profile.step(number, total) })
            .collect();
        Ok(Self {
            profile,
            wait,
            steps,
            extension: extension(profile, overrides.extend)?,
            on_silence: policy(profile, overrides),
            quorum: overrides.quorum.or_else(|| (profile == Profile::MultiAgent).then_some(Quorum::All)),
            manner: profile.manner(),
        })
    }
}

fn policy(profile: Profile, overrides: &Overrides) -> Policy {
    overrides.on_timeout.unwrap_or_else(|| match profile.policy() {
        Policy::Proceed if overrides.proceed_on_timeout == Some(false) => Policy::Abort,
        usual => usual,
    })
}

fn extension(profile: Profile, extend: Option<Option<Duration>>) -> Result<Option<Duration>, Invalid> {
    let extension = extend.unwrap_or_else(|| profile.extension()).filter(|it| !it.is_zero());
    extension.map(|it| checked_wait("extension", it)).transpose()
}

/// Cuts off what would not be stored, so that a plan equals what is loaded back.
fn whole_millis(duration: Duration) -> Duration {
    Duration::new(duration.as_secs(), duration.subsec_millis() * 1_000_000)
}

fn checked_wait(thing: &str, wait: Duration) -> Result<Duration, Invalid> {
    let wait = whole_millis(wait);
    if wait.is_zero() {
        return Err(Invalid::new(Rule::Duration, format!("a {thing} of zero leaves no time to answer"))
            .hint("give at least one second"));
    }
    if wait > MAX_WAIT {
        let what = format!("the {thing} of {} seconds is longer than 7 days", wait.as_secs());
        return Err(Invalid::new(Rule::Duration, what).hint("wait again when it is over"));
    }
    Ok(wait)
}

/// Sorts the times of the steps, drops repetitions, and refuses what cannot be kept.
fn checked_times(times: &[Duration], wait: Duration) -> Result<Vec<Duration>, Invalid> {
    let mut times: Vec<_> = times.iter().copied().map(whole_millis).collect();
    times.sort_unstable();
    times.dedup();
    if let Some(late) = times.iter().find(|time| **time >= wait) {
        let what = format!(
            "a reminder at {} seconds comes too late: the wait ends at {} seconds",
            late.as_secs_f64(),
            wait.as_secs_f64()
        );
        return Err(Invalid::new(Rule::Duration, what).hint("remind earlier or raise --timeout"));
    }
    if times.iter().any(Duration::is_zero) {
        return Err(Invalid::new(Rule::Duration, "a reminder at 0 seconds would repeat the request")
            .hint("remind later, or send none with --remind-at none"));
    }
    if times.len() > MAX_REMINDERS {
        let what = format!("{} reminders are more than {MAX_REMINDERS}", times.len());
        return Err(Invalid::new(Rule::Duration, what).hint("remind less often"));
    }
    Ok(times)
}

impl Profile {
    /// How long this profile waits, and when it sends something to those still silent.
    fn times(self, handoff_wait: Duration) -> (Duration, Vec<Duration>) {
        let seconds = |wait, steps: &[u64]| {
            (Duration::from_secs(wait), steps.iter().copied().map(Duration::from_secs).collect())
        };
        match self {
            Self::Operation | Self::StateChange | Self::MultiAgent => seconds(120, &[30, 60, 90]),
            Self::Approval => seconds(120, &[60, 90]),
            Self::Emergency => seconds(30, &[10, 20]),
            Self::Health => seconds(30, &[]),
            Self::Task => seconds(300 + 120, &[300]),
            Self::Critical => attempts(),
            Self::Handoff => {
                let half = handoff_wait / 2;
                let twice = handoff_wait.saturating_add(handoff_wait);
                (twice, vec![handoff_wait, handoff_wait.saturating_add(half)])
            }
        }
    }

    /// What this profile sends as step `number` of `total`.
    const fn step(self, number: usize, total: usize) -> StepKind {
        match self {
            Self::Task => StepKind::AckRequest,
            // The request itself was the first attempt.
            Self::Critical => StepKind::Resend { attempt: number + 1 },
            _ => StepKind::Reminder { tone: Tone::of(number, total) },
        }
    }

    const fn extension(self) -> Option<Duration> {
        match self {
            Self::Emergency | Self::Health => None,
            _ => Some(EXTENSION),
        }
    }

    const fn policy(self) -> Policy {
        match self {
            Self::Operation | Self::StateChange | Self::Emergency => Policy::Proceed,
            Self::MultiAgent | Self::Approval => Policy::Abort,
            Self::Health | Self::Task | Self::Critical => Policy::Unresponsive,
            Self::Handoff => Policy::Escalate,
        }
    }

    const fn manner(self) -> Manner {
        match self {
            Self::StateChange => Manner::Notification,
            _ => Manner::Warning,
        }
    }
}

/// The whole time of a critical task's attempts and their pauses, and when it is sent again.
fn attempts() -> (Duration, Vec<Duration>) {
    let mut elapsed = Duration::ZERO;
    let mut again_at = Vec::new();
    for (attempt, failed_before) in ATTEMPTS.into_iter().zip(0..) {
        if failed_before > 0 {
            elapsed += backoff(failed_before);
            again_at.push(elapsed);
        }
        elapsed += attempt;
    }
    (elapsed, again_at)
}
