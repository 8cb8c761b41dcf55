-- From now on texts are stored and looked up in NFC. Of several rows that differ only in spelling, one is changed.
DO $$
BEGIN
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RETURN;
  END IF;
  UPDATE workspaces w SET external_reference = normalize(w.external_reference, NFC)
  WHERE w.external_reference IS NOT NFC NORMALIZED AND NOT EXISTS (
    SELECT FROM workspaces o
    WHERE o.organization_id = w.organization_id AND o.livemode = w.livemode AND o.id <> w.id
      AND normalize(o.external_reference, NFC) = normalize(w.external_reference, NFC)
      AND (o.external_reference IS NFC NORMALIZED OR o.id < w.id));
  UPDATE courier_invoices w SET reference = normalize(w.reference, NFC)
  WHERE w.reference IS NOT NFC NORMALIZED AND NOT EXISTS (
    SELECT FROM courier_invoices o
    WHERE o.courier_connection_id = w.courier_connection_id AND o.id <> w.id
      AND normalize(o.reference, NFC) = normalize(w.reference, NFC)
      AND (o.reference IS NFC NORMALIZED OR o.id < w.id));
  UPDATE batches SET external_reference = normalize(external_reference, NFC)
  WHERE external_reference IS NOT NFC NORMALIZED;
END $$;
