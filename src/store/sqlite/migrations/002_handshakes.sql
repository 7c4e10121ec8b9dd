-- A handshake as it stands: who is asked, the schedule, what was sent, what came back, how it ended.
-- boot and since_boot tie its start to a clock that nobody sets. due_at is empty once it is over.
CREATE TABLE handshakes (
    id           INTEGER PRIMARY KEY,
    operation_id TEXT NOT NULL UNIQUE,
    requester    INTEGER NOT NULL REFERENCES agents (id),
    snapshot     TEXT NOT NULL,
    boot         TEXT,
    since_boot   INTEGER,
    due_at       INTEGER,
    claimed_at   INTEGER
) STRICT;

CREATE INDEX handshakes_open ON handshakes (due_at) WHERE due_at IS NOT NULL;

-- Which requests belong to which handshake.
CREATE TABLE handshake_requests (
    message   INTEGER NOT NULL REFERENCES messages (id),
    handshake INTEGER NOT NULL REFERENCES handshakes (id),
    PRIMARY KEY (message, handshake)
) STRICT, WITHOUT ROWID;
