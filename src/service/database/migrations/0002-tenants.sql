CREATE TABLE organizations (
  id          text COLLATE "C" PRIMARY KEY,
  name        text NOT NULL,
  type        text NOT NULL CHECK (type IN ('external', 'internal', 'platform')),
  created_at  timestamptz NOT NULL
);

CREATE TABLE workspaces (
  id                  text COLLATE "C" PRIMARY KEY,
  organization_id     text COLLATE "C" NOT NULL REFERENCES organizations,
  livemode            boolean NOT NULL,
  name                text NOT NULL,
  external_reference  text NOT NULL,
  personal_data_retention_days int CHECK (personal_data_retention_days BETWEEN 1 AND 3650),
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  version             int NOT NULL DEFAULT 1,
  UNIQUE (organization_id, livemode, external_reference),
  UNIQUE (organization_id, id)
);
CREATE INDEX workspaces_by_age ON workspaces (organization_id, livemode, created_at DESC, id DESC);

CREATE TABLE api_keys (
  id               text COLLATE "C" PRIMARY KEY,
  organization_id  text COLLATE "C" NOT NULL REFERENCES organizations,
  workspace_id     text COLLATE "C",
  livemode         boolean NOT NULL,
  -- HMAC-SHA256 of the whole key under the pepper of that version; the key itself is not stored.
  digest           bytea NOT NULL UNIQUE,
  pepper_version   int NOT NULL,
  last4            text NOT NULL,
  scopes           text[] NOT NULL,
  expires_at       timestamptz,
  revoked_at       timestamptz,
  last_used_at     timestamptz,
  created_at       timestamptz NOT NULL,
  FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id)
);
CREATE INDEX api_keys_by_organization ON api_keys (organization_id, created_at DESC, id DESC);

CREATE TABLE courier_connections (
  id                   text COLLATE "C" PRIMARY KEY,
  organization_id      text COLLATE "C" NOT NULL,
  workspace_id         text COLLATE "C" NOT NULL,
  livemode             boolean NOT NULL,
  provider_code        text NOT NULL,
  display_name         text NOT NULL,
  status               text NOT NULL CHECK (status IN ('active', 'needs_reauth', 'disabled')),
  -- Encrypted for this organization and connection: in another row it cannot be decrypted.
  credentials          bytea NOT NULL,
  credentials_version  int NOT NULL DEFAULT 1,
  verified_at          timestamptz,
  deleted_at           timestamptz,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  version              int NOT NULL DEFAULT 1,
  FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id)
);
CREATE INDEX courier_connections_by_age
  ON courier_connections (organization_id, livemode, created_at DESC, id DESC);

-- Answers to POSTs, other than shipments, with an optional Idempotency-Key. Kept for 24 h.
CREATE TABLE idempotent_answers (
  organization_id  text COLLATE "C" NOT NULL,
  livemode         boolean NOT NULL,
  route            text NOT NULL,
  key_digest       bytea NOT NULL,
  fingerprint      bytea NOT NULL,
  resource_id      text COLLATE "C",
  created_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, livemode, route, key_digest)
);
