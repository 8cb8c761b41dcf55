-- The span of a request, so that what follows from it continues its trace. A row is written only while
-- tracing is on, for a request that came with a traceparent or with the client's own request id. It holds
-- no personal data, and the ledger does not rely on it.
CREATE TABLE request_traces (
  organization_id  text COLLATE "C" NOT NULL,
  request_id       text COLLATE "C" NOT NULL,
  -- As W3C Trace Context writes it.
  traceparent      text COLLATE "C" NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, request_id)
);
CREATE INDEX request_traces_to_forget ON request_traces (created_at);
