-- Delivery attempts by endpoint and minute, later by hour: sums by name, added as attempts are recorded.
-- On the workspace's clock, like the attempts.
CREATE TABLE webhook_statistics (
  endpoint_id      text COLLATE "C" NOT NULL,
  organization_id  text COLLATE "C" NOT NULL,
  workspace_id     text COLLATE "C" NOT NULL,
  livemode         boolean NOT NULL,
  at               timestamptz NOT NULL,
  is_hour          boolean NOT NULL,
  counts           jsonb NOT NULL,
  PRIMARY KEY (endpoint_id, at, is_hour)
) WITH (fillfactor = 80);
CREATE INDEX webhook_statistics_by_organization ON webhook_statistics (organization_id, livemode, at);
CREATE INDEX webhook_statistics_by_time ON webhook_statistics (at);
