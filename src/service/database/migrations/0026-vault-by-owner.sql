-- Whether a shipment is an organization's: another's id and one that never existed are not in the index.
CREATE INDEX vault_by_owner ON vault (shipment_id, organization_id);
DROP INDEX vault_by_shipment;
