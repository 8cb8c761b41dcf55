import type pg from 'pg'
import { eventStoreOf, ledgerNameOf } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { lockDataDirectory } from '../database/data-directory.ts'
import { checkServer } from '../database/external.ts'
import { prepareSide } from '../database/prepare-side.ts'
import { SessionClient } from '../database/sessions/session-client.ts'
import { applicationRole } from '../embedded-postgres/embedded.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { isEventStoreUrl } from '../is-url.ts'
import type { Ledger } from '../ledger/copy/switch-store.ts'
import { openDatabase, runningDatabase } from '../open-database.ts'
import type { logger } from '../security/logger.ts'
import { StartError } from '../start-error.ts'

type Log = ReturnType<typeof logger>

/** The address of a ledger; null = the service's own database. */
export type LedgerAddress = { readonly url: string; readonly namespace: string } | null

export type OpenLedger = {
  readonly ledger: Ledger
  readonly store: EventStore
  /** How many appends keep their order when they are sent together. */
  readonly appendsAtOnce: number
}

export type OpenLedgers = {
  readonly from: OpenLedger
  readonly to: OpenLedger
  /**
   * A session on the service's own database as the owner of its tables. Connects on the first call.
   */
  readonly database: () => Promise<pg.Client>
  close(): Promise<void>
}

export type OpenLedgersOptions = {
  readonly from: LedgerAddress
  readonly to: LedgerAddress
  /** Refuse if the service's own database has other sessions. */
  readonly isAlone: boolean
}

/**
 * The database function appends this many in order in one transaction. EventStoreDB does not
 * promise an order.
 */
const postgresAppendsMax = 256
const sessionName = 'shipping-ledger copy'

/** Opens both ledgers. Creates the tables if the target is an empty PostgreSQL database. */
export async function openLedgers(
  { from, to, isAlone }: OpenLedgersOptions,
  log: Log,
): Promise<OpenLedgers> {
  const config = readConfig()
  const closers: (() => Promise<unknown>)[] = []
  let own: Promise<OwnDatabase> | undefined
  const ownOne = () => {
    own ??= ownDatabase(config, isAlone, log, closers)
    return own
  }
  const opened = async (address: LedgerAddress): Promise<OpenLedger> => {
    const isElsewhere = address !== null && isEventStoreUrl(address.url)
    const options = {
      databaseUrl: isElsewhere ? '' : (address?.url ?? (await ownOne()).url),
      eventStoreUrl: isElsewhere ? address.url : undefined,
      eventStoreNamespace: address?.namespace ?? '',
      log,
    }
    const store = eventStoreOf(options)
    closers.push(() => store.close())
    const appendsAtOnce = isElsewhere ? 1 : postgresAppendsMax
    return { ledger: ledgerNameOf(options), store, appendsAtOnce }
  }
  const close = async () => {
    for (const closeOne of closers.toReversed()) await closeOne()
  }
  try {
    if (isPostgres(from)) await prepareSide('--from', from.url)
    if (isPostgres(to)) await prepareSide('--to', to.url)
    return {
      from: await opened(from),
      to: await opened(to),
      async database() {
        const { adminUrl, role } = await ownOne()
        const client = new SessionClient({
          connectionString: adminUrl,
          application_name: sessionName,
        })
        client.on('error', () => {})
        closers.push(() => client.end())
        await client.connect()
        await refuseLesserRole(client, role)
        return client
      },
      close,
    }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

function isPostgres(side: LedgerAddress): side is NonNullable<LedgerAddress> {
  return side !== null && !isEventStoreUrl(side.url)
}

type OwnDatabase = {
  readonly url: string
  readonly adminUrl: string
  /** The role that the service uses. */
  readonly role: string
}

/**
 * A move needs more rights: it binds the database to another store, changes positions in every read
 * model, and must see every session of the service.
 */
async function refuseLesserRole(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ suffices: boolean }>(
    `SELECT has_table_privilege('event_store_binding', 'UPDATE') AND pg_has_role($1, 'USAGE')
       AS suffices`,
    [role],
  )
  if (rows[0]?.suffices) return
  throw new StartError(
    `A move of the ledger needs more rights: set DATABASE_ADMIN_URL to the role that owns the tables, and make it a member of the service's (GRANT ${role} TO …).`,
  )
}

async function ownDatabase(
  config: Config,
  isAlone: boolean,
  log: Log,
  closers: (() => Promise<unknown>)[],
): Promise<OwnDatabase> {
  const { databaseUrl: url, databaseAdminUrl } = config
  if (url !== undefined) {
    const { role } = await checkServer('DATABASE_URL', url)
    if (databaseAdminUrl !== undefined) await checkServer('DATABASE_ADMIN_URL', databaseAdminUrl)
    return { url, adminUrl: databaseAdminUrl ?? url, role }
  }
  const running = isAlone ? undefined : runningDatabase(config.dataDir, config)
  // The service is running; the command then refuses to move the ledger.
  if (running !== undefined) return { ...running, adminUrl: running.url, role: applicationRole }
  // The lock makes this the only process on the data directory.
  const directory = lockDataDirectory(config.dataDir)
  closers.push(async () => directory.release())
  const database = await openDatabase({ ...config, directory, log })
  closers.push(database.close)
  return { url: database.url, adminUrl: database.adminUrl, role: applicationRole }
}
