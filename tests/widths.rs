//! Everything a person looks at, on narrow, usual and wide terminals, and with many rows.

use unicode_width::UnicodeWidthStr;

use crate::common::{World, letter, words};

const WIDTHS: [usize; 3] = [80, 120, 200];

const LONG_NAME: &str = "a-name-that-is-as-long-as-names-of-agents-can-be";

/// A world with short and long names, subjects, bodies and operations.
fn world() -> World {
    let world = World::with_two_agents();
    let display = "An Agent Whose Name Says Everything";
    world
        .bb([
            "register",
            "--name",
            LONG_NAME,
            "--role",
            "documentation and translation",
            "--display",
            display,
        ])
        .ok();
    let send = |changes: &[(&str, &str)]| {
        world.pass(20);
        world.bb(letter(changes)).ok();
    };
    send(&[
        ("--category", "BLOCKED"),
        ("--priority", "urgent"),
        ("--subject", "Cannot run the contract test because the delegate is missing in this repository"),
        (
            "--body",
            "The delegate is missing; I need its configuration, or leave to run the preflight with a patch that somebody has looked at.\n\n    bd config get mail.delegate\n",
        ),
    ]);
    send(&[
        ("--from", LONG_NAME),
        ("--subject", "日本語の件名がここにあります、とても長い件名です"),
        ("--body", "短い"),
    ]);
    send(&[
        ("--subject", "Done"),
        (
            "--body",
            "https://example.org/a/link/that/is/longer/than/eighty/columns/and/cannot/be/broken/between/words",
        ),
    ]);
    for (from, operation) in [("amber-otter", "restart"), (LONG_NAME, "rolling deploy of the documentation")]
    {
        world.bb(["wait-ack", "--from", from, "--to", "lead-one", "--operation", operation, "--no-wait"]);
    }
    world.pass(60);
    world
}

/// What a command line shows at each width, as seen by `lead-one`.
fn seen(world: &World, line: &str) -> String {
    let here = world.path("").display().to_string();
    let show = |width: usize| {
        let columns = width.to_string();
        let variables = [("COLUMNS", columns.as_str()), ("BB_AGENT", "lead-one")];
        let run = world.bb_with(&variables, words(line)).ok();
        fits(&run.stdout, width);
        let colored = ["--color", "always"].map(str::to_owned);
        let colored = world.bb_with(&variables, words(line).into_iter().chain(colored)).ok().stdout;
        same_without_colour(&anstream::adapter::strip_str(&colored).to_string(), &run.stdout, width);
        format!("{width}\n{}\n", run.stdout.replace(&here, "WORLD/"))
    };
    WIDTHS.map(show).concat()
}

/// A terminal with colours shows the same words. What stands behind them counts too: it would wrap.
#[track_caller]
fn same_without_colour(stripped: &str, plain: &str, width: usize) {
    fits(stripped, width);
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(stripped), lines(plain));
}

/// No line is wider than the terminal but for single words and lines that are to be typed.
#[track_caller]
fn fits(text: &str, width: usize) {
    for line in text.lines().filter(|line| line.width() > width) {
        let is_one_word = line.split_whitespace().filter(|word| word.width() > 2).count() <= 1;
        assert!(is_one_word || line.contains(" bb "), "{} columns of {width}: {line}", line.width());
    }
}

