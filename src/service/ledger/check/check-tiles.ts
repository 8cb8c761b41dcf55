import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { type Added, tileWidth } from '../../domain/ledger/merkle-tiles.ts'
import type { Findings } from '../findings.ts'
import { tileHashes } from '../tree.ts'

type Tile = { readonly tier: number; readonly tile: number; readonly hashes: Buffer[] }

/** Compares the tiles used for proofs with those computed from the leaves. */
export function tileCheck(db: Kysely<Tables>, found: Findings) {
  const open = new Map<string, Tile>()
  const compare = async ({ tier, tile, hashes }: Tile): Promise<void> => {
    const stored = await tileHashes(db, tier, tile)
    // The sealer may have added hashes to the tile meanwhile.
    if (!hashes.every((hash, at) => stored[at]?.equals(hash) === true)) {
      found.add(
        null,
        `the stored hashes of the tree (tier ${tier}, tile ${tile}) do not match the seals: proofs made from them are wrong`,
      )
    }
  }
  return {
    async add(added: readonly Added[]): Promise<void> {
      for (const { tier, index, hash } of added) {
        const key = `${tier}/${Math.floor(index / tileWidth)}`
        const tile = open.get(key) ?? { tier, tile: Math.floor(index / tileWidth), hashes: [] }
        open.set(key, tile)
        tile.hashes.push(hash)
        if (tile.hashes.length < tileWidth) continue
        open.delete(key)
        await compare(tile)
      }
    },
    async end(): Promise<void> {
      for (const tile of open.values()) await compare(tile)
    },
  }
}
