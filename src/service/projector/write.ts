import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { type Projection, tableOf } from '../../../projections/projection.ts'
import type { Place } from '../event-store/event-store.ts'

/** A generation of a projection, and how far it is. */
export type Part = {
  readonly projection: Projection
  readonly generation: number
  readonly active: boolean
  place: Place | null
}

/** Another projector has moved a checkpoint, or another generation was made active. */
export class CheckpointConflict extends Error {
  override readonly name = 'CheckpointConflict'
  constructor() {
    super('Another process is working on the same generation of this projection.')
  }
}

/**
 * Writes the rows of all parts, a JSON array for each of their `writes` in order, and moves their
 * checkpoints: one statement, with fixed text for the parts, which PostgreSQL plans once per
 * session. Throws Fenced, having written nothing, when a checkpoint differs from its part's.
 */
export async function write(
  pool: Pool,
  parts: readonly Part[],
  to: Place,
  rows: readonly string[],
): Promise<void> {
  const text = statementOf(parts)
  const statement = {
    name: `follow-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
    text,
    values: [
      parts.map(({ projection }) => projection.name),
      parts.map(({ generation }) => generation),
      parts.map(({ active }) => active),
      parts.map(({ place }) => place?.position ?? null),
      parts.map(({ place }) => place?.event?.id ?? null),
      to.position,
      to.event?.position ?? null,
      to.event?.id ?? null,
      ...rows,
    ],
  }
  try {
    const found = await pool.query<{ holds: boolean }>(statement)
    if (found.rows[0]?.holds === true) return
  } catch (error) {
    if (!(await areReplaced(pool, parts, error))) throw error
  }
  throw new CheckpointConflict()
}

const undefinedTable = '42P01'

/** Whether the statement failed because a rebuild has dropped the tables of a former generation. */
async function areReplaced(pool: Pool, parts: readonly Part[], error: unknown): Promise<boolean> {
  if ((error as { readonly code?: unknown }).code !== undefinedTable) return false
  const { rowCount } = await pool.query(
    `SELECT FROM projections p JOIN unnest($1::text[], $2::int[]) AS part (name, generation)
      ON p.name = part.name AND p.generation = part.generation`,
    [parts.map(({ projection }) => projection.name), parts.map(({ generation }) => generation)],
  )
  return rowCount !== parts.length
}

/** Locks the checkpoints first, and checks them again once they are locked. */
function statementOf(parts: readonly Part[]): string {
  let parameter = 8
  const writes = parts.flatMap(({ projection, generation }) =>
    projection.writes(tableOf(generation)).map((write) => {
      parameter += 1
      return write(
        `(SELECT CASE WHEN holds THEN $${parameter}::json ELSE '[]'::json END FROM fence)`,
      )
    }),
  )
  const written = writes.map((each, index) => `, written_${index} AS (${each})`)
  return `
    WITH held AS MATERIALIZED (
      SELECT p.name, p.generation FROM projections p
      JOIN unnest($1::text[], $2::int[], $3::boolean[], $4::text[], $5::uuid[])
        AS part (name, generation, active, position, event_id)
        ON p.name = part.name AND p.generation = part.generation AND p.active = part.active
      WHERE p.position IS NOT DISTINCT FROM part.position
        AND p.event_id IS NOT DISTINCT FROM part.event_id
      FOR UPDATE OF p
    ), fence AS MATERIALIZED (
      SELECT count(*) = cardinality($1::text[]) AS holds FROM held
    ), moved AS (
      UPDATE projections p SET position = $6, event_position = $7, event_id = $8,
        stopped_by = NULL, updated_at = now()
      FROM held h, fence
      WHERE fence.holds AND p.name = h.name AND p.generation = h.generation
    )${written.join('')}
    -- What a crash takes away again is done again: the checkpoints go with it.
    SELECT holds, set_config('synchronous_commit', 'off', true) FROM fence`
}
