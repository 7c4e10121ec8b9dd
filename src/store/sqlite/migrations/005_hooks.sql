-- Which open messages a session of an agent's harness was told of, and for which it was asked to ack.
-- Rows of messages that need nothing more are of no use and go; what was told stays in the events.
CREATE TABLE hook_tellings (
    agent    INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    message  INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    session  TEXT NOT NULL,
    shown_at INTEGER NOT NULL,
    asked_at INTEGER,
    PRIMARY KEY (agent, message, session)
) STRICT, WITHOUT ROWID;

CREATE INDEX hook_tellings_by_message ON hook_tellings (message);
