-- The people who decide. Events hold only their ids: names and addresses are stored only here, and
-- survive the erasure of any shipment.
CREATE TABLE operators (
  id               text COLLATE "C" PRIMARY KEY,
  organization_id  text COLLATE "C" NOT NULL REFERENCES organizations,
  name             text NOT NULL,
  email            text NOT NULL,
  status           text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  version          int NOT NULL DEFAULT 1,
  UNIQUE (organization_id, id)
);
CREATE INDEX operators_by_age ON operators (organization_id, created_at DESC, id DESC);
CREATE INDEX operators_by_status ON operators (organization_id, status, created_at DESC, id DESC);

-- A key belongs to an operator of its own organization or to none; earlier keys belong to none.
ALTER TABLE api_keys
  ADD COLUMN operator_id text COLLATE "C",
  ADD FOREIGN KEY (organization_id, operator_id) REFERENCES operators (organization_id, id);
