import type { Place, Position } from '../event-store.ts'
import type { LogPosition } from './eventstoredb-client.ts'

/** Digits of the largest 64-bit position. Padded to this, positions compare as text. */
const digits = 20
/** The server's positions are signed. "No position" is sent as the largest unsigned numbers. */
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

/** False if the server's answer to a repeated append has no position. */
export function isPlace(position: LogPosition | undefined): position is LogPosition {
  return position !== undefined && position.commit >= 0n && position.commit <= positionMax
}

/**
 * Where reading resumes: at the ledger's last event. Other systems' events after it are examined again,
 * because in a restored log ours may be there now.
 */
export function resumedFrom(place: Place | null): Position | null {
  return place?.event?.position ?? place?.position ?? null
}
