-- The tables of read models. Projectors create, rebuild and drop them, not migrations.
CREATE SCHEMA projections;
