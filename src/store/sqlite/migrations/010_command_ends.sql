-- How the commands ended that were run before their end was kept with the handshake: the events tell. Which
-- signal ended one they do not; 128 is what a shell adds the number of the signal to.
UPDATE handshakes SET command_exit = (
    SELECT coalesce(json_extract(e.data, '$.exit_status'), 128) FROM events e
    WHERE e.operation_id = handshakes.operation_id AND e.event = 'operation.finished' ORDER BY e.id DESC LIMIT 1
) WHERE claimed_at IS NOT NULL AND command_exit IS NULL;
