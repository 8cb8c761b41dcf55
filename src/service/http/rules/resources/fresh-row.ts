import { type RawBuilder, sql } from 'kysely'
import { Problem } from '../../../errors.ts'

/**
 * Two requests meet here only if a lease has expired, and the service's own changes of a row (a
 * refused credential, a disabled endpoint) are rare: the second try succeeds.
 */
const triesMax = 5

/** A row was changed or deleted since it was read. Nothing was written. */
class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
}

/** For the condition of an update: the row is as it was read. */
export function asRead(row: {
  readonly id: string
  readonly version: number
}): RawBuilder<boolean> {
  return sql<boolean>`id = ${row.id} AND version = ${row.version}`
}

/** The row that such an update returned. If it returned none, `withFreshRow` begins again. */
export function requireWritten<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ChangedMeanwhile('the row was changed since it was read')
  return row
}

/**
 * Runs work that reads a row and changes it as it was read, and again if the row was changed in
 * between. The work may have recorded in the audit by then what it was about to do. Refuses with
 * `overloaded` if the row is changed each time.
 */
export async function withFreshRow<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error
      if (tries === triesMax) throw new Problem('overloaded', { cause: error })
    }
  }
}
