-- Tells whether a shipment belongs to an organization: ids of others, or of none, are not in the index.
CREATE INDEX vault_by_owner ON vault (shipment_id, organization_id);
DROP INDEX vault_by_shipment;
