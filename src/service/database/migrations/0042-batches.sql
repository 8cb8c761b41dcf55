-- Shipments that were requested together. A batch and its lines are deleted some months after it ended;
-- the outcome of each line is in the ledger, in the stream of its own key.
CREATE TABLE batches (
  id                  text COLLATE "C" PRIMARY KEY,
  organization_id     text COLLATE "C" NOT NULL,
  workspace_id        text COLLATE "C" NOT NULL,
  livemode            boolean NOT NULL,
  external_reference  text COLLATE "C" NOT NULL,
  -- The actor, as in the events of its shipments.
  actor               jsonb NOT NULL,
  request_id          text COLLATE "C" NOT NULL,
  -- The data key of its lines, encrypted under a master key.
  master_key_id       text COLLATE "C" NOT NULL,
  wrapped_key         bytea NOT NULL,
  total               int NOT NULL,
  -- Lines that have ended.
  ended               int NOT NULL,
  -- Wall clock, all three.
  created_at          timestamptz NOT NULL DEFAULT now(),
  cancelled_at        timestamptz,
  ended_at            timestamptz
);
CREATE INDEX batches_by_age ON batches (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX batches_by_reference ON batches (organization_id, livemode, external_reference, created_at DESC, id DESC);
CREATE INDEX batches_running ON batches (organization_id, livemode) WHERE ended_at IS NULL;
CREATE INDEX batches_to_forget ON batches (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE batch_lines (
  batch_id         text COLLATE "C" NOT NULL,
  line             int NOT NULL,
  organization_id  text COLLATE "C" NOT NULL,
  -- Null for a line without a connection of its workspace.
  connection_id    text COLLATE "C",
  -- Null for a line that was refused before it had a key.
  idempotency_key  text COLLATE "C",
  shipment_id      text COLLATE "C",
  -- Encrypted with the batch's data key; null once the line has ended.
  body             bytea,
  scenario         text COLLATE "C",
  -- waiting, begun; ended: answered, failed, cancelled.
  state            text COLLATE "C" NOT NULL,
  -- The holder of the lane that began it.
  begun_by         uuid,
  tries            int NOT NULL DEFAULT 0,
  not_before       timestamptz NOT NULL DEFAULT now(),
  -- The status of its shipment when the line was answered; the read model may be a moment behind.
  status           text COLLATE "C",
  -- Why it was refused, and the whole refusal, encrypted with the batch's data key.
  reason           text COLLATE "C",
  refusal          bytea,
  PRIMARY KEY (batch_id, line),
  FOREIGN KEY (batch_id) REFERENCES batches (id) ON DELETE CASCADE
);
CREATE INDEX batch_lines_to_do ON batch_lines (connection_id, not_before, batch_id, line)
  WHERE state IN ('waiting', 'begun');

-- One row per connection with open lines, which one holder at a time processes.
CREATE TABLE batch_lanes (
  connection_id    text COLLATE "C" PRIMARY KEY,
  organization_id  text COLLATE "C" NOT NULL,
  next_at          timestamptz NOT NULL DEFAULT now(),
  owner            uuid,
  leased_until     timestamptz,
  served_at        timestamptz NOT NULL DEFAULT '-infinity',
  -- Increases with every batch that adds lines, so that a lane with new lines is not closed.
  version          bigint NOT NULL DEFAULT 1
);
CREATE INDEX batch_lanes_due ON batch_lanes (next_at);
