-- The sealed ledger: every event's place in the Merkle tree, in ledger order. Only ever appended to.
CREATE TABLE sealed_events (
  -- The leaf's number in the tree, from 0, without a gap.
  tree_index bigint PRIMARY KEY CHECK (tree_index >= 0),
  revision   int NOT NULL,
  -- Where the event stands in its event store.
  position   text COLLATE "C" NOT NULL UNIQUE,
  stream     text COLLATE "C" NOT NULL,
  leaf       bytea NOT NULL CHECK (octet_length(leaf) = 32)
);

-- Roots over full tiles of 256 hashes, tier above tier: the tile of a tier holds up to 256 of them.
CREATE TABLE merkle_tiles (
  tier   smallint NOT NULL CHECK (tier > 0),
  tile   bigint NOT NULL,
  hashes bytea NOT NULL,
  PRIMARY KEY (tier, tile)
);

-- How far the ledger is sealed, and the name of its tree, given once. One row.
CREATE TABLE merkle_tree (
  is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  origin   text NOT NULL,
  size     bigint NOT NULL,
  position text COLLATE "C"
);

-- Public keys that have signed checkpoints, in the order in which they were taken into use.
CREATE TABLE checkpoint_keys (
  key_id     text COLLATE "C" PRIMARY KEY,
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
  -- The first checkpoint that it has signed; the key before has signed that one too.
  since_size bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- What was signed: the note holds size, root and time, and is what other tools read.
CREATE TABLE checkpoints (
  tree_size bigint PRIMARY KEY CHECK (tree_size > 0),
  root      bytea NOT NULL CHECK (octet_length(root) = 32),
  position  text COLLATE "C" NOT NULL,
  key_id    text COLLATE "C" NOT NULL,
  signed_at timestamptz NOT NULL,
  note      text NOT NULL
);
CREATE INDEX checkpoints_by_time ON checkpoints (signed_at);
