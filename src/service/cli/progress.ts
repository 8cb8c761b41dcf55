import type { Position } from '../event-store/event-store.ts'
import type { Call } from './command.ts'

/**
 * The interval of progress lines: often enough to show that work continues, and slow enough to
 * read.
 */
const everyMs = 1_000

/** The flag of commands that may take a long time. */
export const progressFlag = {
  progress: { description: 'Reports progress even if standard error is not a terminal.' },
}

/** Writes progress only if standard error is a terminal or the flag was given. */
export function progressWriter(call: Pick<Call, 'flags' | 'isWatched' | 'writeError'>) {
  const { flags, isWatched, writeError } = call
  return isWatched || flags.has('progress') ? writeError : () => undefined
}

type ProgressOptions = {
  readonly what: string
  readonly write: (line: string) => void
  readonly now?: () => number
}

/**
 * Reports progress in reading the ledger about once a second: the number of events, the estimated
 * total, the rate and the remaining time. The total is estimated from the position.
 */
export function progress(
  options: ProgressOptions & { readonly head: Position | null },
): (position: Position | null, events: number) => void {
  const { what, head } = options
  const report = reporter(options)
  let first: number | null = null
  return (position, events) => {
    const at = numberOf(position)
    first ??= at
    const [share, rest] = [shareOf(at, numberOf(head)), shareOf(at - first, numberOf(head) - first)]
    report(events, (count) => {
      const total = rest > 0 ? Math.max(count, Math.round(count / rest)) : count
      return { total, share, text: `${what}: ${count} of about ${total} events` }
    })
  }
}

/** Like `progress`, for a file: the total is estimated from its bytes. */
export function fileProgress(
  options: ProgressOptions & { readonly bytes: number },
): (bytes: number, events: number) => void {
  const { what, bytes } = options
  const report = reporter(options)
  let done = 0
  return (more, events) => {
    done += more
    const share = shareOf(done, bytes)
    report(events, (count) => {
      const total = Math.max(count, Math.round(count / share))
      return { total, share, text: `${what}: ${count} of about ${total} events` }
    })
  }
}

/** Like `progress`, for rows or another unit with a known total. */
export function countedProgress(
  options: ProgressOptions & { readonly total: number; readonly unit?: string },
): (count: number) => void {
  const { what, total, unit = 'rows' } = options
  const report = reporter(options)
  return (more) =>
    report(more, (count) => ({
      total,
      share: shareOf(count, total),
      text: `${what}: ${count} of ${total} ${unit}`,
    }))
}

type Standing = { readonly total: number; readonly share: number; readonly text: string }

function reporter({ write, now = () => performance.now() }: ProgressOptions) {
  const startedAt = now()
  let reportedAt = startedAt
  let count = 0
  return (more: number, standing: (count: number) => Standing): void => {
    count += more
    const time = now()
    if (time - reportedAt < everyMs) return
    reportedAt = time
    const rate = count / ((time - startedAt) / 1_000)
    const { total, share, text } = standing(count)
    const left = Math.ceil(Math.max(0, total - count) / Math.max(rate, 1e-9))
    write(`${text} (${Math.floor(share * 100)} %), ${Math.round(rate)}/s, ${left} s left`)
  }
}

/** In both stores, the first 20 digits are a number: the position, or the commit's position. */
function numberOf(position: Position | null): number {
  return position === null ? 0 : Number(position.slice(0, 20))
}

function shareOf(done: number, all: number): number {
  return all <= 0 ? 1 : Math.min(1, Math.max(0, done / all))
}
