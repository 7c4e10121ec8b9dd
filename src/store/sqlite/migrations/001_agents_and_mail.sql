-- Text ids stand in one unique index each; everything else refers to integers.
CREATE TABLE agents (
    id           INTEGER PRIMARY KEY,
    agent_id     TEXT NOT NULL UNIQUE,
    display      TEXT NOT NULL,
    role         TEXT NOT NULL,
    session      TEXT,
    state        TEXT NOT NULL,
    token_hash   TEXT,
    replaced_by  INTEGER REFERENCES agents (id),
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
) STRICT;

-- The words of a message. A fan-out stores them once.
CREATE TABLE texts (
    id      INTEGER PRIMARY KEY,
    body    TEXT NOT NULL,
    content TEXT
) STRICT;

-- What never changes about a message. The id is its place in the order of all messages.
CREATE TABLE messages (
    id           INTEGER PRIMARY KEY,
    message_id   TEXT NOT NULL UNIQUE,
    thread_id    TEXT NOT NULL,
    bead_id      TEXT,
    from_agent   INTEGER NOT NULL REFERENCES agents (id),
    to_agent     INTEGER NOT NULL REFERENCES agents (id),
    category     TEXT NOT NULL,
    kind         TEXT NOT NULL,
    priority     TEXT NOT NULL,
    subject      TEXT NOT NULL,
    text_id      INTEGER NOT NULL REFERENCES texts (id),
    created_at   INTEGER NOT NULL,
    reply_to     INTEGER REFERENCES messages (id),
    broadcast_id TEXT,
    operation_id TEXT,
    verified     INTEGER NOT NULL
) STRICT;

CREATE INDEX messages_by_thread ON messages (thread_id, id);
CREATE INDEX messages_by_broadcast ON messages (broadcast_id) WHERE broadcast_id IS NOT NULL;
CREATE INDEX messages_by_operation ON messages (operation_id) WHERE operation_id IS NOT NULL;

-- How far a message has come with its recipient. state: 0 unread, 1 read, 2 acked.
-- needs: 1 to be read, 2 an ack, 3 both, 0 nothing more. A closed message needs no ack any more.
CREATE TABLE deliveries (
    agent        INTEGER NOT NULL REFERENCES agents (id),
    message      INTEGER NOT NULL REFERENCES messages (id),
    state        INTEGER NOT NULL,
    requires_ack INTEGER NOT NULL,
    ack_due_at   INTEGER,
    read_at      INTEGER,
    acked_at     INTEGER,
    closed_at    INTEGER,
    needs        INTEGER NOT NULL GENERATED ALWAYS AS (
        (state = 0) + 2 * (requires_ack AND state < 2 AND closed_at IS NULL)
    ) STORED,
    PRIMARY KEY (agent, message)
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_open ON deliveries (agent, message, needs) WHERE needs > 0;
CREATE INDEX deliveries_unacked ON deliveries (message) WHERE needs >= 2;

-- What a recipient answered, at most once for each message.
CREATE TABLE responses (
    message    INTEGER PRIMARY KEY REFERENCES messages (id),
    verdict    TEXT NOT NULL,
    words      TEXT NOT NULL,
    notes      TEXT,
    carried_by INTEGER REFERENCES messages (id),
    at         INTEGER NOT NULL
) STRICT;

-- The same sender and key twice is one message.
CREATE TABLE send_keys (
    from_agent INTEGER NOT NULL REFERENCES agents (id),
    key        TEXT NOT NULL,
    message    INTEGER NOT NULL REFERENCES messages (id),
    PRIMARY KEY (from_agent, key)
) STRICT, WITHOUT ROWID;

-- What happened, written with the change itself and never altered.
CREATE TABLE events (
    id           INTEGER PRIMARY KEY,
    at           INTEGER NOT NULL,
    event        TEXT NOT NULL,
    agent        INTEGER REFERENCES agents (id),
    about        TEXT,
    operation_id TEXT,
    data         TEXT,
    uid          INTEGER NOT NULL,
    pid          INTEGER NOT NULL,
    parent_pid   INTEGER NOT NULL,
    cwd          TEXT NOT NULL
) STRICT;

CREATE INDEX events_by_operation ON events (operation_id, id) WHERE operation_id IS NOT NULL;
CREATE TRIGGER events_are_never_altered BEFORE UPDATE ON events BEGIN
    SELECT raise(ABORT, 'events are never altered');
END;
