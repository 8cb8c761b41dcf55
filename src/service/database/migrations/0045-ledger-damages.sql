-- Losses of events in the ledger, from when they were noticed until a person has recovered the ledger.
CREATE TABLE ledger_damages (
  id                 uuid PRIMARY KEY,
  noticed_at         timestamptz NOT NULL DEFAULT now(),
  -- What had recorded the place, from a closed list of ours.
  source             text NOT NULL,
  -- What should be there and what is there: of an event, or of the sealed tree.
  expected_position  text COLLATE "C",
  expected_event_id  uuid,
  found_event_id     uuid,
  expected_size      bigint,
  -- Recovery: the events that a checkpoint still proves. Events sealed after them are lost.
  proven_size        bigint,
  lost_size          bigint,
  recovered_at       timestamptz,
  -- Until then, the courier is asked first about a key without a stream.
  find_first_until   timestamptz,
  -- Couriers that cannot be asked but may create nevertheless.
  blind_couriers     text[] NOT NULL DEFAULT '{}',
  -- Keys about which a courier was asked first, and its answer.
  asked              bigint NOT NULL DEFAULT 0,
  found              bigint NOT NULL DEFAULT 0,
  created            bigint NOT NULL DEFAULT 0
);
-- At most one damage is open.
CREATE UNIQUE INDEX ledger_damages_open ON ledger_damages ((true)) WHERE recovered_at IS NULL;

-- Places are compared by the event that was there. Null if stored by the previous version.
ALTER TABLE projections
  ADD COLUMN event_position text COLLATE "C",
  ADD COLUMN event_id uuid;
ALTER TABLE merkle_tree ADD COLUMN event_id uuid;

-- While both versions run, the previous one moves the tree without its event's id.
CREATE FUNCTION ledger.forget_former_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.position IS DISTINCT FROM OLD.position
    AND NEW.event_id IS NOT DISTINCT FROM OLD.event_id THEN
    NEW.event_id := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER event_is_of_its_position BEFORE UPDATE ON merkle_tree
  FOR EACH ROW EXECUTE FUNCTION ledger.forget_former_event();

-- What was sealed of a lost history: kept only as evidence of what was lost.
CREATE TABLE lost_sealed_batches (
  damage_id    uuid NOT NULL REFERENCES ledger_damages,
  first_index  bigint NOT NULL,
  positions    text[] COLLATE "C" NOT NULL,
  streams      text[] COLLATE "C" NOT NULL,
  revisions    int[] NOT NULL,
  leaves       bytea NOT NULL,
  PRIMARY KEY (damage_id, first_index)
);
CREATE TABLE lost_checkpoints (
  damage_id  uuid NOT NULL REFERENCES ledger_damages,
  tree_size  bigint NOT NULL,
  root       bytea NOT NULL,
  position   text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  signed_at  timestamptz NOT NULL,
  note       text NOT NULL,
  PRIMARY KEY (damage_id, tree_size)
);

-- Cuts the sealed tree back to its first p_size events, of which p_event_id is the last. The rest is moved
-- to other tables. Works only while a damage is open. Safe to repeat.
CREATE FUNCTION ledger.cut_seal(p_damage_id uuid, p_size bigint, p_event_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_batch public.sealed_batches;
  v_kept  int;
BEGIN
  IF NOT EXISTS (SELECT FROM public.ledger_damages
                 WHERE id = p_damage_id AND recovered_at IS NULL) THEN
    RAISE EXCEPTION 'the sealed tree is cut only while the ledger is damaged'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- The sealer's next append waits for this, and then fails.
  PERFORM FROM public.merkle_tree FOR UPDATE;

  INSERT INTO public.lost_checkpoints
    (damage_id, tree_size, root, position, key_id, signed_at, note)
  SELECT p_damage_id, c.tree_size, c.root, c.position, c.key_id, c.signed_at,
    c.note || coalesce((SELECT string_agg(w.line, '' ORDER BY w.received_at)
      FROM public.checkpoint_cosignatures w WHERE w.tree_size = c.tree_size), '')
  FROM public.checkpoints c WHERE c.tree_size > p_size
  ON CONFLICT DO NOTHING;
  DELETE FROM public.checkpoints WHERE tree_size > p_size;
  -- A key that signed nothing that is left is introduced again.
  DELETE FROM public.checkpoint_keys WHERE since_size > p_size;

  INSERT INTO public.lost_sealed_batches
  SELECT p_damage_id, b.first_index, b.positions, b.streams, b.revisions, b.leaves
  FROM public.sealed_batches b
  WHERE b.first_index + cardinality(b.positions) > p_size
  ON CONFLICT DO NOTHING;
  SELECT b.* INTO v_batch FROM public.sealed_batches b
  WHERE b.first_index < p_size AND b.first_index + cardinality(b.positions) > p_size;
  DELETE FROM public.sealed_batches
  WHERE first_index + cardinality(positions) > p_size;
  IF v_batch.first_index IS NOT NULL THEN
    v_kept := p_size - v_batch.first_index;
    INSERT INTO public.sealed_batches (first_index, positions, streams, revisions, leaves)
    VALUES (v_batch.first_index, v_batch.positions[1:v_kept], v_batch.streams[1:v_kept],
      v_batch.revisions[1:v_kept], substring(v_batch.leaves FROM 1 FOR 32 * v_kept));
  END IF;

  -- A tile of a tier holds the roots of whole tiles of the tier below.
  DELETE FROM public.merkle_tiles
  WHERE tile * 256 >= div(p_size::numeric, power(256::numeric, tier::numeric));
  UPDATE public.merkle_tiles SET hashes = substring(hashes FROM 1
    FOR 32 * (div(p_size::numeric, power(256::numeric, tier::numeric)) - tile * 256)::int)
  WHERE octet_length(hashes)
    > 32 * (div(p_size::numeric, power(256::numeric, tier::numeric)) - tile * 256);

  UPDATE public.merkle_tree SET size = p_size, event_id = p_event_id,
    position = (SELECT b.positions[cardinality(b.positions)] FROM public.sealed_batches b
                ORDER BY b.first_index DESC LIMIT 1);
END $$;
REVOKE ALL ON FUNCTION ledger.cut_seal(uuid, bigint, uuid) FROM PUBLIC;
