-- The same with texts separate from the rows: folded states as elements of a JSON array would be read
-- three times. Processes of the previous version still call the function without them.
CREATE FUNCTION projection_apply(
  p_name text, p_generation int, p_active boolean, p_from text, p_to text,
  p_statements text[], p_rows json[], p_texts text[]
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, public
AS $$
BEGIN
  UPDATE public.projections SET position = p_to, stopped_by = NULL, updated_at = now()
  WHERE name = p_name AND generation = p_generation AND active = p_active
    AND position IS NOT DISTINCT FROM p_from;
  IF NOT FOUND THEN RETURN false; END IF;
  FOR i IN 1 .. coalesce(array_length(p_statements, 1), 0) LOOP
    EXECUTE p_statements[i] USING p_rows[i], p_texts[i];
  END LOOP;
  RETURN true;
END $$;
