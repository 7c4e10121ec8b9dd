-- A delegated task as it stands. What is searched for stands in columns of its own; at most one task of
-- a name is open. due_at is when something is to be done about it although nobody says anything.
CREATE TABLE tasks (
    id           INTEGER PRIMARY KEY,
    task_uuid    TEXT NOT NULL UNIQUE,
    task_id      TEXT NOT NULL,
    agent        INTEGER NOT NULL REFERENCES agents (id),
    delegated_by INTEGER NOT NULL REFERENCES agents (id),
    status       TEXT NOT NULL,
    open         INTEGER NOT NULL,
    due_at       INTEGER,
    task         TEXT NOT NULL
) STRICT;

CREATE INDEX tasks_by_name ON tasks (task_id, id);
CREATE UNIQUE INDEX tasks_open_by_name ON tasks (task_id) WHERE open;
CREATE INDEX tasks_open_of_agent ON tasks (agent, delegated_by) WHERE open;
CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL;
