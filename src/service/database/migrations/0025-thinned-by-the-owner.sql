-- Checkpoints are evidence: the application's role adds them and cannot delete any. Only this function
-- thins them out, by its own rule: of those older than a week, the last of each hour stays, and every one
-- that introduces a key. Returns how many were deleted.
CREATE FUNCTION ledger.thin_checkpoints() RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  WITH thinned AS (
    DELETE FROM public.checkpoints WHERE tree_size IN (
      SELECT c.tree_size FROM public.checkpoints c
      WHERE c.signed_at < now() - interval '7 days'
        AND NOT EXISTS (SELECT FROM public.checkpoint_keys k WHERE k.since_size = c.tree_size)
        -- Only the next one is looked at: the last of an hour would be compared with all that follow.
        AND date_trunc('hour', c.signed_at) = (
          SELECT date_trunc('hour', n.signed_at) FROM public.checkpoints n
          WHERE n.tree_size > c.tree_size ORDER BY n.tree_size LIMIT 1)
      -- A week's worth of a busy service is thinned out in as many calls as two hours have minutes.
      LIMIT 5000)
    RETURNING 1)
  SELECT count(*) FROM thinned
$$;
REVOKE ALL ON FUNCTION ledger.thin_checkpoints() FROM PUBLIC;
