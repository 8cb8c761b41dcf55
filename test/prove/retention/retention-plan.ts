import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Tables } from '../../../projections/tables.ts'
import { planRetention } from '../../../src/service/processes/erasure/retention.ts'
import { type Explained, explain } from '../../support/explained.ts'

export type RetentionPlan = {
  /** The number of noted erasures. */
  readonly noted: number
  readonly ms: number
  /** Pages of 8 KB that were read or written, cached or not. */
  readonly buffers: number
  /** Rows read from each table, including discarded ones. */
  readonly rows: Readonly<Record<string, number>>
  /** Tables that were read completely. */
  readonly scanned: readonly string[]
  /** The nodes of the plan. */
  readonly plan: string
}

/**
 * Executes and explains the retention statement in this session, within its transaction if there is
 * one.
 */
export async function retentionPlan(client: pg.ClientBase): Promise<RetentionPlan> {
  let explained: Explained | undefined
  const query = async (text: string, values: unknown[]) => {
    if (!/INSERT INTO erasures/.test(text)) return await client.query(text, values)
    explained = await explain(client, text, values)
    return { rows: [] }
  }
  const session = { query, release: () => undefined } as unknown as pg.PoolClient
  const pool = { options: {}, connect: async () => session, end: async () => undefined }
  await planRetention(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }))
  if (explained === undefined) throw new Error('retention asked nothing')
  return planOf(explained)
}

function planOf(explained: Explained): RetentionPlan {
  const read: Record<string, number> = {}
  const scanned: string[] = []
  for (const node of explained.nodes) {
    const table = node['Relation Name']
    if (table === undefined || node['Node Type'] === 'ModifyTable') continue
    const rows = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)
    read[table] = (read[table] ?? 0) + rows * (node['Actual Loops'] ?? 1)
    if (node['Node Type'] === 'Seq Scan') scanned.push(table)
  }
  const { nodes, ms, buffers } = explained
  const isNoting = (node: (typeof nodes)[number]) =>
    node['Node Type'] === 'ModifyTable' && node['Relation Name'] === 'erasures'
  const noted = nodes.find(isNoting)
  return {
    noted: noted?.['Actual Rows'] ?? 0,
    ms,
    buffers,
    rows: read,
    scanned,
    plan: nodes
      .map((node) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''}`)
      .join(' < '),
  }
}
