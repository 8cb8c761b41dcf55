-- The application's role adds rows to the vault and cannot change or delete any. Only these functions do,
-- each by its own rule. Plans cached while the tables are small must fit large ones too, so no function
-- may scan a whole table.

-- Locks rows until the transaction ends and returns those that are not erased. An item and an erasure
-- of its row wait for each other. FOR SHARE needs the right to UPDATE.
CREATE FUNCTION ledger.lock_vault_rows(p_refs uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
BEGIN
  RETURN QUERY
  SELECT v.ref FROM public.vault v
  WHERE v.ref = ANY (p_refs) AND v.wrapped_key IS NOT NULL
  ORDER BY v.ref FOR SHARE;
END $$;

-- Erases all of a shipment's rows and items; false if there was nothing to erase. The first statement
-- waits for items being written to the rows, the second begins after that and so sees them.
CREATE FUNCTION ledger.erase_vault_rows(p_shipment_id text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  v_erased bigint;
BEGIN
  -- An older snapshot would hide the items that the first statement waited for.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'ledger.erase_vault_rows needs READ COMMITTED';
  END IF;
  UPDATE public.vault SET wrapped_key = NULL, payload = NULL
  WHERE shipment_id = p_shipment_id AND wrapped_key IS NOT NULL;
  GET DIAGNOSTICS v_erased = ROW_COUNT;
  DELETE FROM public.vault_items WHERE vault_ref = ANY (ARRAY(
    SELECT v.ref FROM public.vault v WHERE v.shipment_id = p_shipment_id));
  RETURN v_erased > 0;
END $$;

-- Deletes those of the rows that are older than a day, with their items. Returns how many.
CREATE FUNCTION ledger.delete_vault_orphans(p_refs uuid[]) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
  WITH deleted AS (
    DELETE FROM public.vault
    WHERE ref = ANY (p_refs) AND created_at < clock_timestamp() - interval '1 day'
    RETURNING 1)
  SELECT count(*) FROM deleted
$$;

-- Replaces the wrapped keys that are still the former ones, and returns how many. A row that another
-- transaction has locked is skipped: this never waits, so it cannot deadlock.
CREATE FUNCTION ledger.rewrap_vault_keys(
  p_refs uuid[], p_former bytea[], p_master_key_ids text[], p_wrapped_keys bytea[]) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  v_rewrapped bigint;
BEGIN
  -- A row without a key would be erased. Shorter arrays end in NULLs too.
  IF EXISTS (SELECT FROM unnest(p_refs, p_former, p_master_key_ids, p_wrapped_keys)
               AS fresh (ref, former, master_key_id, wrapped_key)
             WHERE fresh.ref IS NULL OR fresh.former IS NULL OR fresh.master_key_id IS NULL
               OR fresh.wrapped_key IS NULL) THEN
    RAISE EXCEPTION 'ledger.rewrap_vault_keys takes no NULL'
      USING ERRCODE = 'null_value_not_allowed';
  END IF;
  WITH free AS MATERIALIZED (
    SELECT v.ref, fresh.master_key_id, fresh.wrapped_key
    FROM unnest(p_refs, p_former, p_master_key_ids, p_wrapped_keys)
      AS fresh (ref, former, master_key_id, wrapped_key)
    JOIN public.vault v ON v.ref = fresh.ref AND v.wrapped_key = fresh.former
    ORDER BY v.ref FOR NO KEY UPDATE OF v SKIP LOCKED
  )
  UPDATE public.vault v SET master_key_id = free.master_key_id, wrapped_key = free.wrapped_key
  FROM free WHERE v.ref = free.ref;
  GET DIAGNOSTICS v_rewrapped = ROW_COUNT;
  RETURN v_rewrapped;
END $$;

REVOKE ALL ON FUNCTION
  ledger.lock_vault_rows(uuid[]),
  ledger.erase_vault_rows(text),
  ledger.delete_vault_orphans(uuid[]),
  ledger.rewrap_vault_keys(uuid[], bytea[], text[], bytea[]) FROM PUBLIC;
