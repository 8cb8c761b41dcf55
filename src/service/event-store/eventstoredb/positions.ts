import type { Place, Position } from '../event-store.ts'
import type { LogPosition } from './eventstoredb-client.ts'

/** Digits of the largest 64-bit position: as text they compare like the numbers. */
const digits = 20
/** Positions are signed in the server; "none" comes over the wire as the largest unsigned ones. */
const positionMax = 2n ** 63n - 1n

/** `commit:prepare` of the log. */
export function positionOfLog({ commit, prepare }: LogPosition): Position {
  return `${String(commit).padStart(digits, '0')}:${String(prepare).padStart(digits, '0')}`
}

export function logPosition(position: Position): LogPosition {
  const match = /^(\d{20}):(\d{20})$/.exec(position)
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new RangeError('not a position of this event store')
  }
  return { commit: BigInt(match[1]), prepare: BigInt(match[2]) }
}

/** The server's answer to a repeated append may contain no place in the log. */
export function isPlace(position: LogPosition | undefined): position is LogPosition {
  return position !== undefined && position.commit >= 0n && position.commit <= positionMax
}

/**
 * Where reading goes on: at the last event of the ledger. Other systems' events behind it are looked
 * at again, because in a log that was restored ours may stand there now.
 */
export function resumedFrom(place: Place | null): Position | null {
  return place?.event?.position ?? place?.position ?? null
}
