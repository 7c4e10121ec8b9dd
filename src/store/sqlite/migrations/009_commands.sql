-- Who took it upon itself to run the command of an operation, told apart from a later process with the
-- same number, and what the command exited with; nothing as long as it runs.
ALTER TABLE handshakes ADD COLUMN claimed_pid INTEGER;
ALTER TABLE handshakes ADD COLUMN claimed_birth TEXT;
ALTER TABLE handshakes ADD COLUMN command_exit INTEGER;
