import type { Kysely } from 'kysely'
import { projections } from '../../../../projections/all.ts'
import type { Tables } from '../../../../projections/tables.ts'
import type { Reason } from '../../errors.ts'
import { type EventStore, EventStoreUnavailable } from '../../event-store/event-store.ts'
import type { Guard } from '../../processes/recovery/ledger-guard.ts'
import { type KeptFile, unwritableFiles } from '../../processes/unwritable-files.ts'
import { projectionStatuses } from '../../projector/checkpoint.ts'
import type { ReadinessCheck } from '../api-services.ts'
import { databaseCheck } from './database-check.ts'

/** What `/readyz` shows: the checks that decide, and warnings. */
export function checksOf(db: Kysely<Tables>, store: EventStore, options: ReadinessOptions) {
  return {
    readiness: readinessOf(db, store, options),
    warnings: warningsOf(db),
  }
}

type ReadinessOptions = {
  readonly guard: Pick<Guard, 'damage'>
  readonly dataDir: string | undefined
}

/** The checks of `/readyz`, by the names that it shows. */
function readinessOf(
  db: Kysely<Tables>,
  store: EventStore,
  { guard, dataDir }: ReadinessOptions,
): Readonly<Record<string, ReadinessCheck>> {
  return {
    database: databaseCheck(db, dataDir),
    ledger: async () =>
      guard.damage === null ? await ledgerTrouble(store) : ('ledger_damaged' satisfies Reason),
    projections: async () => {
      const statuses = await projectionStatuses(db)
      const stopped = statuses.filter((one) => one.stoppedBy !== null)
      if (stopped.length > 0) return `${stopped.map((one) => one.name).join(', ')} stopped`
      const active = statuses.filter((one) => one.active).length
      return active < projections.length ? 'a read model is missing' : null
    },
  }
}

/** The service still takes requests with such a problem. */
function warningsOf(db: Kysely<Tables>): Readonly<Record<string, ReadinessCheck>> {
  const written = (what: string, file: KeptFile) => async () => {
    const found = (await unwritableFiles(db)).find((one) => one.file === file)
    return found === undefined ? null : `${what} cannot be written (${found.code})`
  }
  return {
    seal: written('checkpoints', 'checkpoints'),
    erasures: written('the list of erasures', 'erasures'),
  }
}

/** Why the ledger cannot be read; null if it can. The log says what to do. */
async function ledgerTrouble(store: EventStore): Promise<string | null> {
  try {
    await store.end()
    return null
  } catch (error) {
    if (error instanceof EventStoreUnavailable && error.trouble !== null) return error.trouble.code
    throw error
  }
}
