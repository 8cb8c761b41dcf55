-- Couriers' invoices, compared with the ledger line by line.
CREATE TABLE courier_invoices (
  id                     text COLLATE "C" PRIMARY KEY,
  organization_id        text COLLATE "C" NOT NULL,
  workspace_id           text COLLATE "C" NOT NULL,
  livemode               boolean NOT NULL,
  courier_connection_id  text COLLATE "C" NOT NULL,
  reference              text COLLATE "C" NOT NULL,
  -- The newest version; earlier ones are kept.
  version                int NOT NULL,
  -- The data key of its lines' details, encrypted under a master key; null once the details are deleted.
  master_key_id          text COLLATE "C",
  wrapped_key            bytea,
  -- comparing, compared
  state                  text COLLATE "C" NOT NULL,
  -- The last compared line.
  compared_line          int NOT NULL DEFAULT 0,
  -- The ledger was read at or after this position.
  ledger_position        text COLLATE "C",
  compared_at            timestamptz,
  -- The process that compares it, and when its lease ends.
  owner                  uuid,
  leased_until           timestamptz,
  next_at                timestamptz NOT NULL DEFAULT now(),
  served_at              timestamptz NOT NULL DEFAULT '-infinity',
  -- Wall clock, all three; the newest version was imported at `imported_at`.
  created_at             timestamptz NOT NULL DEFAULT now(),
  imported_at            timestamptz NOT NULL DEFAULT now(),
  updated_at             timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX courier_invoices_by_reference
  ON courier_invoices (courier_connection_id, reference);
CREATE INDEX courier_invoices_by_age
  ON courier_invoices (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX courier_invoices_by_connection
  ON courier_invoices (courier_connection_id, created_at DESC, id DESC);
CREATE INDEX courier_invoices_due ON courier_invoices (next_at) WHERE state = 'comparing';
CREATE INDEX courier_invoices_to_forget ON courier_invoices (imported_at)
  WHERE wrapped_key IS NOT NULL;

CREATE TABLE courier_invoice_versions (
  invoice_id       text COLLATE "C" NOT NULL,
  version          int NOT NULL,
  organization_id  text COLLATE "C" NOT NULL,
  -- The order in which a connection was billed, assigned while its imports are serialized.
  sequence         bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  -- The digest of its content, encrypted with the invoice's data key.
  content          bytea,
  period_from      text COLLATE "C",
  period_to        text COLLATE "C",
  total            int NOT NULL,
  -- By finding and currency, when it was last compared.
  totals           jsonb NOT NULL DEFAULT '[]',
  actor            jsonb NOT NULL,
  request_id       text COLLATE "C" NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (invoice_id, version),
  FOREIGN KEY (invoice_id) REFERENCES courier_invoices (id) ON DELETE CASCADE
);

CREATE TABLE courier_invoice_lines (
  invoice_id             text COLLATE "C" NOT NULL,
  version                int NOT NULL,
  line                   int NOT NULL,
  organization_id        text COLLATE "C" NOT NULL,
  courier_connection_id  text COLLATE "C" NOT NULL,
  guide_number           text COLLATE "C" NOT NULL,
  amount                 bigint NOT NULL,
  currency               text COLLATE "C" NOT NULL,
  -- Weight, date and the client's reference, encrypted with the invoice's data key.
  details                bytea,
  -- The sequence of the version that billed this guide in this invoice first.
  billed_at              bigint NOT NULL,
  -- Null if not compared yet.
  finding                text COLLATE "C",
  shipment_id            text COLLATE "C",
  -- The version of the shipment on which the finding is based.
  shipment_version       int,
  -- What the ledger expects to be charged: amount, currency, weight.
  expected               jsonb,
  -- The line that billed the guide before: invoice, version, line.
  billed_before          jsonb,
  -- For a new look at an attempt that was concluded to have created nothing.
  look_due               boolean NOT NULL DEFAULT false,
  -- The shipment's person was erased, so the client's reference must be removed from the details.
  erase_due              boolean NOT NULL DEFAULT false,
  decision               text COLLATE "C",
  decided_finding        text COLLATE "C",
  decided_at             timestamptz,
  operator_id            text COLLATE "C",
  -- The reason, and the person if the key belongs to no operator; encrypted with the invoice's data key.
  note                   bytea,
  PRIMARY KEY (invoice_id, version, line),
  FOREIGN KEY (invoice_id, version) REFERENCES courier_invoice_versions (invoice_id, version)
    ON DELETE CASCADE
);
CREATE INDEX courier_invoice_lines_by_guide
  ON courier_invoice_lines (courier_connection_id, guide_number);
CREATE INDEX courier_invoice_lines_by_finding
  ON courier_invoice_lines (invoice_id, version, finding, line);
CREATE INDEX courier_invoice_lines_decided
  ON courier_invoice_lines (invoice_id, version, decision) WHERE decision IS NOT NULL;
CREATE INDEX courier_invoice_lines_to_look ON courier_invoice_lines (invoice_id, version, line)
  WHERE look_due;
CREATE INDEX courier_invoice_lines_by_shipment ON courier_invoice_lines (shipment_id)
  WHERE details IS NOT NULL;
CREATE INDEX courier_invoice_lines_to_erase ON courier_invoice_lines (invoice_id, version, line)
  WHERE erase_due;
CREATE INDEX courier_invoice_lines_unsettled ON courier_invoice_lines (invoice_id, version, line)
  WHERE finding IN ('unresolved', 'nothing_created');
