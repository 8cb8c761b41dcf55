-- Up to where the poller has taken up guides from the read model `tracking`. One row. From the beginning
-- at first: a guide that an earlier version issued and had not read yet is taken up then.
CREATE TABLE follow_progress (
  is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  position  text COLLATE "C" NOT NULL DEFAULT ''
);
INSERT INTO follow_progress DEFAULT VALUES;
