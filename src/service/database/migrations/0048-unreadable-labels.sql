-- Labels that cannot be printed: remembered, so that none stops the process that prints a second time.
-- One row a shipment, and of each organization the newest thousand.
CREATE TABLE unreadable_labels (
  shipment_id     text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  -- Where the label is in the vault; null: what the courier sent was not stored.
  label_ref       text,
  why             text NOT NULL CHECK (why IN ('too_complex', 'ended_printer', 'not_a_pdf')),
  noted_at        timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX unreadable_labels_oldest ON unreadable_labels (organization_id, noted_at);
