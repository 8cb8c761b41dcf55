-- A lease names the database session that last took it. When the session is gone, so is the holder.
ALTER TABLE claims ADD COLUMN session_pid integer, ADD COLUMN session_started timestamptz;
