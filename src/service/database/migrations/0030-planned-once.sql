-- Functions that run for each creation are planned once per session: the values of their arrays cannot
-- improve a plan, and planning took half of the cost of a place in the quota.
ALTER FUNCTION quota_reserve(text[], text[], boolean[], integer[])
  SET plan_cache_mode TO force_generic_plan;
ALTER FUNCTION quota_note_thresholds(text[], boolean[], date[])
  SET plan_cache_mode TO force_generic_plan;
ALTER FUNCTION ledger.append_texts(text[], integer[], timestamptz[], integer[], uuid[], text[], text, text)
  SET plan_cache_mode TO force_generic_plan;
