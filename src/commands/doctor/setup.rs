//! Who acts, and with which configuration.

use super::condition::Condition;
use super::{Check, Context, Me};
use crate::failure::Code;
use crate::settings::Source;

/// Whether somebody is named who may act here.
pub(super) fn identity(context: &Context, me: &Me, condition: &Condition) -> Check {
    const NAME: &str = "identity";
    let identity = match context.identity_if_set(me.agent.as_ref(), "--agent") {
        Err(failure) => return Check::problem(NAME, failure),
        Ok(None) => {
            return Check::warning(NAME, "nothing says who you are", "set BB_AGENT, or pass --agent AGENT");
        }
        Ok(Some(identity)) => identity,
    };
    let who = format!("`{}` (from {})", identity.id, identity.source);
    let store = match condition.store {
        Ok(store) => store,
        Err(_) if condition.is_missing => {
            let detail = format!("{who} cannot be registered: there is no store yet");
            return Check::warning(NAME, detail, format!("bb register --name {} --role ROLE", identity.id));
        }
        Err(why) => return Check::not_checked(NAME, format!("{who}; {why}")),
    };
    // The question every command asks before it acts.
    let acting = store.read(|view| context.acting(view, &identity.id, Code::AgentNotFound));
    match acting {
        Err(failure) => Check::problem(NAME, failure.at_store(store.location().file())),
        Ok(actor) if actor.agent.state.is_gone() => {
            let detail = format!("{who} is {}: mail to it is refused", actor.agent.state);
            Check::warning(NAME, detail, format!("bb state {} idle", identity.id))
        }
        Ok(actor) if actor.verified => {
            Check::ok(NAME, format!("{who} is registered and protected, and its token is at hand"))
        }
        Ok(_) => Check::ok(NAME, format!("{who} is registered")),
    }
}

/// Whether the configuration can be read.
pub(super) fn configuration(context: &Context) -> Check {
    const NAME: &str = "configuration";
    let config = match context.config() {
        Err(failure) => return Check::problem(NAME, failure),
        Ok(config) => config,
    };
    let chosen = config.settings().iter().filter(|setting| setting.source != Source::Default).count();
    let file = match context.settings.config_file() {
        Some(file) if file.exists() => format!("`{}`", file.display()),
        _ => "no file".to_owned(),
    };
    Check::ok(NAME, format!("{file}; {chosen} of {} values are not the default", config.settings().len()))
}
