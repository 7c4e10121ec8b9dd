use proptest::prelude::*;

use super::*;

pub(super) const NOW: Timestamp = Timestamp::from_millis(1_000_000_000);

pub(super) fn agent(name: &str) -> AgentId {
    name.parse().unwrap()
}

pub(super) fn scopes(texts: &[&str]) -> Vec<Scope> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// A reservation in force: its owner is active and an hour is left.
pub(super) fn held(id: &str, owner: &str, scope: &str) -> Held {
    let reservation = Reservation {
        reservation_id: id.to_owned(),
        scope: scope.parse().unwrap(),
        agent_id: agent(owner),
        bead_id: Some("bb-1".to_owned()),
        state: State::Active,
        created_at: NOW - Duration::from_secs(3600),
        expires_at: NOW + Duration::from_secs(3600),
        released_at: None,
        fence: 1,
        reason: None,
        shared: false,
    };
    Held { reservation, owner: Liveness::Active }
}

pub(super) fn expired(mut held: Held) -> Held {
    held.reservation.expires_at = NOW;
    held
}

pub(super) fn shared(mut held: Held) -> Held {
    held.reservation.shared = true;
    held
}

fn of_quiet_owner(mut held: Held, owner: Liveness) -> Held {
    held.owner = owner;
    held
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Grant { create: Vec<String>, refresh: Vec<String>, take_over: Vec<String> },
    Conflict(Vec<String>),
    Stale(Vec<String>),
}

