import { StartError } from '../start-error.ts'
import { checkServer, placeOf } from './external.ts'
import { migrate } from './migrate.ts'
import { SessionClient } from './sessions/session-client.ts'

/**
 * Prepares a PostgreSQL database as the source or target of a copy: an empty target gets its tables, and
 * a source must have them. Throws StartError that says what is wrong and what to do.
 */
export async function prepareSide(flag: '--from' | '--to', url: string): Promise<void> {
  const { role } = await checkServer(flag, url)
  try {
    if (flag === '--to') await migrate({ adminUrl: url, applicationRole: role })
    else await readLedger(url)
  } catch (error) {
    const sentence = sentences[flag][codeOf(error)]
    if (sentence === undefined) throw error
    const place = `The database of ${flag} at ${placeOf(url)}`
    throw new StartError(`${place} ${sentence}`, { cause: error })
  }
}

async function readLedger(url: string): Promise<void> {
  const client = new SessionClient({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT FROM ledger.event LIMIT 1')
  } finally {
    await client.end().catch(() => {})
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

const notEmpty =
  'already holds something else: name an empty database, as CREATE DATABASE creates it, or a copy of this ledger.'
const sentences: Readonly<Record<'--from' | '--to', Readonly<Record<string, string>>>> = {
  '--to': {
    '42501':
      'cannot get its tables, because the user may not create any: use the user that owns the database (CREATE DATABASE … OWNER …).',
    '42P06': notEmpty,
    '42P07': notEmpty,
    '42723': notEmpty,
  },
  '--from': {
    '42P01': 'holds no ledger, so nothing can be copied from it.',
    '42501': "does not let its user read a ledger: use the service's user.",
  },
}
