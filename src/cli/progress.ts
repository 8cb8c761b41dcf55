import type { Position } from '../event-store/event-store.ts'

/** Often enough to see that it moves, seldom enough to read. */
const everyMs = 1_000

export type Progress = {
  /** So many more events are done, up to this position. */
  done(position: Position | null, events: number): void
}

/**
 * Tells about once a second how far a reading of the ledger is: the events done, how many there may
 * be, how many a second and how long it will still take. How far is judged by the position, which
 * every event store orders, so the total is an estimate.
 */
export function progress(options: {
  readonly what: string
  /** What is counted; events if left out. */
  readonly unit?: string
  readonly head: Position | null
  readonly write: (line: string) => void
  readonly now?: () => number
}): Progress {
  const { what, unit = 'events', head, write, now = () => performance.now() } = options
  const startedAt = now()
  let toldAt = startedAt
  let first: number | null = null
  let count = 0
  return {
    done(position, events) {
      const at = placeOf(position)
      first ??= at
      count += events
      const time = now()
      if (time - toldAt < everyMs) return
      toldAt = time
      const seconds = (time - startedAt) / 1_000
      const rate = count / seconds
      const share = shareOf(at, placeOf(head))
      const rest = shareOf(at - first, placeOf(head) - first)
      const total = rest > 0 ? Math.max(count, Math.round(count / rest)) : count
      const left = Math.ceil((total - count) / Math.max(rate, 1e-9))
      write(
        `${what}: ${count} of about ${total} ${unit} (${Math.floor(share * 100)} %), ${Math.round(rate)}/s, ${left} s left`,
      )
    },
  }
}

/** The same for rows that were counted before. */
export function rowProgress(options: {
  readonly what: string
  readonly total: number
  readonly write: (line: string) => void
  readonly now?: () => number
}): (rows: number) => void {
  const { what, total, write, now = () => performance.now() } = options
  const startedAt = now()
  let toldAt = startedAt
  let count = 0
  return (rows) => {
    count += rows
    const time = now()
    if (time - toldAt < everyMs) return
    toldAt = time
    const rate = count / ((time - startedAt) / 1_000)
    const share = Math.floor(shareOf(count, total) * 100)
    const left = Math.ceil(Math.max(0, total - count) / Math.max(rate, 1e-9))
    write(`${what}: ${count} of ${total} rows (${share} %), ${Math.round(rate)}/s, ${left} s left`)
  }
}

/** The first 20 digits count in both stores: the position, or that of the commit. */
function placeOf(position: Position | null): number {
  return position === null ? 0 : Number(position.slice(0, 20))
}

function shareOf(done: number, all: number): number {
  return all <= 0 ? 1 : Math.min(1, Math.max(0, done / all))
}
