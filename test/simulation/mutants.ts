import type { Courier } from '../../src/service/couriers/courier.ts'
import type { EventStore, StoredEvent } from '../../src/service/event-store/event-store.ts'
import { withAppend } from '../../src/service/event-store/with-append.ts'

/**
 * Common mistakes: each makes a service that looks right until something is lost. The pattern is
 * the violation that shows it.
 */
export const mutants = {
  /** A creation whose answer was lost is sent again. */
  blind_retry: /^a second guide for shp_\w+$/,
  /** An outcome is appended at the end of the stream, whatever its revision. */
  no_expected_revision: /^\w+ was decided on another state than it was appended to$/,
  /** Absences are counted before the settling time is over. */
  early_absence: /^GuideNotCreated of a guide that exists$/,
  /** Calls that arrive after `not_after` are executed. */
  ignores_not_after: /^a guide was made after not_after$/,
  /** Evidence that arrives second is dropped. */
  drops_evidence: /^what a courier has told was dropped$/,
  /** A process keeps answering from what it has read, even if another has written since. */
  stale_reads: /^what was answered is not there for the next process$/,
} as const satisfies Readonly<Record<string, RegExp>>
export type Mutant = keyof typeof mutants

/** How long a process with stale reads keeps answering from them. */
const staleMs = 5_000
/** How far ahead the early reconciler's clock is. */
export const earlyMs = 160_000

/** Events that cause no webhook. */
const own: ReadonlySet<string> = new Set([
  'GuideRequested',
  'CancellationRequested',
  'PersonalDataErased',
])

export function mutatedStore(store: EventStore, mutant: Mutant | null): EventStore {
  if (mutant === 'stale_reads') return remembering(store)
  if (mutant !== 'no_expected_revision' && mutant !== 'drops_evidence') return store
  return withAppend(store, async (stream, expected, events, options) => {
    const outcome = await store.append(stream, expected, events, options)
    if (outcome.kind !== 'conflict' || expected === 'no_stream') return outcome
    const actual = outcome.actual ?? 0
    if (mutant === 'no_expected_revision') {
      return await store.append(stream, actual, events, options)
    }
    if (events.some(({ type }) => own.has(type))) return outcome
    return { kind: 'duplicate', revision: actual, position: (await store.head()) ?? '' }
  })
}

function remembering(store: EventStore): EventStore {
  const kept = new Map<string, { readonly at: number; readonly events: readonly StoredEvent[] }>()
  const forgetting = withAppend(store, async (stream, ...append) => {
    kept.delete(stream)
    return await store.append(stream, ...append).finally(() => kept.delete(stream))
  })
  return {
    ...forgetting,
    async readStream(stream, options) {
      // Each read takes time.
      await store.head()
      const known = kept.get(stream)
      if (known !== undefined && performance.now() - known.at < staleMs) return known.events
      const events = await store.readStream(stream, options)
      kept.set(stream, { at: performance.now(), events })
      return events
    },
  }
}

export function mutatedCourier(courier: Courier, mutant: Mutant | null): Courier {
  if (mutant !== 'blind_retry') return courier
  return {
    ...courier,
    async createGuide(call) {
      const answer = await courier.createGuide(call)
      return answer.kind === 'unknown' ? await courier.createGuide(call) : answer
    },
  }
}
