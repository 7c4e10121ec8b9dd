-- The files of the archive, in the order in which they were begun. Of a file only its first bytes count:
-- they were on the disk before the events in them left this store, in the transaction that wrote this row.
CREATE TABLE archive_files (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    bytes       INTEGER NOT NULL,
    events      INTEGER NOT NULL,
    first_event INTEGER NOT NULL,
    last_event  INTEGER NOT NULL,
    oldest_at   INTEGER NOT NULL,
    newest_at   INTEGER NOT NULL
) STRICT;

-- An id is never given twice, so the newest event stays.
CREATE TRIGGER events_leave_only_for_the_archive BEFORE DELETE ON events
WHEN OLD.id = (SELECT max(id) FROM events)
    OR NOT EXISTS (SELECT 1 FROM archive_files WHERE OLD.id BETWEEN first_event AND last_event)
BEGIN
    SELECT raise(ABORT, 'events leave only for the archive');
END;
