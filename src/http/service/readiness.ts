import { type Kysely, sql } from 'kysely'
import { projections } from '../../../projections/all.ts'
import type { ReadModels } from '../../../projections/tables.ts'
import type { Reason } from '../../errors.ts'
import { type EventStore, EventStoreUnavailable } from '../../event-store/event-store.ts'
import type { Guard } from '../../processes/recovery/ledger-guard.ts'
import { projectionStatuses } from '../../projector/checkpoint.ts'
import type { ReadinessCheck } from '../server-deps.ts'

/** The checks of `/readyz`, by the names that it shows. */
export function readinessOf(
  readModels: Kysely<ReadModels>,
  store: EventStore,
  guard: Pick<Guard, 'damage'>,
): Readonly<Record<string, ReadinessCheck>> {
  return {
    database: async () => {
      await sql`SELECT 1`.execute(readModels)
      return null
    },
    ledger: async () =>
      guard.damage === null ? await ledgerTrouble(store) : ('ledger_damaged' satisfies Reason),
    projections: async () => {
      const statuses = await projectionStatuses(readModels)
      const stopped = statuses.filter((one) => one.stoppedBy !== null)
      if (stopped.length > 0) return `${stopped.map((one) => one.name).join(', ')} stopped`
      const active = statuses.filter((one) => one.active).length
      return active < projections.length ? 'a read model is missing' : null
    },
  }
}

/** Why the ledger cannot be read. The log says what to do. */
async function ledgerTrouble(store: EventStore): Promise<string | null> {
  try {
    await store.end()
    return null
  } catch (error) {
    if (error instanceof EventStoreUnavailable && error.trouble !== null) return error.trouble.code
    throw error
  }
}
