import type { Generated } from 'kysely'

/** The tables of the sealed ledger. `bigint` columns are returned as text. */
export type SealTables = {
  readonly sealed_batches: {
    first_index: string
    positions: string[]
    streams: string[]
    revisions: number[]
    leaves: Buffer
  }
  readonly merkle_tiles: { tier: number; tile: string; hashes: Buffer }
  readonly merkle_tree: {
    is_only: Generated<boolean>
    origin: string
    size: string
    position: string | null
    event_id: string | null
  }
  readonly checkpoint_keys: {
    key_id: string
    public_key: Buffer
    since_size: string
    created_at: Generated<Date>
  }
  readonly checkpoints: {
    tree_size: string
    root: Buffer
    position: string
    key_id: string
    signed_at: Date
    note: string
  }
  readonly lost_sealed_batches: SealTables['sealed_batches'] & { damage_id: string }
  readonly lost_checkpoints: SealTables['checkpoints'] & { damage_id: string }
  readonly checkpoint_cosignatures: {
    tree_size: string
    name: string
    key_id: string
    line: string
    received_at: Generated<Date>
  }
}
