//! Flags win over the environment, the environment over the file, the file over defaults.

use serde_json::{Value, json};

use crate::wait_ack_scene::{LEAD, OTTER, Scene};

const FILE: &str = "acknowledgment_timeout = 100\nreminder_intervals = [40]\nmax_extension = 7\n";

/// The plan that is in force: seconds, reminders and the extension that is offered.
fn plan(file: Option<&str>, variables: &[(&str, &str)], flags: &str) -> (Value, Value, Value) {
    let scene = Scene::new();
    let config = scene.world.path("config.toml");
    if let Some(text) = file {
        std::fs::write(&config, text).unwrap();
    }
    let line = format!("wait-ack --from {LEAD} --to {OTTER} --operation restart --no-wait --json {flags}");
    let mut command = scene.command(&line);
    command.env("BB_CONFIG", &config).envs(variables.iter().copied());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(75), "{}", String::from_utf8_lossy(&output.stdout));
    let content = scene.received(OTTER, "pre-operation").remove(0)["content"].clone();
    (
        content["acknowledgment_timeout"].clone(),
        content["acknowledgment_reminder_intervals"].clone(),
        content["acknowledgment_instructions"]["need_time"].clone(),
    )
}

fn more(time: &str) -> Value {
    json!(format!("Reply with 'wait' for more time (up to {time})"))
}

#[test]
fn defaults_hold_where_nothing_is_said() {
    assert_eq!(plan(None, &[], ""), (json!(120), json!([30, 60, 90]), more("1 additional minute")));
}

#[test]
fn the_file_wins_over_defaults() {
    assert_eq!(plan(Some(FILE), &[], ""), (json!(100), json!([40]), more("7 additional seconds")));
}

#[test]
fn the_environment_wins_over_the_file() {
    let variables =
        [("BB_ACKNOWLEDGMENT_TIMEOUT", "80"), ("BB_REMINDER_INTERVALS", "20,50"), ("BB_MAX_EXTENSION", "8")];
    assert_eq!(plan(Some(FILE), &variables, ""), (json!(80), json!([20, 50]), more("8 additional seconds")));
}

#[test]
fn flags_win_over_the_environment() {
    let variables =
        [("BB_ACKNOWLEDGMENT_TIMEOUT", "80"), ("BB_REMINDER_INTERVALS", "20,50"), ("BB_MAX_EXTENSION", "8")];
    assert_eq!(
        plan(Some(FILE), &variables, "--timeout 60 --remind-at 15 --extend 9"),
        (json!(60), json!([15]), more("9 additional seconds"))
    );
}

#[test]
fn more_time_can_be_switched_off_and_on_again() {
    let none = json!("No more time can be granted");
    assert_eq!(plan(None, &[("BB_EXTENSION_ALLOWED", "false")], "").2, none);
    assert_eq!(plan(None, &[], "--no-extend").2, none);
    let offered = plan(None, &[("BB_EXTENSION_ALLOWED", "false")], "--extend 2m").2;
    assert_eq!(offered, more("2 additional minutes"));
}

#[test]
fn reminders_can_be_left_out() {
    assert_eq!(plan(None, &[], "--remind-at none").1, json!([]));
    assert_eq!(plan(None, &[("BB_REMINDER_INTERVALS", "none")], "").1, json!([]));
    let scene = Scene::new();
    let line = ["wait-ack", "--from", LEAD, "--to", OTTER, "--operation", "restart", "--remind-at", ""];
    assert_eq!(scene.world.bb(line).code, 3);
    assert_eq!(scene.kinds(OTTER), ["pre-operation", "timeout-notice"]);
}

#[test]
fn usual_reminders_that_come_too_late_for_a_short_wait_are_left_out() {
    assert_eq!(plan(None, &[], "--timeout 60").1, json!([30]));
}

#[test]
fn silence_proceeds_unless_the_configuration_or_a_flag_says_otherwise() {
    let end = |variable: &str, flags: &str| {
        let scene = Scene::new();
        let line = format!("wait-ack --from {LEAD} --to {OTTER} --operation restart {flags}");
        let output = scene.command(&line).env("BB_PROCEED_ON_TIMEOUT", variable).output().unwrap();
        output.status.code().unwrap()
    };
    assert_eq!(end("true", ""), 3);
    assert_eq!(end("false", ""), 4);
    assert_eq!(end("false", "--on-timeout proceed"), 3);
    assert_eq!(end("true", "--on-timeout abort"), 4);
    assert_eq!(end("true", "--profile approval"), 4, "silence is no approval");
}
