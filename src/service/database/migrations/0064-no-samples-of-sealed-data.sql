-- PostgreSQL keeps samples of each column's values as planner statistics, and a value stays there after it
-- was erased. No query needs samples of sealed data: with a target of 0 none are taken. Setting the type,
-- which stays the same, deletes those taken before.
ALTER TABLE vault
  ALTER wrapped_key TYPE bytea, ALTER wrapped_key SET STATISTICS 0,
  ALTER payload TYPE bytea, ALTER payload SET STATISTICS 0;
ALTER TABLE vault_items ALTER payload TYPE bytea, ALTER payload SET STATISTICS 0;
ALTER TABLE webhook_deliveries ALTER attempts TYPE jsonb, ALTER attempts SET STATISTICS 0;
ALTER TABLE webhook_endpoints
  ALTER secret TYPE bytea, ALTER secret SET STATISTICS 0,
  ALTER previous_secret TYPE bytea, ALTER previous_secret SET STATISTICS 0;
ALTER TABLE courier_connections ALTER credentials TYPE bytea, ALTER credentials SET STATISTICS 0;
ALTER TABLE couriers ALTER token TYPE bytea, ALTER token SET STATISTICS 0;
ALTER TABLE workspace_hold_notes ALTER note TYPE bytea, ALTER note SET STATISTICS 0;
ALTER TABLE batches ALTER wrapped_key TYPE bytea, ALTER wrapped_key SET STATISTICS 0;
ALTER TABLE batch_lines
  ALTER body TYPE bytea, ALTER body SET STATISTICS 0,
  ALTER refusal TYPE bytea, ALTER refusal SET STATISTICS 0;
ALTER TABLE courier_invoices ALTER wrapped_key TYPE bytea, ALTER wrapped_key SET STATISTICS 0;
ALTER TABLE courier_invoice_versions ALTER content TYPE bytea, ALTER content SET STATISTICS 0;
ALTER TABLE courier_invoice_lines
  ALTER details TYPE bytea, ALTER details SET STATISTICS 0,
  ALTER note TYPE bytea, ALTER note SET STATISTICS 0;
ALTER TABLE courier_invoice_invalid_lines ALTER content TYPE bytea, ALTER content SET STATISTICS 0;
