-- Cosignatures of witnesses on signed checkpoints. Append-only; a checkpoint that is thinned out takes
-- its cosignatures with it.
CREATE TABLE checkpoint_cosignatures (
  tree_size   bigint NOT NULL REFERENCES checkpoints ON DELETE CASCADE,
  -- The witness's key: names and ids identify it together.
  name        text COLLATE "C" NOT NULL,
  key_id      text COLLATE "C" NOT NULL,
  -- The signature line as appended to the note, with its line feed.
  line        text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tree_size, name, key_id)
);
CREATE INDEX checkpoint_cosignatures_by_witness
  ON checkpoint_cosignatures (name, key_id, tree_size);
