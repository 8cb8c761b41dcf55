import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { type EventStore, EventStoreUnavailable } from '../event-store/event-store.ts'
import { StartError } from '../start-error.ts'

/** Identifies a ledger: the kind of store, and its namespace where several share one store. */
export type LedgerName = {
  readonly kind: 'PostgreSQL' | 'EventStoreDB'
  readonly namespace: string
}

/** How long to wait for a store that is starting. */
const headWaitMs = 15_000
const headPollMs = 500

/**
 * Binds a database to its event store: positions in the read models mean nothing in another store.
 * Throws StartError.
 */
export async function checkEventStore(
  db: Kysely<Tables>,
  store: EventStore,
  ledger: LedgerName,
  waitMs: number = headWaitMs,
): Promise<void> {
  await sql`
    INSERT INTO event_store_binding (kind, namespace) VALUES (${ledger.kind}, ${ledger.namespace})
    ON CONFLICT DO NOTHING`.execute(db)
  const { rows } = await sql<LedgerName>`SELECT kind, namespace FROM event_store_binding`.execute(
    db,
  )
  const [bound] = rows
  if (bound?.kind !== ledger.kind || bound.namespace !== ledger.namespace) {
    throw new StartError(
      `This database belongs to a ledger in ${nameOf(bound)}, not in ${nameOf(ledger)}: set EVENT_STORE_URL and EVENT_STORE_NAMESPACE to the values it was created with, or use another database.`,
    )
  }
  const sentence = noAnswer[ledger.kind]
  await untilAnswered(() => store.end(), waitMs, sentence)
  if (ledger.kind === 'EventStoreDB') {
    await untilAnswered(() => askToWrite(store), waitMs, sentence)
  }
}

function nameOf(ledger: LedgerName | undefined): string {
  if (ledger === undefined) return 'no event store'
  return ledger.namespace === '' ? ledger.kind : `${ledger.kind} (namespace ${ledger.namespace})`
}

/**
 * Checks that the store accepts writes: appends to a nonexistent stream at an impossible revision,
 * which writes nothing.
 */
async function askToWrite(store: EventStore): Promise<void> {
  const event = { id: crypto.randomUUID(), type: 'NeverWritten', data: {}, metadata: {} }
  await store.append(`audit-${crypto.randomUUID()}`, 0, [event])
}

async function untilAnswered<T>(
  ask: () => Promise<T>,
  waitMs: number,
  sentence: string,
): Promise<T> {
  const until = performance.now() + waitMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const trouble = error instanceof EventStoreUnavailable ? error.trouble : null
      if (trouble?.passes === false || performance.now() >= until) {
        throw new StartError(trouble?.sentence ?? sentence, { cause: error })
      }
      await delay(headPollMs)
    }
  }
}

const noAnswer: Readonly<Record<LedgerName['kind'], string>> = {
  PostgreSQL:
    'The ledger in PostgreSQL cannot be read: check that the server still runs and has sessions left, and see its log.',
  EventStoreDB:
    'The event store does not answer: check that it runs and that EVENT_STORE_URL is its address.',
}
