import { Batcher } from '../../database/batcher.ts'
import type { BesideFirst, SealedItem, StoredFirst } from '../../event-store/beside.ts'
import type { VaultWriter } from '../../event-store/with-append.ts'
import { answered } from './vault.ts'
import type { VaultRows } from './vault-rows.ts'

/** The same as for appends, because rows and their events are written at the same rate. */
const batchMax = 256
/** About four batches. In a longer queue, the caller's deadline would pass before its write. */
const queueMax = 1024

/**
 * Writes rows, attempts and items before the events that need them, many in one statement. Throws
 * VaultOverloaded, or VaultUnavailable if a write was not confirmed: a row that was written after all is an
 * orphan, which no event names.
 */
export class BatchedVaultWriter implements VaultWriter {
  readonly #first: Batcher<BesideFirst, StoredFirst>
  readonly #items: Batcher<SealedItem, boolean>

  constructor(rows: Pick<VaultRows, 'storeFirst' | 'insertItems'>) {
    const size = { batchMax, queueMax }
    this.#first = new Batcher({ ...size, write: (batch) => rows.storeFirst(batch) })
    this.#items = new Batcher({ ...size, write: (items) => rows.insertItems(items) })
  }

  storeFirst(beside: BesideFirst): Promise<StoredFirst> {
    return answered(this.#first.add(beside))
  }

  storeItems(items: readonly SealedItem[]): Promise<readonly boolean[]> {
    return answered(Promise.all(items.map((item) => this.#items.add(item))))
  }

  /** Resolves when every accepted write has been answered. */
  async close(): Promise<void> {
    await Promise.all([this.#first.idle(), this.#items.idle()])
  }
}
