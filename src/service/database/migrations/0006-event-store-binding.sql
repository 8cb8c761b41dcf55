-- The event store that the read models and the vault of this database belong to. One row.
CREATE TABLE event_store_binding (
  is_only    boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  kind       text NOT NULL,
  namespace  text NOT NULL
);
