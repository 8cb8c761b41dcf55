-- The tables of read models: made, rebuilt and dropped by their projectors, not by migrations.
CREATE SCHEMA projections;
