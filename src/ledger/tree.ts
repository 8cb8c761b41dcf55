import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import {
  hashBytes,
  leafHash,
  type Range,
  rootOver,
  type Subtree,
  subtreesOf,
} from '../domain/merkle.ts'
import {
  type Added,
  appendLeaves,
  type Edge,
  edgeRoot,
  placeOf,
  pyramid,
  tileWidth,
} from '../domain/merkle-tiles.ts'
import type { Position } from '../event-store/event-store.ts'

/** The tree in the database: tables sealed_events, merkle_tiles and merkle_tree. */

type Db = Kysely<ReadModels> | Transaction<ReadModels>

/** An event's place in the tree. */
export type Sealed = {
  readonly index: number
  readonly position: Position
  readonly stream: string
  readonly revision: number
  /** The event's leaf; the tree's hash of it is `leafHash(leaf)`. */
  readonly leaf: Buffer
}

/** How far the ledger is sealed. */
export type Tree = {
  readonly origin: string
  readonly size: number
  /** Of the last sealed event; null = none is. */
  readonly position: Position | null
}

/** The tree and what a process must know to append to it. */
export type Growing = Tree & { readonly edge: Edge }

/** Somebody else has appended to the tree. */
export class TreeMoved extends Error {
  override readonly name = 'TreeMoved'
}

/** Null before the first start has named it. */
export async function readTree(db: Db): Promise<Tree | null> {
  const { rows } = await sql<{ origin: string; size: string; position: string | null }>`
    SELECT origin, size, position FROM merkle_tree`.execute(db)
  const [row] = rows
  return row === undefined ? null : { ...row, size: Number(row.size) }
}

/** Names the tree, once and for ever: what is signed says whose it is. */
export async function nameTree(db: Db, origin: string): Promise<void> {
  await sql`INSERT INTO merkle_tree (origin, size) VALUES (${origin}, 0) ON CONFLICT DO NOTHING`.execute(
    db,
  )
}

/** Reads the edge of the tree, so that it can grow. */
export async function growing(db: Db, tree: Tree): Promise<Growing> {
  const edge: Buffer[][] = []
  for (let tier = 0, hashes = tree.size; hashes > 0; tier++) {
    const tile = Math.floor(hashes / tileWidth)
    edge[tier] = [...(await tileHashes(db, tier, tile))].slice(0, hashes % tileWidth)
    hashes = tile
  }
  return { ...tree, edge }
}

export type NewLeaf = Omit<Sealed, 'index'>

/**
 * Appends leaves and moves the tree on, in one transaction, up to a position of the ledger that may lie
 * beyond the last of them. Throws TreeMoved when the tree is not as given any more.
 */
export async function appendToTree(
  db: Kysely<ReadModels>,
  tree: Growing,
  leaves: readonly NewLeaf[],
): Promise<Growing> {
  const last = leaves.at(-1)
  if (last === undefined) return tree
  const hashes = leaves.map(({ leaf }) => leafHash(leaf))
  const { edge, added } = appendLeaves(tree.edge, tree.size, hashes)
  const grown = { ...tree, edge, size: tree.size + leaves.length, position: last.position }
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`
      UPDATE merkle_tree SET size = ${grown.size}, position = ${grown.position}
      WHERE size = ${tree.size} AND position IS NOT DISTINCT FROM ${tree.position}`.execute(tx)
    if (numAffectedRows !== 1n) throw new TreeMoved('another process seals')
    await sql`
      INSERT INTO sealed_events (tree_index, revision, position, stream, leaf)
      SELECT ${tree.size}::bigint + n - 1, revision, position, stream, leaf
      FROM unnest(
        ${leaves.map(({ revision }) => revision)}::int[],
        ${leaves.map(({ position }) => position)}::text[],
        ${leaves.map(({ stream }) => stream)}::text[],
        ${leaves.map(({ leaf }) => leaf)}::bytea[]
      ) WITH ORDINALITY AS leaf(revision, position, stream, leaf, n)`.execute(tx)
    for (const tile of tilesOf(added)) {
      await sql`
        INSERT INTO merkle_tiles AS t (tier, tile, hashes)
        VALUES (${tile.tier}, ${tile.tile}, ${tile.hashes})
        ON CONFLICT (tier, tile) DO UPDATE SET hashes = t.hashes || excluded.hashes`.execute(tx)
    }
  })
  return grown
}

