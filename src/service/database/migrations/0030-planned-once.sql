-- What runs for each creation is planned once a session: the values of its arrays say nothing that a plan
-- could be better for, and planning took half of what a place in the quota cost.
ALTER FUNCTION quota_reserve(text[], text[], boolean[], integer[])
  SET plan_cache_mode TO force_generic_plan;
ALTER FUNCTION quota_note_thresholds(text[], boolean[], date[])
  SET plan_cache_mode TO force_generic_plan;
ALTER FUNCTION ledger.append_texts(text[], integer[], timestamptz[], integer[], uuid[], text[], text, text)
  SET plan_cache_mode TO force_generic_plan;
