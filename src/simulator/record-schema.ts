/** The tables of the simulated courier's record. Times are milliseconds since 1970. */
export const recordSchema = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS guides (
    id INTEGER PRIMARY KEY,
    guide_number TEXT NOT NULL,
    client_reference TEXT NOT NULL,
    scenario TEXT NOT NULL,
    attempt_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    origin_code TEXT NOT NULL,
    destination_code TEXT NOT NULL,
    service_mode TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    weight_kg REAL NOT NULL,
    price_amount INTEGER NOT NULL,
    cancelled_at INTEGER,
    person BLOB
  ) STRICT;
  CREATE INDEX IF NOT EXISTS guides_by_reference ON guides (client_reference, id);
  CREATE TABLE IF NOT EXISTS charges (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    attempt_at INTEGER NOT NULL,
    guide_number TEXT NOT NULL,
    client_reference TEXT NOT NULL,
    scenario TEXT NOT NULL,
    amount INTEGER NOT NULL,
    weight_kg REAL NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS charges_by_account ON charges (account, attempt_at, id);
  CREATE TABLE IF NOT EXISTS cash_on_delivery (
    client_reference TEXT NOT NULL,
    guide_number TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    PRIMARY KEY (client_reference, guide_number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    route TEXT NOT NULL,
    reference TEXT,
    scenario TEXT NOT NULL,
    outcome TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS calls_by_reference ON calls (reference, id);
  CREATE TABLE IF NOT EXISTS firsts (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (kind, scope)
  ) STRICT, WITHOUT ROWID;
`
