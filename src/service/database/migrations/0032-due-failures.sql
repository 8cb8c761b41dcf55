-- How often in a row work on the shipment has thrown: each time, the next try waits longer.
ALTER TABLE due ADD COLUMN work_failures int NOT NULL DEFAULT 0;
