-- Each batch of the sealer is one row, never updated: a row with two index entries per event was 3 of the
-- 17 rows that a creation inserts.
CREATE TABLE sealed_batches (
  -- The number of its first leaf in the tree, from 0. The next batch continues where this one ends.
  first_index bigint PRIMARY KEY CHECK (first_index >= 0),
  -- For each event in the order of the tree: its position in the event store, its stream and revision.
  positions   text[] COLLATE "C" NOT NULL,
  streams     text[] COLLATE "C" NOT NULL,
  revisions   int[] NOT NULL,
  -- The leaves of all events, 32 bytes each.
  leaves      bytea NOT NULL,
  CHECK (array_position(positions, NULL) IS NULL AND array_position(streams, NULL) IS NULL
    AND array_position(revisions, NULL) IS NULL),
  CHECK (cardinality(positions) > 0 AND array_lower(positions, 1) = 1
    AND cardinality(streams) = cardinality(positions)
    AND cardinality(revisions) = cardinality(positions)
    AND octet_length(leaves) = 32 * cardinality(positions)),
  -- No leaf's number is in two batches.
  EXCLUDE USING gist (int8range(first_index, first_index + octet_length(leaves) / 32) WITH &&)
);
-- The batch that contains a position begins at that position or before it.
CREATE UNIQUE INDEX sealed_batches_by_position ON sealed_batches ((positions[1]));

-- Another process may be sealing: what it has sealed is moved, and what it has begun fails.
LOCK TABLE sealed_events IN ACCESS EXCLUSIVE MODE;
-- A removed place stays a gap.
INSERT INTO sealed_batches
SELECT min(tree_index), array_agg(position ORDER BY tree_index), array_agg(stream ORDER BY tree_index),
  array_agg(revision ORDER BY tree_index), string_agg(leaf, '' ORDER BY tree_index)
FROM (
  SELECT *, tree_index - row_number() OVER (ORDER BY tree_index) AS gaps_before FROM sealed_events
) AS sealed
GROUP BY tree_index / 256, gaps_before;
DROP TABLE sealed_events;
