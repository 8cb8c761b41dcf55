-- Files outside the database that cannot be written, recorded by the process that writes them so that
-- every process can report it.
CREATE TABLE unwritable_files (
  file  text COLLATE "C" PRIMARY KEY CHECK (file IN ('checkpoints', 'erasures')),
  -- The operating system's code, such as ENOSPC.
  code  text NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);
