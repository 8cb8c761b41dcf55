import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { Tables } from '../../../projections/tables.ts'
import { pool as openPool } from '../../../src/service/database/pool.ts'
import { postgresClaims } from '../../../src/service/processes/due/claims-postgres.ts'
import { postgresVaultRows } from '../../../src/service/security/vault/vault-statements.ts'
import { noLog } from '../../support/no-log.ts'
import { testDatabase } from '../../support/test-database.ts'
import { claimsContract } from './claims-contract.ts'
import { memoryClaims, type Owed } from './memory-claims.ts'
import { memoryVaultRows } from './memory-vault-rows.ts'
import { vaultRowsContract } from './vault-rows-contract.ts'

// The simulation's adapters fulfil the same contracts as the service's.

async function database(t: Test) {
  const { url, adminUrl } = await testDatabase(t)
  const pool = openPool({ connectionString: url, max: 6, log: noLog })
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  t.teardown(() => Promise.all([pool.end(), admin.end()]))
  return { pool, admin }
}

claimsContract(t, 'claims in memory', async () => {
  const owed = { track: new Map<string, Owed>(), reconcile: new Map<string, Owed>() }
  let passedMs = 0
  const now = () => Date.now() + passedMs
  return {
    claims: memoryClaims(
      (job) => (job === 'track' || job === 'reconcile' ? [...owed[job].values()] : []),
      now,
    ),
    owe: async (shipmentId, inMs, job = 'track') =>
      void owed[job].set(shipmentId, { shipmentId, dueAt: now() + inMs, clockOffsetMs: 0 }),
    pass: async (ms) => {
      passedMs += ms
    },
  }
})

claimsContract(t, 'claims in PostgreSQL', async (t) => {
  const { pool, admin } = await database(t)
  const earlier = (column: string, table: string) =>
    `UPDATE ${table} SET ${column} = ${column} - $1 * interval '1 millisecond'`
  return {
    claims: postgresClaims(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })),
    owe: async (shipmentId, inMs, job = 'track') => {
      const column = job === 'track' ? 'check_at' : 'reconcile_at'
      await admin.query(
        `INSERT INTO due (shipment_id, workspace_id, livemode, ${column})
         VALUES ($1, 'ws_a', true, now() + $2 * interval '1 millisecond')
         ON CONFLICT (shipment_id) DO UPDATE SET ${column} = excluded.${column}`,
        [shipmentId, inMs],
      )
    },
    pass: async (ms) => {
      await admin.query(earlier('leased_until', 'claims'), [ms])
      await admin.query(earlier('leased_until', 'due'), [ms])
      await admin.query(earlier('check_at', 'due'), [ms])
    },
  }
})

vaultRowsContract(t, 'vault rows in memory', async () => {
  const quotas = new Map<string, number | null>()
  const rows = memoryVaultRows((organizationId) => quotas.get(organizationId) ?? null)
  return {
    rows,
    async organization(quota) {
      const id = `org_${randomUUID()}`
      quotas.set(id, quota)
      return id
    },
    used: async (organizationId) => rows.used(organizationId),
  }
})

vaultRowsContract(t, 'vault rows in PostgreSQL', async (t) => {
  const { pool, admin } = await database(t)
  return {
    rows: postgresVaultRows(pool),
    async organization(quota) {
      const id = `org_${randomUUID()}`
      await admin.query('INSERT INTO plans (name, shipments_per_month) VALUES ($1, $2)', [
        id,
        quota,
      ])
      await admin.query(
        `INSERT INTO organizations (id, name, type, created_at, plan)
         VALUES ($1, 'A', 'external', now(), $1)`,
        [id],
      )
      return id
    },
    async used(organizationId) {
      const { rows } = await admin.query(
        'SELECT coalesce(sum(used), 0)::int AS used FROM quota_months WHERE organization_id = $1',
        [organizationId],
      )
      return rows[0].used
    },
  }
})
