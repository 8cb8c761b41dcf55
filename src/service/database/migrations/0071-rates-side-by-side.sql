-- A quote may compare several connections. Then they are in its request, with the parcel that each courier
-- was asked for, and each rate and error names its own.
ALTER TABLE quotes ALTER COLUMN courier_connection_id DROP NOT NULL;
