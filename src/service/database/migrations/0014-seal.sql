-- The sealed ledger: every event's place in the Merkle tree, in ledger order. Append-only.
CREATE TABLE sealed_events (
  -- The leaf's number in the tree, from 0, without gaps.
  tree_index bigint PRIMARY KEY CHECK (tree_index >= 0),
  revision   int NOT NULL,
  -- The event's position in its event store.
  position   text COLLATE "C" NOT NULL UNIQUE,
  stream     text COLLATE "C" NOT NULL,
  leaf       bytea NOT NULL CHECK (octet_length(leaf) = 32)
);

-- Roots over full tiles of 256 hashes, by tier: a tile holds up to 256 roots of the tier below.
CREATE TABLE merkle_tiles (
  tier   smallint NOT NULL CHECK (tier > 0),
  tile   bigint NOT NULL,
  hashes bytea NOT NULL,
  PRIMARY KEY (tier, tile)
);

-- How far the ledger is sealed, and the name of its tree, which never changes. One row.
CREATE TABLE merkle_tree (
  is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  origin   text NOT NULL,
  size     bigint NOT NULL,
  position text COLLATE "C"
);

-- Public keys that have signed checkpoints, in the order of their introduction.
CREATE TABLE checkpoint_keys (
  key_id     text COLLATE "C" PRIMARY KEY,
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
  -- The first checkpoint that it signed. The previous key signed that one too.
  since_size bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The signed notes, with size, root and time, as other tools read them.
CREATE TABLE checkpoints (
  tree_size bigint PRIMARY KEY CHECK (tree_size > 0),
  root      bytea NOT NULL CHECK (octet_length(root) = 32),
  position  text COLLATE "C" NOT NULL,
  key_id    text COLLATE "C" NOT NULL,
  signed_at timestamptz NOT NULL,
  note      text NOT NULL
);
CREATE INDEX checkpoints_by_time ON checkpoints (signed_at);
