-- A handoff as it stands. What is searched for stands in columns of its own; an open one may still be
-- superseded.
CREATE TABLE handoffs (
    id           INTEGER PRIMARY KEY,
    handoff_id   TEXT NOT NULL UNIQUE,
    orchestrator INTEGER NOT NULL REFERENCES agents (id),
    failed       INTEGER NOT NULL REFERENCES agents (id),
    replacement  INTEGER NOT NULL REFERENCES agents (id),
    step         TEXT NOT NULL,
    open         INTEGER NOT NULL,
    handoff      TEXT NOT NULL
) STRICT;

CREATE INDEX handoffs_open ON handoffs (id) WHERE open;
