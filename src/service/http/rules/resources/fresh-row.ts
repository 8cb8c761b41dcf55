import { type RawBuilder, sql } from 'kysely'
import { Problem } from '../../../errors.ts'

/**
 * Conflicts are rare: two requests conflict only if a lease has expired, and the service itself
 * seldom changes a row (a refused credential, a disabled endpoint). So the second try succeeds.
 */
const triesMax = 5

/** A row was changed or deleted since it was read. Nothing was written. */
class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
}

/** The condition of an update: the row is still as it was read. */
export function asRead(row: {
  readonly id: string
  readonly version: number
}): RawBuilder<boolean> {
  return sql<boolean>`id = ${row.id} AND version = ${row.version}`
}

/** The row that such an update returned. If there is none, `withFreshRow` tries again. */
export function requireWritten<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ChangedMeanwhile('the row was changed since it was read')
  return row
}

/**
 * Runs work that reads a row and changes it, and runs it again if the row was changed in between. By
 * then the work may have recorded the act in the audit. Refuses with `overloaded` if the row changes
 * at every try.
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
