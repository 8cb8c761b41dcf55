/** SQL with which an attacker who has all rights changes what was sealed. */

/** The columns of a batch, of its events from one to another, counted from 1. */
function part(from: string, to: string): string {
  return `positions[${from}:${to}], streams[${from}:${to}], revisions[${from}:${to}],
    substring(leaves FROM 32 * (${from}) - 31 FOR 32 * (1 + (${to}) - (${from})))`
}

/** Puts other batches in place of the one that a position is in, the number of whose event is `n`. */
function instead(position: string, batches: string): string {
  return `WITH found AS (
    DELETE FROM sealed_batches WHERE '${position}' = ANY (positions)
    RETURNING *, array_position(positions, '${position}') AS n
  ) INSERT INTO sealed_batches ${batches}`
}

/** Another leaf was sealed at a position. */
export function sealedAs(position: string, leaf: string): string {
  return `UPDATE sealed_batches SET leaves = overlay(leaves
      PLACING decode('${leaf}', 'hex') FROM 32 * array_position(positions, '${position}') - 31)
    WHERE '${position}' = ANY (positions)`
}

/** The event's place is empty: those before and after it are where they were. */
export function withoutPlace(position: string): string {
  return instead(
    position,
    `SELECT first_index, ${part('1', 'n - 1')} FROM found WHERE n > 1 UNION ALL
     SELECT first_index + n, ${part('n + 1', 'cardinality(positions)')} FROM found
     WHERE n < cardinality(positions)`,
  )
}

/** The event is taken out of its batch, and those after it in the batch move up. */
export function movedUp(position: string): string {
  return instead(
    position,
    `SELECT first_index, positions[:n - 1] || positions[n + 1:], streams[:n - 1] || streams[n + 1:],
       revisions[:n - 1] || revisions[n + 1:],
       substring(leaves FROM 1 FOR 32 * (n - 1)) || substring(leaves FROM 32 * n + 1)
     FROM found WHERE cardinality(positions) > 1`,
  )
}

/** Only so many events were sealed. */
export function endingAt(size: number): string {
  return `WITH found AS (
    DELETE FROM sealed_batches WHERE first_index + cardinality(positions) > ${size} RETURNING *
  ) INSERT INTO sealed_batches
    SELECT first_index, ${part('1', `(${size} - first_index)::int`)} FROM found
    WHERE first_index < ${size}`
}