fn texts<T: ToString>(items: &[T]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

fn granted(create: &[&str], refresh: &[&str], take_over: &[&str]) -> Outcome {
    Outcome::Grant { create: texts(create), refresh: texts(refresh), take_over: texts(take_over) }
}

/// What `amber-otter` is told.
fn ask(wanted: &[&str], shared: bool, takeover_stale: bool, held: &[Held]) -> Outcome {
    let (agent, scopes) = (agent("amber-otter"), scopes(wanted));
    let request = Request { agent: &agent, scopes: &scopes, shared, takeover_stale };
    let ids = |holders: Vec<Holder<'_>>| holders.iter().map(|it| id_of(it.held).to_owned()).collect();
    match decide(&request, held, NOW) {
        Decision::Grant { create, refresh, take_over } => {
            Outcome::Grant { create: texts(&create), refresh: texts(&refresh), take_over: texts(&take_over) }
        }
        Decision::Conflict(holders) => Outcome::Conflict(ids(holders)),
        Decision::Stale(holders) => Outcome::Stale(ids(holders)),
    }
}

/// B34
#[test]
fn a_free_scope_is_granted() {
    assert_eq!(ask(&["src"], false, false, &[]), granted(&["src"], &[], &[]));
    let elsewhere = [held("res-1", "zinc-yak", "tests/**/*.rs")];
    assert_eq!(ask(&["src"], false, false, &elsewhere), granted(&["src"], &[], &[]));
}

/// B35
#[test]
fn anothers_overlapping_reservation_is_a_conflict_even_with_takeover() {
    for (theirs, overlap) in
        [("src/main.rs", Overlap::Exact), ("src", Overlap::Partial), ("src/**/*.rs", Overlap::Partial)]
    {
        let held = [held("res-1", "zinc-yak", theirs)];
        let wanted = scopes(&["docs", "src/main.rs"]);
        for takeover_stale in [false, true] {
            let otter = agent("amber-otter");
            let request = Request { agent: &otter, scopes: &wanted, shared: false, takeover_stale };
            let expected = Holder { held: &held[0], wanted: &wanted[1], overlap };
            assert_eq!(decide(&request, &held, NOW), Decision::Conflict(vec![expected]), "{theirs}");
        }
    }
}

/// B36
#[test]
fn a_quiet_owners_reservation_needs_an_explicit_takeover() {
    for liveness in [Liveness::Stale, Liveness::Evicted] {
        let held = [of_quiet_owner(held("res-1", "zinc-yak", "src"), liveness)];
        assert_eq!(ask(&["src/a"], false, false, &held), Outcome::Stale(vec!["res-1".into()]));
        assert_eq!(ask(&["src/a"], false, true, &held), granted(&["src/a"], &[], &["res-1"]));
    }
}

/// B36: a clock that jumps forward expires everything at once, and still nothing changes hands by itself.
#[test]
fn an_active_owners_expired_reservation_needs_an_explicit_takeover() {
    let held = [expired(held("res-1", "zinc-yak", "src"))];
    assert_eq!(ask(&["src"], false, false, &held), Outcome::Stale(vec!["res-1".into()]));
    assert_eq!(ask(&["src"], false, true, &held), granted(&["src"], &[], &["res-1"]));
}

#[test]
fn only_an_expired_reservation_of_a_quiet_owner_has_lapsed() {
    let unexpired = held("res-1", "zinc-yak", "src");
    assert!(!of_quiet_owner(unexpired.clone(), Liveness::Evicted).has_lapsed(NOW));
    assert!(!expired(unexpired.clone()).has_lapsed(NOW));
    assert!(of_quiet_owner(expired(unexpired), Liveness::Stale).has_lapsed(NOW));
}

#[test]
fn an_owner_that_is_gone_counts_as_evicted() {
    let stale_after = Duration::from_secs(900);
    for state in AgentState::ALL {
        let expected = if state.is_gone() { Liveness::Evicted } else { Liveness::Active };
        assert_eq!(owner_liveness(state, NOW, stale_after, NOW), expected, "{state}");
    }
    let later = NOW + stale_after;
    assert_eq!(owner_liveness(AgentState::Working, NOW, stale_after, later), Liveness::Stale);
}

#[test]
fn expiry_is_reached_at_the_stored_time_and_not_before() {
    let reservation = expired(held("res-1", "zinc-yak", "src")).reservation;
    let before = NOW - Duration::from_millis(1);
    assert_eq!(reservation.state_at(before), State::Active);
    assert_eq!(reservation.state_at(NOW), State::Expired);
    let released = Reservation { state: State::Released, ..reservation };
    assert_eq!(released.state_at(NOW), State::Released);
}

#[test]
fn a_conflict_outweighs_what_is_stale() {
    let held = [expired(held("res-1", "zinc-yak", "src/a")), held("res-2", "teal-wren", "src/b")];
    for takeover_stale in [false, true] {
        assert_eq!(ask(&["src"], false, takeover_stale, &held), Outcome::Conflict(vec!["res-2".into()]));
    }
}

#[test]
fn ones_own_reservation_is_refreshed_and_never_in_the_way() {
    let own = [expired(held("res-1", "amber-otter", "src")), held("res-2", "amber-otter", "src/main.rs")];
    assert_eq!(ask(&["src/**"], false, false, &own), granted(&[], &["res-1"], &[]));
    assert_eq!(ask(&["src/*.rs"], false, false, &own), granted(&["src/*.rs"], &[], &[]));
}

#[test]
fn several_scopes_are_granted_together_or_not_at_all() {
    let all = [
        held("res-1", "amber-otter", "src"),
        expired(held("res-2", "zinc-yak", "docs/a")),
        held("res-3", "teal-wren", "tests"),
    ];
    let granted = granted(&["docs", "README.md"], &["res-1"], &["res-2"]);
    assert_eq!(ask(&["docs", "src", "README.md", "docs/"], false, true, &all), granted);
    let conflict = Outcome::Conflict(vec!["res-3".into()]);
    assert_eq!(ask(&["docs", "src", "README.md", "tests/x"], false, true, &all), conflict);
}

#[test]
fn sharers_conflict_only_with_the_exclusive() {
    let sharer = [shared(held("res-1", "zinc-yak", "src"))];
    assert_eq!(ask(&["src/a"], true, false, &sharer), granted(&["src/a"], &[], &[]));
    assert_eq!(ask(&["src/a"], false, false, &sharer), Outcome::Conflict(vec!["res-1".into()]));
    let exclusive = [held("res-1", "zinc-yak", "src")];
    assert_eq!(ask(&["src/a"], true, false, &exclusive), Outcome::Conflict(vec!["res-1".into()]));
    let stale_sharer = [expired(sharer[0].clone())];
    assert_eq!(ask(&["src"], true, true, &stale_sharer), granted(&["src"], &[], &[]));
}

#[test]
fn sharing_can_be_given_up_only_when_nobody_else_shares() {
    let own = shared(held("res-1", "amber-otter", "src"));
    let other = shared(held("res-2", "zinc-yak", "src"));
    assert_eq!(ask(&["src"], false, false, std::slice::from_ref(&own)), granted(&[], &["res-1"], &[]));
    assert_eq!(ask(&["src"], false, false, &[own, other]), Outcome::Conflict(vec!["res-2".into()]));
}

#[test]
fn what_has_ended_is_in_nobodys_way() {
    for state in [State::Released, State::TakenOver] {
        let mut ended = held("res-1", "zinc-yak", "src");
        ended.reservation.state = state;
        assert_eq!(ask(&["src"], false, false, &[ended]), granted(&["src"], &[], &[]));
    }
}

/// B37
#[test]
fn only_the_owner_releases_and_only_what_was_reserved() {
    let mut ended = held("res-0", "amber-otter", "src");
    ended.reservation.state = State::Released;
    let all = [
        ended,
        expired(held("res-1", "amber-otter", "src")),
        shared(held("res-2", "zinc-yak", "docs")),
        shared(held("res-3", "amber-otter", "docs")),
        held("res-4", "zinc-yak", "tests"),
    ];
    let release = |scope: &str| decide_release(&agent("amber-otter"), &scope.parse().unwrap(), &all);
    assert_eq!(release("src/**"), Release::Granted(vec!["res-1"]));
    assert_eq!(release("docs"), Release::Granted(vec!["res-3"]));
    assert_eq!(release("tests"), Release::Forbidden(vec![&all[4]]));
    assert_eq!(release("src/main.rs"), Release::NotFound);
    assert_eq!(decide_release(&agent("zinc-yak"), &"src".parse().unwrap(), &all[..1]), Release::NotFound);
}

#[test]
fn a_ttl_is_5_to_1440_minutes_and_120_when_not_said() {
    assert_eq!(Ttl::default(), Ttl::parse("120").unwrap());
    assert_eq!(Ttl::parse("2h").unwrap(), Ttl::default());
    assert_eq!(Ttl::parse("5").unwrap(), Ttl::MIN);
    assert_eq!(Ttl::parse("1440").unwrap().get(), Duration::from_secs(86_400));
    for text in ["4", "299s", "1441", "25h", "0", "-5", "soon", ""] {
        let invalid = Ttl::parse(text).unwrap_err();
        assert_eq!(invalid.rule, Rule::Duration, "{text}");
        assert!(invalid.hint.unwrap().contains("1440"), "{text}");
    }
}

#[test]
fn is_written_with_the_names_of_the_contract() {
    let json = serde_json::to_value(held("res-1", "zinc-yak", "./src/").reservation).unwrap();
    let keys = "reservation_id scope agent_id bead_id state created_at expires_at released_at fence";
    for key in keys.split(' ') {
        assert!(json.get(key).is_some(), "{key}");
    }
    assert_eq!(json["scope"], "src");
    for key in ["reason", "shared"] {
        assert!(json.get(key).is_none(), "{key} is written only when it is set");
    }
    assert_eq!(serde_json::to_value(State::TakenOver).unwrap(), "taken-over");
}

proptest! {
    /// Whatever is granted, no two agents hold overlapping scopes unless both share them.
    #[test]
    fn never_two_holders_of_one_path(
        steps in prop::collection::vec(
            (0..4_usize, 0..6_usize, any::<bool>(), any::<bool>(), 0..40_i64),
            1..30,
        ),
    ) {
        let names = ["aaa", "bbb", "ccc", "ddd"].map(agent);
        let choices = scopes(&["src", "src/*.rs", "src/main.rs", "**/*.md", "docs", "docs/**/a*"]);
        let mut all: Vec<Held> = Vec::new();
        let mut now = NOW;
        for (fence, (who, what, shared, takeover_stale, minutes)) in (2..).zip(steps) {
            now = now + Duration::from_secs(minutes.unsigned_abs() * 60);
            let request = Request { agent: &names[who], scopes: &choices[what..=what], shared, takeover_stale };
            let known = all.clone();
            let Decision::Grant { create, refresh, take_over } = decide(&request, &known, now) else { continue };
            for held in &mut all {
                if take_over.contains(&id_of(held)) {
                    held.reservation.state = State::TakenOver;
                }
                if refresh.contains(&id_of(held)) {
                    held.reservation.expires_at = now + Ttl::default().get();
                    held.reservation.shared = shared;
                }
            }
            for scope in create {
                let mut new = held(&format!("res-{fence}"), names[who].as_str(), scope.as_str());
                new.reservation.expires_at = now + Ttl::default().get();
                new.reservation.shared = shared;
                new.reservation.fence = fence;
                all.push(new);
            }
            let active: Vec<_> = all.iter().map(|it| &it.reservation).filter(|it| it.state == State::Active).collect();
            for a in &active {
                for b in active.iter().filter(|b| a.agent_id != b.agent_id && !(a.shared && b.shared)) {
                    prop_assert!(!overlap(&a.scope, &b.scope).is_shared(), "{} {}", a.scope, b.scope);
                }
            }
        }
    }
}
