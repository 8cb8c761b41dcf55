-- How far the poller has added guides from the read model `tracking`. One row. It starts at the beginning,
-- so that guides that an earlier version issued but had not read yet are added too.
CREATE TABLE follow_progress (
  is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  position  text COLLATE "C" NOT NULL DEFAULT ''
);
INSERT INTO follow_progress DEFAULT VALUES;
