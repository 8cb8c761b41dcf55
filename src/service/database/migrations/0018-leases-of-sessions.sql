-- A lease names the database session that took it last: when that is gone, so is who held it.
ALTER TABLE claims ADD COLUMN session_pid integer, ADD COLUMN session_started timestamptz;
