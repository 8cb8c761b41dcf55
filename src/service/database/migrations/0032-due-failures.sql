-- How often in a row work on the shipment has thrown: it is left alone longer each time.
ALTER TABLE due ADD COLUMN work_failures int NOT NULL DEFAULT 0;