#[test]
fn the_inbox() {
    insta::assert_snapshot!(seen(&world(), "inbox"), @"
    80
    ID          FROM                      CATEGORY  SUBJECT                NEEDS
    p11magbt3c  a-name-that-is-as-long-…  BLOCKED   Rolling Deploy Of Th…  read, ack
    qw2bthpy19  amber-otter               BLOCKED   Agent Restart Pendin…  read, ack
    0s6g7gmgvy  amber-otter               INFO      Done                   read
    tr75541b83  a-name-that-is-as-long-…  INFO      日本語の件名がここに…  read
    agzys1yj95  amber-otter               BLOCKED   Cannot run the contr…  read, ack
    5 messages, 5 unread, 3 waiting for your ack

    120
    STATE   ID          FROM                      CATEGORY  PRIORITY  SUBJECT                                 AGE  NEEDS
    unread  p11magbt3c  a-name-that-is-as-long-…  BLOCKED   high      Rolling Deploy Of The Documentation P…  1m   read, ack
    unread  qw2bthpy19  amber-otter               BLOCKED   high      Agent Restart Pending - Acknowledgmen…  1m   read, ack
    unread  0s6g7gmgvy  amber-otter               INFO      normal    Done                                    1m   read
    unread  tr75541b83  a-name-that-is-as-long-…  INFO      normal    日本語の件名がここにあります、とても…   1m   read
    unread  agzys1yj95  amber-otter               BLOCKED   urgent    Cannot run the contract test because …  1m   read, ack
    5 messages, 5 unread, 3 waiting for your ack

    200
    STATE   ID          FROM                                              CATEGORY  PRIORITY  SUBJECT                                                                          AGE  NEEDS
    unread  p11magbt3c  a-name-that-is-as-long-as-names-of-agents-can-be  BLOCKED   high      Rolling Deploy Of The Documentation Pending - Acknowledgment Required            1m   read, ack
    unread  qw2bthpy19  amber-otter                                       BLOCKED   high      Agent Restart Pending - Acknowledgment Required                                  1m   read, ack
    unread  0s6g7gmgvy  amber-otter                                       INFO      normal    Done                                                                             1m   read
    unread  tr75541b83  a-name-that-is-as-long-as-names-of-agents-can-be  INFO      normal    日本語の件名がここにあります、とても長い件名です                                 1m   read
    unread  agzys1yj95  amber-otter                                       BLOCKED   urgent    Cannot run the contract test because the delegate is missing in this repository  1m   read, ack
    5 messages, 5 unread, 3 waiting for your ack
    ");
}

#[test]
fn the_inbox_in_the_fewest_words() {
    insta::assert_snapshot!(seen(&world(), "inbox --brief"), @"
    80
    ID          FROM                      CATEGORY  SUBJECT                      AGE
    p11magbt3c  a-name-that-is-as-long-…  BLOCKED   Rolling Deploy Of The Docu…  1m
    qw2bthpy19  amber-otter               BLOCKED   Agent Restart Pending - Ac…  1m
    0s6g7gmgvy  amber-otter               INFO      Done                         1m
    tr75541b83  a-name-that-is-as-long-…  INFO      日本語の件名がここにありま…  1m
    agzys1yj95  amber-otter               BLOCKED   Cannot run the contract te…  1m

    120
    ID          FROM                            CATEGORY  SUBJECT                                                        AGE
    p11magbt3c  a-name-that-is-as-long-as-nam…  BLOCKED   Rolling Deploy Of The Documentation Pending - Acknowledgment…  1m
    qw2bthpy19  amber-otter                     BLOCKED   Agent Restart Pending - Acknowledgment Required                1m
    0s6g7gmgvy  amber-otter                     INFO      Done                                                           1m
    tr75541b83  a-name-that-is-as-long-as-nam…  INFO      日本語の件名がここにあります、とても長い件名です               1m
    agzys1yj95  amber-otter                     BLOCKED   Cannot run the contract test because the delegate is missing…  1m

    200
    ID          FROM                                              CATEGORY  SUBJECT                                                                          AGE
    p11magbt3c  a-name-that-is-as-long-as-names-of-agents-can-be  BLOCKED   Rolling Deploy Of The Documentation Pending - Acknowledgment Required            1m
    qw2bthpy19  amber-otter                                       BLOCKED   Agent Restart Pending - Acknowledgment Required                                  1m
    0s6g7gmgvy  amber-otter                                       INFO      Done                                                                             1m
    tr75541b83  a-name-that-is-as-long-as-names-of-agents-can-be  INFO      日本語の件名がここにあります、とても長い件名です                                 1m
    agzys1yj95  amber-otter                                       BLOCKED   Cannot run the contract test because the delegate is missing in this repository  1m
    ");
}

#[test]
fn a_thread() {
    insta::assert_snapshot!(seen(&world(), "thread bead:bb-1"), @"
    80
    bead:bb-1, 3 messages

    amber-otter → lead-one
    Cannot run the contract test because the delegate is missing in this repository
    agzys1yj95  BLOCKED  unread  1m ago  needs: read, ack
    │ The delegate is missing; I need its configuration, or leave to run the
    │ preflight with a patch that somebody has looked at.
    │ 
    │     bd config get mail.delegate

    a-name-that-is-as-long-as-names-of-agents-can-be → lead-one
    日本語の件名がここにあります、とても長い件名です
    tr75541b83  INFO  unread  1m ago  needs: read
    │ 短い

    amber-otter → lead-one  Done
    0s6g7gmgvy  INFO  unread  1m ago  needs: read
    │ https://example.org/a/link/that/is/longer/than/eighty/columns/and/cannot/be/broken/between/words

    120
    bead:bb-1, 3 messages

    amber-otter → lead-one  Cannot run the contract test because the delegate is missing in this repository
    agzys1yj95  BLOCKED  unread  1m ago  needs: read, ack
    │ The delegate is missing; I need its configuration, or leave to run the preflight with a patch that somebody has looked
    │ at.
    │ 
    │     bd config get mail.delegate

    a-name-that-is-as-long-as-names-of-agents-can-be → lead-one  日本語の件名がここにあります、とても長い件名です
    tr75541b83  INFO  unread  1m ago  needs: read
    │ 短い

    amber-otter → lead-one  Done
    0s6g7gmgvy  INFO  unread  1m ago  needs: read
    │ https://example.org/a/link/that/is/longer/than/eighty/columns/and/cannot/be/broken/between/words

    200
    bead:bb-1, 3 messages

    amber-otter → lead-one  Cannot run the contract test because the delegate is missing in this repository
    agzys1yj95  BLOCKED  unread  1m ago  needs: read, ack
    │ The delegate is missing; I need its configuration, or leave to run the preflight with a patch that somebody has looked at.
    │ 
    │     bd config get mail.delegate

    a-name-that-is-as-long-as-names-of-agents-can-be → lead-one  日本語の件名がここにあります、とても長い件名です
    tr75541b83  INFO  unread  1m ago  needs: read
    │ 短い

    amber-otter → lead-one  Done
    0s6g7gmgvy  INFO  unread  1m ago  needs: read
    │ https://example.org/a/link/that/is/longer/than/eighty/columns/and/cannot/be/broken/between/words
    ");
}

#[test]
fn the_waits() {
    insta::assert_snapshot!(seen(&world(), "waits"), @"
    80
    REQUESTER     WAITS FOR  LEFT  OPERATION           ID
    amber-otter   lead-one   60 s  restart             op_20260304_001222_bceg6rf7nr
    a-name-that…  lead-one   60 s  rolling deploy of…  op_20260304_001222_k4d66mdn83
    2 open handshakes

    120
    REQUESTER                   WAITS FOR  STATUS   LEFT  OPERATION                            ID
    amber-otter                 lead-one   waiting  60 s  restart                              op_20260304_001222_bceg6rf7nr
    a-name-that-is-as-long-as…  lead-one   waiting  60 s  rolling deploy of the documentation  op_20260304_001222_k4d66mdn83
    2 open handshakes

    200
    REQUESTER                                         WAITS FOR  STATUS   LEFT  OPERATION                            ID
    amber-otter                                       lead-one   waiting  60 s  restart                              op_20260304_001222_bceg6rf7nr
    a-name-that-is-as-long-as-names-of-agents-can-be  lead-one   waiting  60 s  rolling deploy of the documentation  op_20260304_001222_k4d66mdn83
    2 open handshakes
    ");
}

#[test]
fn the_board() {
    let world = world();
    for (agent, scope) in [("amber-otter", "src/parser/**"), (LONG_NAME, "docs/a/folder/that/lies/deep")] {
        world.bb(["reserve", "--agent", agent, "--bead", "bb-1", "--scope", scope]).ok();
    }
    world.pass(90);
    world.bb(["state", "amber-otter", "stuck"]).ok();
    insta::assert_snapshot!(seen(&world, "status"), @"
    80
    Reservations
    SCOPE                         AGENT                        BEAD  LEFT   LIVENESS
    src/parser/**                 amber-otter                  bb-1  1h58m  active
    docs/a/folder/that/lies/deep  a-name-that-is-as-long-as-…  bb-1  1h58m  active

    Waiting for an ack
    CATEGORY  ID          FROM          TO        SUBJECT               NEEDS
    BLOCKED   agzys1yj95  amber-otter   lead-one  Cannot run the cont…  ack, overdue
    BLOCKED   qw2bthpy19  amber-otter   lead-one  Agent Restart Pendi…  ack, overdue
    BLOCKED   p11magbt3c  a-name-that…  lead-one  Rolling Deploy Of T…  ack, overdue

    Open handshakes
    REQUESTER     WAITS FOR  LEFT     OPERATION        ID
    amber-otter   lead-one   overdue  restart          op_20260304_001222_bceg6rf7nr
    a-name-that…  lead-one   overdue  rolling deploy…  op_20260304_001222_k4d66mdn83

    Agents to look after
    AGENT        STATE  LIVENESS  LAST SEEN
    amber-otter  stuck  active    just now

    3 waiting for an ack (3 overdue), 2 handshakes, 2 reservations, 1 agent stuck

    120
    Reservations
    SCOPE                         AGENT                                             BEAD  LEFT   LIVENESS  REASON
    src/parser/**                 amber-otter                                       bb-1  1h58m  active
    docs/a/folder/that/lies/deep  a-name-that-is-as-long-as-names-of-agents-can-be  bb-1  1h58m  active

    Waiting for an ack
    CATEGORY  ID          FROM                      TO        SUBJECT                                      AGE  NEEDS
    BLOCKED   agzys1yj95  amber-otter               lead-one  Cannot run the contract test because the d…  3m   ack, overdue
    BLOCKED   qw2bthpy19  amber-otter               lead-one  Agent Restart Pending - Acknowledgment Req…  2m   ack, overdue
    BLOCKED   p11magbt3c  a-name-that-is-as-long-…  lead-one  Rolling Deploy Of The Documentation Pendin…  2m   ack, overdue

    Open handshakes
    REQUESTER                 WAITS FOR  STATUS   LEFT     OPERATION                           ID
    amber-otter               lead-one   waiting  overdue  restart                             op_20260304_001222_bceg6rf7nr
    a-name-that-is-as-long-…  lead-one   waiting  overdue  rolling deploy of the documentati…  op_20260304_001222_k4d66mdn83

    Agents to look after
    AGENT        STATE  LIVENESS  LAST SEEN
    amber-otter  stuck  active    just now

    3 waiting for an ack (3 overdue), 2 handshakes, 2 reservations, 1 agent stuck

    200
    Reservations
    SCOPE                         AGENT                                             BEAD  LEFT   LIVENESS  REASON
    src/parser/**                 amber-otter                                       bb-1  1h58m  active
    docs/a/folder/that/lies/deep  a-name-that-is-as-long-as-names-of-agents-can-be  bb-1  1h58m  active

    Waiting for an ack
    CATEGORY  ID          FROM                                              TO        SUBJECT                                                                          AGE  NEEDS
    BLOCKED   agzys1yj95  amber-otter                                       lead-one  Cannot run the contract test because the delegate is missing in this repository  3m   ack, overdue
    BLOCKED   qw2bthpy19  amber-otter                                       lead-one  Agent Restart Pending - Acknowledgment Required                                  2m   ack, overdue
    BLOCKED   p11magbt3c  a-name-that-is-as-long-as-names-of-agents-can-be  lead-one  Rolling Deploy Of The Documentation Pending - Acknowledgment Required            2m   ack, overdue

    Open handshakes
    REQUESTER                                         WAITS FOR  STATUS   LEFT     OPERATION                            ID
    amber-otter                                       lead-one   waiting  overdue  restart                              op_20260304_001222_bceg6rf7nr
    a-name-that-is-as-long-as-names-of-agents-can-be  lead-one   waiting  overdue  rolling deploy of the documentation  op_20260304_001222_k4d66mdn83

    Agents to look after
    AGENT        STATE  LIVENESS  LAST SEEN
    amber-otter  stuck  active    just now

    3 waiting for an ack (3 overdue), 2 handshakes, 2 reservations, 1 agent stuck
    ");
}

#[test]
fn the_tasks() {
    let world = world();
    let assign = |to: &str, task: &str, title: &str| {
        let line = ["assign", "--from", "lead-one", "--to", to, "--task", task, "--title", title];
        world.bb(line.iter().chain(&["--body", "As agreed."])).ok();
    };
    assign("amber-otter", "GH-42", "Log in and out");
    assign(LONG_NAME, "GH-77", "Rate limits for the public API, with a header that says how many are left");
    let ask = ["ack", "--agent", "amber-otter", "--task", "GH-42", "--question", "JWT or cookies?"];
    world.bb(ask).ok();
    insta::assert_snapshot!(seen(&world, "tasks"), @r"
    80
    TASK   STATUS            AGENT             TITLE            MAY BEGIN
    GH-77  assigned          a-name-that-is-…  Rate limits fo…  no: `a-name-that-is…
    GH-42  needs-clarifica…  amber-otter       Log in and out   no: 1 question wait…
    2 tasks

    120
    TASK   STATUS               AGENT                     FROM      TITLE                     AGE  MAY BEGIN
    GH-77  assigned             a-name-that-is-as-long-…  lead-one  Rate limits for the pub…  0s   no: `a-name-that-is-as-l…
    GH-42  needs-clarification  amber-otter               lead-one  Log in and out            0s   no: 1 question waits for…
    2 tasks

    200
    TASK   STATUS               AGENT                                        FROM      TITLE                             AGE  MAY BEGIN
    GH-77  assigned             a-name-that-is-as-long-as-names-of-agents-…  lead-one  Rate limits for the public API,…  0s   no: `a-name-that-is-as-long-as-names-of-agents-can-be` has not acknowledged it
    GH-42  needs-clarification  amber-otter                                  lead-one  Log in and out                    0s   no: 1 question waits for an answer from `lead-one`
    2 tasks
    ");
}

#[test]
fn the_agents() {
    insta::assert_snapshot!(seen(&world(), "list"), @"
    80
    AGENT                      ROLE                       STATE  LIVENESS  LAST SEEN
    a-name-that-is-as-long-a…  documentation and transl…  idle   active    1m ago
    amber-otter                backend                    idle   active    1m ago
    lead-one                   lead                       idle   active    2m ago
    3 agents

    120
    AGENT                        ROLE                        STATE  LIVENESS  LAST SEEN  NAME
    a-name-that-is-as-long-as-…  documentation and transla…  idle   active    1m ago     An Agent Whose Name Says Everything
    amber-otter                  backend                     idle   active    1m ago
    lead-one                     lead                        idle   active    2m ago
    3 agents

    200
    AGENT                                             ROLE                           STATE  LIVENESS  LAST SEEN  NAME
    a-name-that-is-as-long-as-names-of-agents-can-be  documentation and translation  idle   active    1m ago     An Agent Whose Name Says Everything
    amber-otter                                       backend                        idle   active    1m ago
    lead-one                                          lead                           idle   active    2m ago
    3 agents
    ");
}

#[test]
fn the_log() {
    insta::assert_snapshot!(seen(&world(), "log --limit 4"), @"
    80
    WHEN (UTC)      AGENT                     WHAT
    03-04 00:12:22  amber-otter               sent qw2bthpy19 to lead-one (pre-oper…
    03-04 00:12:22  amber-otter               Started waiting for acknowledgment fr…
    03-04 00:12:22  a-name-that-is-as-long-…  sent p11magbt3c to lead-one (pre-oper…
    03-04 00:12:22  a-name-that-is-as-long-…  Started waiting for acknowledgment fr…

    120
    WHEN (UTC)      AGENT                         EVENT              WHAT
    03-04 00:12:22  amber-otter                   message.sent       sent qw2bthpy19 to lead-one (pre-operation, BLOCKED, a…
    03-04 00:12:22  amber-otter                   handshake.started  Started waiting for acknowledgment from lead-one
    03-04 00:12:22  a-name-that-is-as-long-as-n…  message.sent       sent p11magbt3c to lead-one (pre-operation, BLOCKED, a…
    03-04 00:12:22  a-name-that-is-as-long-as-n…  handshake.started  Started waiting for acknowledgment from lead-one

    200
    WHEN (UTC)      AGENT                                             EVENT              WHAT
    03-04 00:12:22  amber-otter                                       message.sent       sent qw2bthpy19 to lead-one (pre-operation, BLOCKED, ack required)
    03-04 00:12:22  amber-otter                                       handshake.started  Started waiting for acknowledgment from lead-one
    03-04 00:12:22  a-name-that-is-as-long-as-names-of-agents-can-be  message.sent       sent p11magbt3c to lead-one (pre-operation, BLOCKED, ack required)
    03-04 00:12:22  a-name-that-is-as-long-as-names-of-agents-can-be  handshake.started  Started waiting for acknowledgment from lead-one
    ");
}

/// Hints are lines to type and stay whole.
#[test]
fn a_diagnosis() {
    let world = world();
    world.pass(600);
    for width in WIDTHS {
        let run = world.bb_with(&[("COLUMNS", &width.to_string())], ["doctor"]).ok();
        let details: Vec<_> = run.stdout.lines().filter(|line| !line.contains(" hint: ")).collect();
        assert!(details.iter().all(|line| line.width() <= width), "{run}");
        assert!(details.iter().any(|line| line.contains("2 of 2 are driven by nobody")), "{run}");
    }
}

#[test]
fn who_i_am() {
    insta::assert_snapshot!(seen(&world(), "whoami"), @"
    80
    lead-one (from BB_AGENT)
    registered yes
    store      WORLD/store/bb.db

    120
    lead-one (from BB_AGENT)
    registered yes
    store      WORLD/store/bb.db

    200
    lead-one (from BB_AGENT)
    registered yes
    store      WORLD/store/bb.db
    ");
}

#[test]
fn an_agent() {
    insta::assert_snapshot!(seen(&world(), &format!("show {LONG_NAME}")), @"
    80
    a-name-that-is-as-long-as-names-of-agents-can-be  idle, active
    name       An Agent Whose Name Says Everything
    role       documentation and translation
    last seen  1m ago
    registered 2m ago
    protected  no
    mail       0 unread, 0 messages waiting for its ack

    120
    a-name-that-is-as-long-as-names-of-agents-can-be  idle, active
    name       An Agent Whose Name Says Everything
    role       documentation and translation
    last seen  1m ago
    registered 2m ago
    protected  no
    mail       0 unread, 0 messages waiting for its ack

    200
    a-name-that-is-as-long-as-names-of-agents-can-be  idle, active
    name       An Agent Whose Name Says Everything
    role       documentation and translation
    last seen  1m ago
    registered 2m ago
    protected  no
    mail       0 unread, 0 messages waiting for its ack
    ");
}

#[test]
fn a_message() {
    let world = world();
    let id = world.json(["inbox", "--agent", "lead-one", "--category", "BLOCKED", "--limit", "500"]);
    let id = id.as_array().unwrap().last().unwrap()["message_id"].as_str().unwrap().to_owned();
    insta::assert_snapshot!(seen(&world, &format!("show {id}")), @"
    80
    Cannot run the contract test because the delegate is missing in this repository
    id         msg_20260304_001142_agzys1yj95
    from       amber-otter
    to         lead-one
    category   BLOCKED, urgent priority, requires an ack
    bead       bb-1
    sent       2026-03-04T00:11:42.000Z (1m ago)
    state      unread

    │ The delegate is missing; I need its configuration, or leave to run the
    │ preflight with a patch that somebody has looked at.
    │ 
    │     bd config get mail.delegate

    120
    Cannot run the contract test because the delegate is missing in this repository
    id         msg_20260304_001142_agzys1yj95
    from       amber-otter
    to         lead-one
    category   BLOCKED, urgent priority, requires an ack
    bead       bb-1
    sent       2026-03-04T00:11:42.000Z (1m ago)
    state      unread

    │ The delegate is missing; I need its configuration, or leave to run the preflight with a patch that somebody has looked
    │ at.
    │ 
    │     bd config get mail.delegate

    200
    Cannot run the contract test because the delegate is missing in this repository
    id         msg_20260304_001142_agzys1yj95
    from       amber-otter
    to         lead-one
    category   BLOCKED, urgent priority, requires an ack
    bead       bb-1
    sent       2026-03-04T00:11:42.000Z (1m ago)
    state      unread

    │ The delegate is missing; I need its configuration, or leave to run the preflight with a patch that somebody has looked at.
    │ 
    │     bd config get mail.delegate
    ");
}

#[test]
fn a_glance() {
    insta::assert_snapshot!(seen(&world(), ""), @"
    80
    lead-one is idle and active, 5 unread
    5 messages need you: 1 urgent, 2 high, 2 normal
    ID          FROM                      CATEGORY  SUBJECT                NEEDS
    agzys1yj95  amber-otter               BLOCKED   Cannot run the contr…  read, ack
    qw2bthpy19  amber-otter               BLOCKED   Agent Restart Pendin…  read, ack
    p11magbt3c  a-name-that-is-as-long-…  BLOCKED   Rolling Deploy Of Th…  read, ack
    tr75541b83  a-name-that-is-as-long-…  INFO      日本語の件名がここに…  read
    0s6g7gmgvy  amber-otter               INFO      Done                   read
    amber-otter waits for you: restart, 60 s left
    a-name-that-is-as-long-as-names-of-agents-can-be waits for you: rolling deploy
      of the documentation, 60 s left
    next: bb read msg_20260304_001222_qw2bthpy19

    120
    lead-one is idle and active, 5 unread
    5 messages need you: 1 urgent, 2 high, 2 normal
    ID          FROM                      CATEGORY  PRIORITY  SUBJECT                                         AGE  NEEDS
    agzys1yj95  amber-otter               BLOCKED   urgent    Cannot run the contract test because the dele…  1m   read, ack
    qw2bthpy19  amber-otter               BLOCKED   high      Agent Restart Pending - Acknowledgment Requir…  1m   read, ack
    p11magbt3c  a-name-that-is-as-long-…  BLOCKED   high      Rolling Deploy Of The Documentation Pending -…  1m   read, ack
    tr75541b83  a-name-that-is-as-long-…  INFO      normal    日本語の件名がここにあります、とても長い件名…   1m   read
    0s6g7gmgvy  amber-otter               INFO      normal    Done                                            1m   read
    amber-otter waits for you: restart, 60 s left
    a-name-that-is-as-long-as-names-of-agents-can-be waits for you: rolling deploy of the documentation, 60 s left
    next: bb read msg_20260304_001222_qw2bthpy19

    200
    lead-one is idle and active, 5 unread
    5 messages need you: 1 urgent, 2 high, 2 normal
    ID          FROM                                              CATEGORY  PRIORITY  SUBJECT                                                                          AGE  NEEDS
    agzys1yj95  amber-otter                                       BLOCKED   urgent    Cannot run the contract test because the delegate is missing in this repository  1m   read, ack
    qw2bthpy19  amber-otter                                       BLOCKED   high      Agent Restart Pending - Acknowledgment Required                                  1m   read, ack
    p11magbt3c  a-name-that-is-as-long-as-names-of-agents-can-be  BLOCKED   high      Rolling Deploy Of The Documentation Pending - Acknowledgment Required            1m   read, ack
    tr75541b83  a-name-that-is-as-long-as-names-of-agents-can-be  INFO      normal    日本語の件名がここにあります、とても長い件名です                                 1m   read
    0s6g7gmgvy  amber-otter                                       INFO      normal    Done                                                                             1m   read
    amber-otter waits for you: restart, 60 s left
    a-name-that-is-as-long-as-names-of-agents-can-be waits for you: rolling deploy of the documentation, 60 s left
    next: bb read msg_20260304_001222_qw2bthpy19
    ");
}

#[test]
fn a_story() {
    insta::assert_snapshot!(seen(&world(), "explain lead-one"), @"
    80
    agent lead-one
    id         lead-one
    role       lead
    last seen  2m ago
    mail       5 unread, 3 waiting for its ack
    now        idle, active

    2026-03-04T00:11:22.000Z  lead-one            was registered as lead
    2026-03-04T00:11:42.000Z  amber-otter         sent
        msg_20260304_001142_agzys1yj95 to lead-one (BLOCKED, ack required)
    2026-03-04T00:12:02.000Z  a-name-that-is-as-long-as-names-of-agents-can-be  sent
        msg_20260304_001202_tr75541b83 to lead-one (INFO)
    2026-03-04T00:12:22.000Z  amber-otter         sent
        msg_20260304_001222_0s6g7gmgvy to lead-one (INFO)
    2026-03-04T00:12:22.000Z  amber-otter         sent
        msg_20260304_001222_qw2bthpy19 to lead-one (pre-operation, BLOCKED, ack
        required)
    2026-03-04T00:12:22.000Z  a-name-that-is-as-long-as-names-of-agents-can-be  sent
        msg_20260304_001222_p11magbt3c to lead-one (pre-operation, BLOCKED, ack
        required)

    next, for lead-one: bb agent inbox --agent lead-one --pending

    120
    agent lead-one
    id         lead-one
    role       lead
    last seen  2m ago
    mail       5 unread, 3 waiting for its ack
    now        idle, active

    2026-03-04T00:11:22.000Z  lead-one            was registered as lead
    2026-03-04T00:11:42.000Z  amber-otter         sent msg_20260304_001142_agzys1yj95 to lead-one (BLOCKED, ack required)
    2026-03-04T00:12:02.000Z  a-name-that-is-as-long-as-names-of-agents-can-be  sent msg_20260304_001202_tr75541b83 to
        lead-one (INFO)
    2026-03-04T00:12:22.000Z  amber-otter         sent msg_20260304_001222_0s6g7gmgvy to lead-one (INFO)
    2026-03-04T00:12:22.000Z  amber-otter         sent msg_20260304_001222_qw2bthpy19 to lead-one (pre-operation, BLOCKED,
        ack required)
    2026-03-04T00:12:22.000Z  a-name-that-is-as-long-as-names-of-agents-can-be  sent msg_20260304_001222_p11magbt3c to
        lead-one (pre-operation, BLOCKED, ack required)

    next, for lead-one: bb agent inbox --agent lead-one --pending

    200
    agent lead-one
    id         lead-one
    role       lead
    last seen  2m ago
    mail       5 unread, 3 waiting for its ack
    now        idle, active

    2026-03-04T00:11:22.000Z  lead-one            was registered as lead
    2026-03-04T00:11:42.000Z  amber-otter         sent msg_20260304_001142_agzys1yj95 to lead-one (BLOCKED, ack required)
    2026-03-04T00:12:02.000Z  a-name-that-is-as-long-as-names-of-agents-can-be  sent msg_20260304_001202_tr75541b83 to lead-one (INFO)
    2026-03-04T00:12:22.000Z  amber-otter         sent msg_20260304_001222_0s6g7gmgvy to lead-one (INFO)
    2026-03-04T00:12:22.000Z  amber-otter         sent msg_20260304_001222_qw2bthpy19 to lead-one (pre-operation, BLOCKED, ack required)
    2026-03-04T00:12:22.000Z  a-name-that-is-as-long-as-names-of-agents-can-be  sent msg_20260304_001222_p11magbt3c to lead-one (pre-operation, BLOCKED, ack required)

    next, for lead-one: bb agent inbox --agent lead-one --pending
    ");
}

/// 500 rows stay 500 lines at any width.
#[test]
fn five_hundred_rows() {
    let world = World::new();
    world.register("lead-one", "lead");
    world.bb(["register", "--name", LONG_NAME, "--role", "backend"]).ok();
    let names: Vec<_> = (0..100).map(|number| format!("agent-{number}")).collect();
    for name in &names {
        world.register(name, "backend");
    }
    for number in 0..5 {
        let subject = format!("{number} {}", "a subject of some length ".repeat(number * 2));
        world.bb(letter(&[("--from", "lead-one"), ("--to", "role:backend"), ("--subject", &subject)])).ok();
    }
    for number in 0..495 {
        let subject = format!("number {number} of many, and rather long for a subject that wants to be read");
        let from = if number % 2 == 0 { LONG_NAME } else { "agent-7" };
        world.bb(letter(&[("--from", from), ("--subject", &subject)])).ok();
    }
    for number in 0..40 {
        let (agent, task) = (format!("agent-{number}"), format!("GH-{number}"));
        let title = format!("Task {number}, whose title says at some length what is to be done");
        world
            .bb([
                "assign", "--from", "lead-one", "--to", &agent, "--task", &task, "--title", &title, "-m",
                "Do it.",
            ])
            .ok();
        let operation = format!("operation {number}, which takes a while");
        world.bb(["wait-ack", "--from", LONG_NAME, "--to", &agent, "--operation", &operation, "--no-wait"]);
        let scope = format!("src/part-{number}/of/a/tree/that/is/deep/**");
        world.bb(["reserve", "--agent", &agent, "--scope", &scope, "--bead", "bb-1"]).ok();
    }
    for width in [60, 80, 120, 200] {
        let columns = width.to_string();
        let run = |line: &[&str]| {
            let text = world.bb_with(&[("COLUMNS", &columns), ("BB_AGENT", "lead-one")], line).ok().stdout;
            fits(&text, width);
            text
        };
        let inbox = run(&["inbox", "--limit", "500"]);
        assert_eq!(inbox.lines().filter(|line| line.contains(" numb")).count(), 495, "{inbox}");
        assert_eq!(run(&["inbox", "--limit", "500", "--brief"]).lines().count(), 496);
        assert_eq!(run(&["list"]).lines().count(), 104);
        run(&["log", "--limit", "500"]);
        run(&["thread", "bead:bb-1"]);
        run(&[]);
        let status = run(&["status"]);
        assert!(status.lines().count() < 60, "one screen or two:\n{status}");
        assert!(status.contains("80 waiting for an ack, 40 handshakes, 40 reservations"), "{status}");
        assert_eq!(status.lines().filter(|line| line.starts_with("… and 30 more")).count(), 2, "{status}");
        let waits = run(&["waits"]);
        assert_eq!(waits.lines().count(), 42, "{waits}");
        assert!(waits.ends_with("40 open handshakes\n"), "{waits}");
        let tasks = run(&["tasks"]);
        assert_eq!(tasks.lines().filter(|line| line.contains("GH-")).count(), 40, "{tasks}");
    }
}
