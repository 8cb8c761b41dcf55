import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import {
  hashBytes,
  leafHash,
  type Range,
  rootOver,
  type Subtree,
  subtreesOf,
} from '../domain/ledger/merkle.ts'
import {
  type Added,
  appendLeaves,
  type Edge,
  edgeRoot,
  placeOf,
  pyramid,
  tileWidth,
} from '../domain/ledger/merkle-tiles.ts'
import type { Place, Position } from '../event-store/event-store.ts'

/** The tree in the database: tables sealed_batches, merkle_tiles and merkle_tree. */

type Db = Kysely<Tables> | Transaction<Tables>

/** An event's place in the tree. */
export type Sealed = {
  readonly index: number
  readonly position: Position
  readonly stream: string
  readonly revision: number
  /** The event's leaf; its hash in the tree is `leafHash(leaf)`. */
  readonly leaf: Buffer
}

/** The tree's name and size, and the last event in it. */
export type Tree = {
  readonly origin: string
  readonly size: number
  /** The position of the last sealed event; null if none is sealed. */
  readonly position: Position | null
  /** The id of that event; null also for a tree sealed by an earlier version. */
  readonly eventId: string | null
}

/** The place where sealing continues. */
export function placeOfTree({ position, eventId }: Tree): Place | null {
  if (position === null) return null
  return { position, event: eventId === null ? null : { position, id: eventId } }
}

/** The tree and the state needed to append to it. */
export type Growing = Tree & { readonly edge: Edge }

/** Another process has appended to the tree, or it belongs to another history. */
class TreeMoved extends Error {
  override readonly name = 'TreeMoved'
}

/** Null before the first start, which names the tree. */
export async function readTree(db: Db): Promise<Tree | null> {
  const { rows } = await sql<{
    origin: string
    size: string
    position: string | null
    event_id: string | null
  }>`SELECT origin, size, position, event_id FROM merkle_tree`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { origin, size, position, event_id: eventId } = row
  return { origin, size: Number(size), position, eventId }
}

/** Names the tree. The name never changes, because every signature refers to it. */
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

export type NewLeaf = Omit<Sealed, 'index'> & { readonly eventId: string }

/**
 * Appends leaves and advances the tree, in one transaction, up to a position of the ledger that may
 * be after the last leaf. Throws TreeMoved if the tree is no longer as given.
 */
export async function appendToTree(
  db: Kysely<Tables>,
  tree: Growing,
  leaves: readonly NewLeaf[],
): Promise<Growing> {
  const last = leaves.at(-1)
  if (last === undefined) return tree
  const hashes = leaves.map(({ leaf }) => leafHash(leaf))
  const { edge, added } = appendLeaves(tree.edge, tree.size, hashes)
  const { position, eventId } = last
  const grown = { ...tree, edge, size: tree.size + leaves.length, position, eventId }
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`
      UPDATE merkle_tree
      SET size = ${grown.size}, position = ${position}, event_id = ${eventId}
      WHERE ${isTree(tree)}`.execute(tx)
    if (numAffectedRows !== 1n) throw new TreeMoved('another process seals')
    await sql`
      INSERT INTO sealed_batches (first_index, positions, streams, revisions, leaves)
      VALUES (
        ${tree.size},
        ${leaves.map(({ position }) => position)},
        ${leaves.map(({ stream }) => stream)},
        ${leaves.map(({ revision }) => revision)},
        ${Buffer.concat(leaves.map(({ leaf }) => leaf))}
      )`.execute(tx)
    for (const tile of tilesOf(added)) {
      await sql`
        INSERT INTO merkle_tiles AS t (tier, tile, hashes)
        VALUES (${tile.tier}, ${tile.tile}, ${tile.hashes})
        ON CONFLICT (tier, tile) DO UPDATE SET hashes = t.hashes || excluded.hashes`.execute(tx)
    }
  })
  return grown
}

/**
 * Locks the tree until the transaction ends. Throws TreeMoved if it has changed: after a reconnect,
 * the database may be a restored or promoted one.
 */
export async function lockTree(tx: Transaction<Tables>, tree: Tree): Promise<void> {
  const { rows } = await sql`SELECT FROM merkle_tree WHERE ${isTree(tree)} FOR SHARE`.execute(tx)
  if (rows.length === 0) throw new TreeMoved('the tree is no longer the one to be signed')
}

/**
 * Two histories can end at the same size and position, so the id of the last event is compared too.
 */
