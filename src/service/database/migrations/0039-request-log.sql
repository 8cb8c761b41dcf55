-- Requests and their answers, kept for some days. It has no body, query, address or person, and the ledger
-- does not rely on it. A client may repeat its own request id, so an id is not unique.
CREATE TABLE request_log (
  id               text COLLATE "C" NOT NULL,
  organization_id  text COLLATE "C" NOT NULL,
  livemode         boolean NOT NULL,
  -- The workspace that the key is restricted to.
  workspace_id     text COLLATE "C",
  key_id           text COLLATE "C" NOT NULL,
  method           text COLLATE "C" NOT NULL,
  route            text COLLATE "C" NOT NULL,
  status           smallint NOT NULL,
  reason           text COLLATE "C",
  outcome          text COLLATE "C",
  duration_ms      int NOT NULL,
  -- How many requests the row represents: more than one if successes were sampled.
  represents       real NOT NULL,
  created_at       timestamptz NOT NULL
);
CREATE INDEX request_log_by_age ON request_log (organization_id, livemode, created_at DESC, id DESC);
-- Searches are for a part of an id, in upper or lower case.
CREATE INDEX request_log_by_id ON request_log (organization_id, livemode, lower(id));
CREATE INDEX request_log_to_forget ON request_log (created_at);
