//! What a harness says on standard input.

use serde_json::Value;

/// The longest name of a session that is kept.
const MAX_SESSION: usize = 200;

/// The few things that matter of what a harness says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Input {
    pub session_id: Option<String>,
    /// A subagent was at work, not the agent itself.
    pub in_subagent: bool,
    /// The agent goes on only because a hook held it back; nothing when the harness did not say.
    pub stop_hook_active: Option<bool>,
}

impl Input {
    /// Reads the harness's JSON. Whatever is no such thing says nothing.
    pub fn of(said: &Value) -> Self {
        let named = |key: &str| said.get(key).and_then(Value::as_str).filter(|id| !id.is_empty());
        Self {
            session_id: named("session_id").map(|id| id.chars().take(MAX_SESSION).collect()),
            // Harnesses name the subagent beside the session of the agent it works for.
            in_subagent: named("agent_id").is_some(),
            stop_hook_active: said
                .is_object()
                .then(|| said.get("stop_hook_active").and_then(Value::as_bool).unwrap_or(false)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_what_both_harnesses_say() {
        let stop = json!({"session_id": "abc123", "transcript_path": null, "cwd": "/x", "stop_hook_active": true,
            "hook_event_name": "Stop", "unknown": [1, 2]});
        let input = Input::of(&stop);
        assert_eq!(input.session_id.as_deref(), Some("abc123"));
        assert_eq!(input.stop_hook_active, Some(true));
        assert_eq!(Input::of(&json!({"session_id": "a"})).stop_hook_active, Some(false));
    }

    #[test]
    fn a_subagent_is_told_from_the_agent_it_works_for() {
        let tool = json!({"session_id": "s1", "agent_id": "sub1", "agent_type": "Explore"});
        assert!(Input::of(&tool).in_subagent);
        for agent in [json!({"agent_type": "Explore"}), json!({"agent_id": ""}), json!({"agent_id": null})] {
            assert!(!Input::of(&agent).in_subagent, "{agent}");
        }
    }

    #[test]
    fn anything_else_says_nothing() {
        for said in [json!(null), json!([]), json!("x"), json!(7)] {
            assert_eq!(Input::of(&said), Input::default(), "{said}");
        }
        let odd = Input::of(&json!({"session_id": 7, "stop_hook_active": "yes"}));
        assert_eq!(odd, Input { stop_hook_active: Some(false), ..Input::default() });
    }

    #[test]
    fn a_session_with_an_endless_name_is_cut() {
        let input = Input::of(&json!({"session_id": "ü".repeat(5_000)}));
        assert_eq!(input.session_id.unwrap().chars().count(), MAX_SESSION);
    }
}
