import type { Position } from './event-store.ts'

/** Digits of the largest 64-bit position, plus one. Padded to this, positions compare as text. */
const digits = 20

export function positionOf(value: number | bigint | string): Position {
  return String(value).padStart(digits, '0')
}

export function positionValue(position: Position | null): bigint {
  if (position === null) return 0n
  if (!/^\d{20}$/.test(position)) throw new RangeError('not a position of this event store')
  return BigInt(position)
}