function isTree({ size, position, eventId }: Tree): RawBuilder<boolean> {
  return sql`size = ${size} AND position IS NOT DISTINCT FROM ${position}
    AND event_id IS NOT DISTINCT FROM ${eventId}`
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

/** The current root of the tree. */
export function currentRoot({ size, edge }: Growing): Buffer {
  return edgeRoot(edge, size)
}

/** The hashes of a tile; empty if it does not exist. */
export async function tileHashes(db: Db, tier: number, tile: number): Promise<readonly Buffer[]> {
  if (tier === 0) return (await leavesOf(db, tile)).map(leafHash)
  const { rows } = await sql<{ hashes: Buffer }>`
    SELECT hashes FROM merkle_tiles WHERE tier = ${tier} AND tile = ${tile}`.execute(db)
  return split(rows.map(({ hashes }) => hashes))
}

async function leavesOf(db: Db, tile: number): Promise<readonly Buffer[]> {
  const from = tile * tileWidth
  const to = from + tileWidth
  const { rows } = await sql<{ leaves: Buffer }>`
    SELECT substring(leaves
      FROM 1 + 32 * greatest(${from} - first_index, 0)::int
      FOR 32 * (${to} - greatest(${from}, first_index))::int) AS leaves
    FROM sealed_batches
    WHERE first_index >= ${batchOf(from)} AND first_index < ${to}
      AND first_index + octet_length(leaves) / 32 > ${from}
    ORDER BY first_index`.execute(db)
  return split(rows.map(({ leaves }) => leaves))
}

function split(parts: readonly Buffer[]): readonly Buffer[] {
  const bytes = Buffer.concat(parts)
  return Array.from({ length: bytes.length / hashBytes }, (_, at) =>
    bytes.subarray(at * hashBytes, (at + 1) * hashBytes),
  )
}

/**
 * Cached tiles: more than the tiles along one edge of the tree, which proofs of adjacent events
 * share.
 */
const keptTilesMax = 32

type Pyramid = ReturnType<typeof pyramid>

/** Computes roots over ranges of the sealed tree. Recently used tiles are cached. */
export class TreeReader {
  readonly #db: Db
  readonly #tiles = new Map<string, Pyramid>()

  constructor(db: Db) {
    this.#db = db
  }

  /** The roots over ranges, for proofs and trees. */
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
    if (hash === undefined) throw new Error('The sealed tree has a hole: `verify` shows where.')
    return hash
  }

  async #tile(tier: number, tile: number, needed: number): Promise<Pyramid> {
    const key = `${tier}/${tile}`
    const kept = this.#tiles.get(key)
    // The last tile of a tier grows, so a cached one may be too short.
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
  const sealed = await sealedUpTo(db, position)
  return sealed?.position === position ? sealed : null
}

/** The sealed events at these positions, by position. Events that are not sealed are left out. */
export async function sealedAtEach(
  db: Db,
  positions: readonly Position[],
): Promise<ReadonlyMap<Position, Sealed>> {
  const batches = sql`(
    SELECT batch.first_index FROM unnest(${positions}::text[]) AS wanted(position)
    CROSS JOIN LATERAL (
      SELECT first_index FROM sealed_batches
      WHERE positions[1] <= wanted.position COLLATE "C"
        AND first_index < (SELECT size FROM merkle_tree)
      ORDER BY positions[1] DESC LIMIT 1) AS batch)`
  const sealed = await sealedWhere(
    db,
    sql`first_index IN ${batches} AND position = ANY (${positions}::text[]) ORDER BY first_index, n DESC`,
  )
  return new Map(sealed.map((one) => [one.position, one]))
}

/** The sealed event at a position, or the last one before it. */
export async function sealedUpTo(db: Db, position: Position): Promise<Sealed | null> {
  // Rows inserted beyond the end of the tree must not hide those in it.
  const batch = sql`(
    SELECT first_index FROM sealed_batches
    WHERE positions[1] <= ${position} AND first_index < (SELECT size FROM merkle_tree)
    ORDER BY positions[1] DESC LIMIT 1)`
  const upTo = sql`position <= ${position} ORDER BY position DESC, n LIMIT 1`
  const [sealed] = await sealedWhere(db, sql`first_index = ${batch} AND ${upTo}`)
  return sealed ?? null
}

/** Sealed events from an index on. */
export async function sealedFrom(db: Db, index: number, limit: number): Promise<readonly Sealed[]> {
  const after = sql`first_index >= ${batchOf(index)} AND first_index + n > ${index}`
  return await sealedWhere(db, sql`${after} ORDER BY first_index, n LIMIT ${limit}`)
}

/** The last revision of a stream that was sealed in a range of the tree; null if none was. */
export async function lastSealedOf(
  db: Db,
  stream: string,
  { from, to }: Range,
): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    SELECT max(event.revision)::int AS last
    FROM sealed_batches
    CROSS JOIN LATERAL unnest(streams, revisions) WITH ORDINALITY AS event(stream, revision, n)
    WHERE first_index >= ${batchOf(from)} AND first_index < ${to} AND ${stream} = ANY (streams)
      AND event.stream = ${stream}
      AND first_index + n - 1 >= ${from} AND first_index + n - 1 < ${to}`.execute(db)
  return rows[0]?.last ?? null
}

/** The first index of the batch that contains an index. */
function batchOf(index: number): RawBuilder<unknown> {
  return sql`coalesce(
    (SELECT max(first_index) FROM sealed_batches WHERE first_index <= ${index}), 0)`
}

async function sealedWhere(db: Db, condition: RawBuilder<unknown>): Promise<readonly Sealed[]> {
  // Reads the leaves of a batch once: otherwise PostgreSQL would fetch them again for each event.
  const { rows } = await sql<Omit<Sealed, 'index'> & { tree_index: string }>`
    SELECT first_index + n - 1 AS tree_index, position, stream, revision,
      substring(read.leaves FROM 32 * n::int - 31 FOR 32) AS leaf
    FROM sealed_batches
    CROSS JOIN LATERAL (SELECT sealed_batches.leaves || ''::bytea AS leaves OFFSET 0) AS read
    CROSS JOIN LATERAL
      unnest(positions, streams, revisions) WITH ORDINALITY AS event(position, stream, revision, n)
    WHERE ${condition}`.execute(db)
  return rows.map(({ tree_index: index, ...sealed }) => ({ ...sealed, index: Number(index) }))
}
