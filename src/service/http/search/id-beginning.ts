import { type Expression, type SqlBool, sql } from 'kysely'
import { idValueLength } from '../../domain/ids.ts'

/** A shorter beginning matches too much to be useful. */
export const idBeginningMin = 6
/** An operation's id has two characters more than others. */
const valueLengthMax = idValueLength + 2

const form = new RegExp(`^(?:([a-z]{2,3})_)?([0-9a-z]{${idBeginningMin},${valueLengthMax}})$`, 'i')

/** The beginning of an id, as a person typed it, in any case. */
export type IdBeginning = {
  /** Null for ids of any kind. */
  readonly prefix: string | null
  readonly value: string
}

/** Null if the text cannot begin an id. */
export function idBeginningOf(text: string): IdBeginning | null {
  const found = form.exec(text)
  if (found === null) return null
  return { prefix: found[1]?.toLowerCase() ?? null, value: String(found[2]) }
}

/**
 * Ids of this kind with that beginning. Ids are compared byte by byte, so each way of writing the
 * first six letters, at most 64, is a short range of the index of ids.
 */
export function beginsId(column: string, prefix: string, value: string): Expression<SqlBool> {
  const id = sql.ref(column)
  const ranges = waysToWrite(value.slice(0, idBeginningMin)).map((way) => {
    const start = `${prefix}_${way}`
    // The character after all letters and digits.
    return sql<SqlBool>`(${id} >= ${start} AND ${id} < ${`${start}{`})`
  })
  const whole = `${prefix}_${value.toLowerCase()}`
  return sql<SqlBool>`((${sql.join(ranges, sql` OR `)}) AND starts_with(lower(${id}), ${whole}))`
}

/** The same for ids that have an index in lowercase. */
export function beginsLoweredId(column: string, prefix: string, value: string) {
  const start = `${prefix}_${value.toLowerCase()}`
  const id = sql`lower(${sql.ref(column)})`
  return sql<SqlBool>`(${id} >= ${start} AND ${id} < ${`${start}{`})`
}

function waysToWrite(text: string): readonly string[] {
  let ways = ['']
  for (const character of text) {
    const forms = new Set([character.toLowerCase(), character.toUpperCase()])
    ways = ways.flatMap((way) => [...forms].map((form) => way + form))
  }
  return ways
}