function tilesOf(added: readonly Added[]) {
  const tiles = new Map<string, { tier: number; tile: number; hashes: Buffer }>()
  for (const { tier, index, hash } of added) {
    const tile = Math.floor(index / tileWidth)
    const before = tiles.get(`${tier}/${tile}`)?.hashes ?? Buffer.alloc(0)
    tiles.set(`${tier}/${tile}`, { tier, tile, hashes: Buffer.concat([before, hash]) })
  }
  return [...tiles.values()]
}

/** The root of the tree as it stands. */
export function currentRoot({ size, edge }: Growing): Buffer {
  return edgeRoot(edge, size)
}

/** What a tile holds; nothing when it is not there. */
export async function tileHashes(db: Db, tier: number, tile: number): Promise<readonly Buffer[]> {
  if (tier === 0) {
    const { rows } = await sql<{ leaf: Buffer }>`
      SELECT leaf FROM sealed_events
      WHERE tree_index >= ${tile * tileWidth} AND tree_index < ${(tile + 1) * tileWidth}
      ORDER BY tree_index`.execute(db)
    return rows.map(({ leaf }) => leafHash(leaf))
  }
  const { rows } = await sql<{ hashes: Buffer }>`
    SELECT hashes FROM merkle_tiles WHERE tier = ${tier} AND tile = ${tile}`.execute(db)
  const bytes = rows[0]?.hashes ?? Buffer.alloc(0)
  return Array.from({ length: bytes.length / hashBytes }, (_, at) =>
    bytes.subarray(at * hashBytes, (at + 1) * hashBytes),
  )
}

/** Tiles that are kept while proofs of neighbours are made: those along one edge of the tree, and more. */
const keptTilesMax = 32

type Pyramid = ReturnType<typeof pyramid>

/** Answers the roots over ranges of the sealed tree; tiles that are asked for again are kept. */
export class TreeReader {
  readonly #db: Db
  readonly #tiles = new Map<string, Pyramid>()

  constructor(db: Db) {
    this.#db = db
  }

  /** The roots over ranges as proofs and trees have them. */
  async rootsOf(ranges: readonly Range[]): Promise<readonly Buffer[]> {
    const roots: Buffer[] = []
    for (const range of ranges) {
      const hashes: Buffer[] = []
      for (const subtree of subtreesOf(range)) hashes.push(await this.#hashOf(subtree))
      roots.push(rootOver(hashes))
    }
    return roots
  }

  async rootAt(size: number): Promise<Buffer> {
    const [root] = await this.rootsOf([{ from: 0, to: size }])
    return root as Buffer
  }

  async #hashOf(subtree: Subtree): Promise<Buffer> {
    const { tier, tile, row, at } = placeOf(subtree)
    const needed = (at + 1) * 2 ** row
    const hash = (await this.#tile(tier, tile, needed))[row]?.[at]
    if (hash === undefined) throw new Error('The sealed tree has a hole: `verify` says where.')
    return hash
  }

  async #tile(tier: number, tile: number, needed: number): Promise<Pyramid> {
    const key = `${tier}/${tile}`
    const kept = this.#tiles.get(key)
    // The last tile of a tier grows.
    if (kept !== undefined && (kept[0]?.length ?? 0) >= needed) return kept
    const rows = pyramid(await tileHashes(this.#db, tier, tile))
    this.#tiles.delete(key)
    this.#tiles.set(key, rows)
    const [oldest] = this.#tiles.keys()
    if (this.#tiles.size > keptTilesMax && oldest !== undefined) this.#tiles.delete(oldest)
    return rows
  }
}

/** The event at a position, if it is sealed. */
export async function sealedAt(db: Db, position: Position): Promise<Sealed | null> {
  const [sealed] = await sealedWhere(db, sql`position = ${position}`)
  return sealed ?? null
}

/** The sealed event at a position or, where there is none, the last before it. */
export async function sealedUpTo(db: Db, position: Position): Promise<Sealed | null> {
  const upTo = sql`position <= ${position} ORDER BY position DESC LIMIT 1`
  const [sealed] = await sealedWhere(db, upTo)
  return sealed ?? null
}

/** Sealed events from an index on. */
export async function sealedFrom(db: Db, index: number, limit: number): Promise<readonly Sealed[]> {
  return await sealedWhere(db, sql`tree_index >= ${index} ORDER BY tree_index LIMIT ${limit}`)
}

async function sealedWhere(db: Db, condition: RawBuilder<unknown>): Promise<readonly Sealed[]> {
  const { rows } = await sql<Omit<Sealed, 'index'> & { tree_index: string }>`
    SELECT tree_index, position, stream, revision, leaf FROM sealed_events
    WHERE ${condition}`.execute(db)
  return rows.map(({ tree_index: index, ...sealed }) => ({ ...sealed, index: Number(index) }))
}
