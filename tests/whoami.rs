//! `whoami`: one resolver of identities, and it says where an identity came from.

use serde_json::json;

use crate::common::{Run, World};

#[test]
fn the_flag_wins_over_bb_agent_and_bb_agent_over_bd_actor() {
    let world = World::with_two_agents();
    let both = [("BB_AGENT", "lead-one"), ("BD_ACTOR", "amber-otter")];
    let who = |run: Run| {
        let data = run.ok().data();
        (data["agent_id"].as_str().unwrap().to_owned(), data["source"].as_str().unwrap().to_owned())
    };
    let pair = |agent: &str, source: &str| (agent.to_owned(), source.to_owned());
    assert_eq!(who(world.bb_with(&both[1..], ["whoami", "--json"])), pair("amber-otter", "BD_ACTOR"));
    assert_eq!(who(world.bb_with(&both, ["whoami", "--json"])), pair("lead-one", "BB_AGENT"));
    assert_eq!(
        who(world.bb_with(&both, ["whoami", "--agent", "zinc-yak", "--json"])),
        pair("zinc-yak", "--agent")
    );
}

#[test]
fn an_empty_variable_is_no_identity() {
    let world = World::with_two_agents();
    let run = world.bb_with(&[("BB_AGENT", ""), ("BD_ACTOR", "lead-one")], ["whoami", "--json"]).ok();
    assert_eq!(run.data()["source"], "BD_ACTOR");
    let run = world.bb_with(&[("BB_AGENT", "")], ["whoami"]).fails("MISSING_IDENTITY", 64);
    assert!(run.stderr.contains("BB_AGENT"), "{run}");
}

#[test]
fn nobody_is_assumed() {
    World::new().bb(["whoami"]).fails("MISSING_IDENTITY", 64);
    World::new().bb(["inbox"]).fails("MISSING_IDENTITY", 64);
}

#[test]
fn a_name_that_cannot_be_one_is_named_with_its_variable() {
    let run = World::new().bb_with(&[("BB_AGENT", "Not A Name")], ["whoami"]).fails("INVALID_AGENT_ID", 65);
    assert!(run.stderr.contains("BB_AGENT: `Not A Name`"), "{run}");
}

#[test]
fn tells_people_whether_the_name_is_registered_and_where_the_store_is() {
    let world = World::with_two_agents();
    let run = world.bb_with(&[("BB_AGENT", "lead-one")], ["whoami"]).ok();
    let told = run.stdout.replace(&world.store().display().to_string(), "STORE");
    insta::assert_snapshot!(told, @r"
    lead-one (from BB_AGENT)
    registered yes
    store      STORE
    ");
    let run = world.bb(["whoami", "--agent", "nobody-here"]).ok();
    assert!(run.stdout.contains("registered no\n"), "{run}");
}

#[test]
fn creates_nothing() {
    let world = World::new();
    let data = world.json(["whoami", "--agent", "amber-otter"]);
    assert_eq!((&data["registered"], &data["token_valid"]), (&json!(false), &json!(null)));
    assert!(!world.store().exists());
    assert!(!world.path("store").exists());
}

#[test]
fn works_on_a_store_that_was_begun_and_never_finished() {
    let world = World::new();
    std::fs::create_dir(world.path("store")).unwrap();
    std::fs::write(world.store(), b"").unwrap();
    assert_eq!(world.json(["whoami", "--agent", "amber-otter"])["registered"], false);
}
