-- How far the sweep for orphans has come in the vault, by age: every row up to this one was checked
-- against its stream, at least a day after it was written, and need not be checked again.
CREATE TABLE vault_sweep (
  is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  swept_to timestamptz NOT NULL DEFAULT '-infinity',
  -- The last row checked, among several of the same moment.
  ref      uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
INSERT INTO vault_sweep DEFAULT VALUES;
