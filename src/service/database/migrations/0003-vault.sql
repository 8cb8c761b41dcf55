-- One row per body of a shipment attempt: personal data and free text, under a data key of its own.
-- Deleting the row erases the person; the events that refer to it stay complete.
CREATE TABLE vault (
  ref              uuid PRIMARY KEY,
  organization_id  text COLLATE "C" NOT NULL,
  workspace_id     text COLLATE "C" NOT NULL,
  shipment_id      text COLLATE "C" NOT NULL,
  -- The data key, encrypted under the master key of that version; NULL once erased.
  master_key_id    text NOT NULL,
  wrapped_key      bytea,
  payload          bytea,
  created_at       timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX vault_by_age ON vault (created_at);

-- Later data of the same person (pickup code, label, refusal, note), under the same data key.
CREATE TABLE vault_items (
  ref        uuid PRIMARY KEY,
  vault_ref  uuid NOT NULL REFERENCES vault ON DELETE CASCADE,
  payload    bytea,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX vault_items_by_vault ON vault_items (vault_ref);

-- Digests of the secrets that this data was created with, so that a start with other secrets stops.
CREATE TABLE secret_checks (
  name    text PRIMARY KEY,
  digest  bytea NOT NULL
);
