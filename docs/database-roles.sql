-- The two roles of shipping-ledger and its database. Run it once with psql 14 or newer, as a superuser
-- or as the administrator of a managed PostgreSQL (one that may make roles and databases):
--
--   DATABASE_OWNER_PASSWORD=… DATABASE_PASSWORD=… psql "$ADMINISTRATOR_URL" -f docs/database-roles.sql
--
-- shipping_ledger_owner owns the tables: migrations and a move of the ledger need it (DATABASE_ADMIN_URL).
-- shipping_ledger is what the service works with (DATABASE_URL). It owns only the tables of read models.
-- Migrations grant it its rights on all other tables: it adds to events, evidence and the vault, and changes
-- or deletes there only what functions of the owner let it.

\getenv owner_password DATABASE_OWNER_PASSWORD
\getenv password DATABASE_PASSWORD
\set ON_ERROR_STOP on

CREATE ROLE shipping_ledger_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE shipping_ledger LOGIN PASSWORD :'password';

-- An administrator that is no superuser gives a database only to a role that it belongs to.
GRANT shipping_ledger_owner TO CURRENT_USER;
-- A move of the ledger also changes places in the read models, which are the application's.
GRANT shipping_ledger TO shipping_ledger_owner;

CREATE DATABASE shipping_ledger OWNER shipping_ledger_owner;
REVOKE ALL ON DATABASE shipping_ledger FROM PUBLIC;
GRANT CONNECT, TEMPORARY ON DATABASE shipping_ledger TO shipping_ledger;
