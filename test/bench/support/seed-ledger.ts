import { createHash } from 'node:crypto'
import pg from 'pg'
import { shipmentStreamPrefix } from '../../../src/service/domain/ids.ts'
import { postgresEventStore } from '../../../src/service/event-store/postgres/postgres.ts'
import { fillLedger } from '../../support/bulk-ledger.ts'
import { say } from '../../support/say.ts'
import type { BenchServer } from './bench-server.ts'

/** Shipments whose histories the domain decides; all others are copies of these. */
const models = 256
const where = {
  organizationId: 'org_0000000000000000000001',
  workspaceId: 'ws_0000000000000000000001',
}
/** Copies per statement: some hundred thousand events. */
const copiesAtOnce = 100

// Each copy of the models' histories has its own ids, references and times, ten seconds after the
// previous one. Only leaves and causes are still the models', and nothing that is measured here
// reads them.
const copySql = `
  WITH model AS MATERIALIZED (
    SELECT e.*, substr(stream_id, 10) AS value FROM ledger.event e WHERE position <= $1
  )
  INSERT INTO ledger.event
    (position, stored_at, event_id, revision, stream_id, type, data, metadata)
  SELECT m.position + copy * $1, now(), gen_random_uuid(), m.revision, 'shipment-' || own.value, m.type,
    replace(replace(replace(m.data::text, m.value, own.value), 'ORDER-', 'ORDER-' || copy || '-'),
      'bulk-', 'bulk-' || copy || '-')::json,
    replace(replace(m.metadata::text, m.value, own.value), '2026-03-01T12:00:0',
      left(to_char(timestamp '2026-03-01 12:00:00' + copy * interval '10 seconds',
        'YYYY-MM-DD"T"HH24:MI:SS'), 18))::json
  FROM generate_series($2::bigint, $3::bigint) AS copy
  CROSS JOIN model m
  CROSS JOIN LATERAL (SELECT substr(md5(copy || ' ' || m.value), 1, 22) AS value) own
  WHERE m.position + copy * $1 <= $4
  ORDER BY 1`

/**
 * Fills an empty ledger with this many events: histories of shipments as the domain decides them.
 * Returns the stream of the n-th whole history without reading the ledger, which would warm its
 * cache.
 */
export async function seedLedger(
  { url, adminUrl }: BenchServer,
  events: number,
): Promise<{ readonly streams: number; readonly streamOf: (n: number) => string }> {
  const startedAt = performance.now()
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const store = postgresEventStore({ url })
    const block = await fillLedger(store, models, where)
    await store.close()
    for (let copy = 1; copy * block < events; copy += copiesAtOnce) {
      const last = copy + copiesAtOnce - 1
      await client.query(copySql, [block, copy, last, events])
      say(`  seeded ${Math.min((last + 1) * block, events)} of ${events} events`)
    }
    await client.query('VACUUM (ANALYZE) ledger.event')
    await client.query('CHECKPOINT')
    const { rows } = await client.query<{ value: string }>(
      'SELECT substr(stream_id, 10) AS value FROM ledger.event WHERE position <= $1 AND revision = 0',
      [block],
    )
    const seconds = (performance.now() - startedAt) / 1_000
    say(`  the ledger has ${events} events after ${seconds.toFixed(0)} s`)
    return {
      streams: Math.floor(events / block) * models,
      streamOf: (n) => shipmentStreamPrefix + copiedValue(rows, n),
    }
  } finally {
    await client.end()
  }
}

/** The value that the SQL gives to a copy. */
function copiedValue(rows: readonly { readonly value: string }[], n: number): string {
  const { value } = rows[n % models] ?? { value: '' }
  const copy = Math.floor(n / models)
  return copy === 0
    ? value
    : createHash('md5').update(`${copy} ${value}`).digest('hex').slice(0, 22)
}
