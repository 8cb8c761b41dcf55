-- The checkpoint of each projection. The highest generation with `active` is the one that is read.
CREATE TABLE projections (
  name        text COLLATE "C" NOT NULL,
  generation  int NOT NULL,
  version     int NOT NULL,
  position    text COLLATE "C",
  active      boolean NOT NULL,
  stopped_by  text,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, generation)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX projections_active ON projections (name) WHERE active;

-- A lease on a piece of work: until it ends, only its holder does the work.
CREATE TABLE claims (
  work          text COLLATE "C" PRIMARY KEY,
  -- The lease's owner: a process paused past its lease must not release its successor's.
  owner         uuid,
  leased_until  timestamptz NOT NULL
) WITH (fillfactor = 50);

-- The poller's state of a shipment. Not in the ledger, because a poll that changes nothing is no event.
CREATE TABLE polls (
  shipment_id      text COLLATE "C" PRIMARY KEY,
  last_checked_at  timestamptz,
  next_check_at    timestamptz NOT NULL,
  failures         int NOT NULL DEFAULT 0
) WITH (fillfactor = 70);

-- When the courier was last asked for a label, on the workspace's clock.
CREATE TABLE label_requests (
  shipment_id   text COLLATE "C" PRIMARY KEY,
  requested_at  timestamptz NOT NULL,
  next_at       timestamptz
) WITH (fillfactor = 70);

CREATE TABLE sandbox_clocks (
  workspace_id  text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  offset_ms     bigint NOT NULL DEFAULT 0 CHECK (offset_ms >= 0),
  -- Set while an advance runs: its target, and when it began.
  advancing_to  timestamptz,
  advancing_since timestamptz
);

-- Attempts of test workspaces that may be in flight, so that an advance can wait for them.
CREATE TABLE sandbox_attempts (
  shipment_id    text COLLATE "C" NOT NULL,
  workspace_id   text COLLATE "C" NOT NULL,
  registered_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (shipment_id, registered_at)
);
CREATE INDEX sandbox_attempts_by_workspace ON sandbox_attempts (workspace_id, registered_at);

-- Each test workspace has a clock from the start, so that attempts have a row to lock.
CREATE FUNCTION make_sandbox_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sandbox_clocks (workspace_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER workspace_has_clock AFTER INSERT ON workspaces
  FOR EACH ROW WHEN (NOT NEW.livemode) EXECUTE FUNCTION make_sandbox_clock();
CREATE INDEX polls_by_time ON polls (next_check_at);
