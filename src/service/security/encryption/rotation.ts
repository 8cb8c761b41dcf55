import type { Pool } from 'pg'
import type { MasterKeys } from './master-keys.ts'
import { readStep, rewrap } from './rewrap.ts'
import { type SealedTable, sealedTables } from './sealed-tables.ts'

/**
 * Each pass handles the rows that the previous pass skipped. Rows that are locked in all of them
 * will stay locked.
 */
const passesMax = 20

type Standing = {
  /** Rows under a master key other than the current one. */
  readonly old: number
  /** The master keys of those rows. */
  readonly keyIds: readonly string[]
}

/** The number of rows under old keys, counted table by table in bounded steps. */
export async function standingOf(pool: Pool, keys: MasterKeys): Promise<Standing> {
  let old = 0
  const keyIds = new Set<string>()
  for (const table of sealedTables) {
    for await (const step of stepsOf(pool, keys, table)) {
      old += step.old.length
      for (const id of step.keyIds) keyIds.add(id)
    }
  }
  return { old, keyIds: [...keyIds].sort() }
}

type Pass = {
  readonly rewrapped: number
  /** Rows under an old key that were skipped because they were locked. */
  readonly left: number
  readonly broken: ReadonlyMap<string, number>
}

/**
 * Rewraps everything until a whole pass finds nothing under an old key. Returns the number of rows
 * that no available key can decrypt, by table; they are left unchanged. `report` is called after
 * each step with the number of rows rewrapped in it.
 */
export async function rewrapAll(
  pool: Pool,
  keys: MasterKeys,
  report: (rows: number) => void,
): Promise<ReadonlyMap<string, number>> {
  for (let passes = 0; passes < passesMax; passes++) {
    const { rewrapped, left, broken } = await onePass(pool, keys, report)
    if (rewrapped === 0 && left === 0) return broken
  }
  throw new Error('rows are still locked or written under an old master key after many passes')
}

async function onePass(
  pool: Pool,
  keys: MasterKeys,
  report: (rows: number) => void,
): Promise<Pass> {
  let [rewrapped, left] = [0, 0]
  const broken = new Map<string, number>()
  for (const table of sealedTables) {
    for await (const { old } of stepsOf(pool, keys, table)) {
      const done = await rewrap(pool, keys, table, old)
      rewrapped += done.rewrapped
      left += old.length - done.rewrapped - done.broken
      if (done.broken > 0) broken.set(table.name, (broken.get(table.name) ?? 0) + done.broken)
      if (done.rewrapped > 0) report(done.rewrapped)
    }
  }
  return { rewrapped, left, broken }
}

async function* stepsOf(pool: Pool, keys: MasterKeys, table: SealedTable) {
  let after: string | null = null
  do {
    const step = await readStep(pool, keys, table, after)
    yield step
    after = step.next
  } while (after !== null)
}
