import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { ledgerPrefixes } from '../../domain/ids.ts'
import { leafHash } from '../../domain/ledger/merkle.ts'
import { appendLeaves, edgeRoot } from '../../domain/ledger/merkle-tiles.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { growing, placeOfTree, type Tree, TreeReader } from '../tree.ts'

/** Events per read beyond the sealed ones. */
const pageMax = 2_000

/**
 * The root over the first events of the ledger; null if it has fewer. Call it with ascending sizes.
 */
export type RootOfLedger = (size: number) => Promise<Buffer | null>

/**
 * Computes roots of the sealed tree and, beyond it, of the tree that further events will give. The
 * ledger must have all sealed events.
 */
export function rootOfLedger({
  db,
  store,
  tree,
}: {
  readonly db: Kysely<Tables>
  readonly store: Pick<EventStore, 'readAll'>
  readonly tree: Tree
}): RootOfLedger {
  const sealed = new TreeReader(db)
  let grown: Awaited<ReturnType<typeof growing>> | null = null
  let place = placeOfTree(tree)
  return async (size) => {
    if (size <= tree.size) return size === 0 ? null : await sealed.rootAt(size)
    grown ??= await growing(db, tree)
    while (grown.size < size) {
      const limit = Math.min(pageMax, size - grown.size)
      const page = await store.readAll(place, { prefixes: ledgerPrefixes, limit })
      if (page.last === (place?.position ?? null)) return null
      const leaves = page.events.map(({ metadata }) => Buffer.from(String(metadata.leaf), 'hex'))
      const { edge } = appendLeaves(grown.edge, grown.size, leaves.map(leafHash))
      grown = { ...grown, edge, size: grown.size + leaves.length }
      place = page.place
    }
    return edgeRoot(grown.edge, size)
  }
}
