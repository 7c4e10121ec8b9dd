//! The schedule that flags, environment and configuration ask for.

use std::time::Duration;

use super::Args;
use crate::commands::Context;
use crate::domain::duration;
use crate::domain::schedule::{Overrides, Plan, Profile};
use crate::failure::Failure;

/// Resolves the plan: flags over environment over file over the profile.
pub(super) fn resolve(context: &Context, args: &Args, usual: Profile) -> Result<Plan, Failure> {
    let profile = args.profile.unwrap_or(usual);
    let mut overrides =
        if has_configurable_times(profile) { configured(context)? } else { Overrides::default() };
    if args.timeout.is_some() {
        overrides.timeout = args.timeout;
    }
    if let Some(text) = &args.remind_at {
        overrides.remind_at = Some(times(text)?);
    }
    if args.no_extend {
        overrides.extend = Some(None);
    } else if let Some(extension) = args.extend {
        overrides.extend = Some(Some(extension));
    }
    overrides.on_timeout = args.on_timeout;
    overrides.quorum = args.quorum;
    Ok(Plan::new(profile, &overrides)?)
}

/// The configured times are those of ordinary operations; the other profiles have times of their own.
const fn has_configurable_times(profile: Profile) -> bool {
    matches!(profile, Profile::Operation | Profile::StateChange | Profile::MultiAgent)
}

fn configured(context: &Context) -> Result<Overrides, Failure> {
    let config = context.config()?;
    let extension = match (config.chosen("extension_allowed"), config.chosen("max_extension")) {
        (Some(allowed), _) if !allowed.is_on() => Some(None),
        (_, Some(most)) => Some(Some(most.seconds())),
        _ => None,
    };
    Ok(Overrides {
        timeout: config.chosen("acknowledgment_timeout").map(|value| value.seconds()),
        usual_remind_at: config.chosen("reminder_intervals").map(|value| value.all_seconds()),
        extend: extension,
        proceed_on_timeout: config.chosen("proceed_on_timeout").map(|value| value.is_on()),
        ..Overrides::default()
    })
}

fn times(text: &str) -> Result<Vec<Duration>, Failure> {
    let text = text.trim();
    if text.is_empty() || text == "none" {
        return Ok(Vec::new());
    }
    Ok(text.split(',').map(duration::seconds).collect::<Result<_, _>>()?)
}
