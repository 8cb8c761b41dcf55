-- Labels that cannot be printed, recorded so that none crashes the printing process twice. One row per
-- shipment, and at most the newest thousand of each organization.
CREATE TABLE unreadable_labels (
  shipment_id     text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  -- The label's reference in the vault; null if the courier's file was not stored.
  label_ref       text,
  why             text NOT NULL CHECK (why IN ('too_complex', 'ended_printer', 'not_a_pdf')),
  noted_at        timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX unreadable_labels_oldest ON unreadable_labels (organization_id, noted_at);
