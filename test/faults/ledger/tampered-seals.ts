/** SQL with which an attacker with all rights changes sealed batches. */

/** The columns of part of a batch, from one event to another, counted from 1. */
function part(from: string, to: string): string {
  return `positions[${from}:${to}], streams[${from}:${to}], revisions[${from}:${to}],
    substring(leaves FROM 32 * (${from}) - 31 FOR 32 * (1 + (${to}) - (${from})))`
}

/** Replaces the batch that contains a position; `n` is the event's number in the batch. */
function instead(position: string, batches: string): string {
  return `WITH found AS (
    DELETE FROM sealed_batches WHERE '${position}' = ANY (positions)
    RETURNING *, array_position(positions, '${position}') AS n
  ) INSERT INTO sealed_batches ${batches}`
}

/** Seals another leaf at a position. */
export function sealedAs(position: string, leaf: string): string {
  return `UPDATE sealed_batches SET leaves = overlay(leaves
      PLACING decode('${leaf}', 'hex') FROM 32 * array_position(positions, '${position}') - 31)
    WHERE '${position}' = ANY (positions)`
}

/** Removes an event's leaf; the others keep their positions. */
export function withoutPlace(position: string): string {
  return instead(
    position,
    `SELECT first_index, ${part('1', 'n - 1')} FROM found WHERE n > 1 UNION ALL
     SELECT first_index + n, ${part('n + 1', 'cardinality(positions)')} FROM found
     WHERE n < cardinality(positions)`,
  )
}

/** Removes an event from its batch and shifts the following ones. */
export function movedUp(position: string): string {
  return instead(
    position,
    `SELECT first_index, positions[:n - 1] || positions[n + 1:], streams[:n - 1] || streams[n + 1:],
       revisions[:n - 1] || revisions[n + 1:],
       substring(leaves FROM 1 FOR 32 * (n - 1)) || substring(leaves FROM 32 * n + 1)
     FROM found WHERE cardinality(positions) > 1`,
  )
}

/** Cuts the sealed batches off after this many events. */
export function endingAt(size: number): string {
  return `WITH found AS (
    DELETE FROM sealed_batches WHERE first_index + cardinality(positions) > ${size} RETURNING *
  ) INSERT INTO sealed_batches
    SELECT first_index, ${part('1', `(${size} - first_index)::int`)} FROM found
    WHERE first_index < ${size}`
}
