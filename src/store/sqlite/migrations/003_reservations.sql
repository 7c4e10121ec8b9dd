-- A git repository with all its worktrees, or a folder without git.
CREATE TABLE projects (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- Who reserved what. An end is a state, never a deletion. Of files: nothing below what fits the scope.
CREATE TABLE reservations (
    id             INTEGER PRIMARY KEY,
    reservation_id TEXT NOT NULL UNIQUE,
    project        INTEGER NOT NULL REFERENCES projects (id),
    scope          TEXT NOT NULL,
    of_files       INTEGER NOT NULL,
    agent          INTEGER NOT NULL REFERENCES agents (id),
    bead_id        TEXT,
    state          TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    expires_at     INTEGER NOT NULL,
    released_at    INTEGER,
    fence          INTEGER NOT NULL,
    reason         TEXT,
    shared         INTEGER NOT NULL
) STRICT;

-- What a decision looks at: it stays small however long the history grows.
CREATE INDEX reservations_active ON reservations (project, fence) WHERE state = 'active';
CREATE INDEX reservations_by_agent ON reservations (agent, state, bead_id);

-- The last fence that was given out; it only grows.
CREATE TABLE fences (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    last INTEGER NOT NULL
) STRICT;

INSERT INTO fences (only, last) VALUES (1, 0);

-- Who waits for what, in the order they came: scopes in JSON, each with whether it is of files. A row
-- counts as long as its process runs.
CREATE TABLE reservation_waiters (
    place          INTEGER PRIMARY KEY AUTOINCREMENT,
    project        INTEGER NOT NULL REFERENCES projects (id),
    agent          INTEGER NOT NULL REFERENCES agents (id),
    scopes         TEXT NOT NULL,
    shared         INTEGER NOT NULL,
    takeover_stale INTEGER NOT NULL,
    since          INTEGER NOT NULL,
    until          INTEGER NOT NULL,
    pid            INTEGER NOT NULL
) STRICT;
