import type { Courier } from '../../src/couriers/courier.ts'
import type { EventStore } from '../../src/event-store/event-store.ts'

/** What others get wrong, each a service that looks right until something is lost, and how that shows. */
export const mutants = {
  /** A creation whose answer was lost is sent again. */
  blind_retry: /^a second guide for shp_\w+$/,
  /** An outcome is appended wherever the stream ends by now. */
  no_expected_revision: /^\w+ was decided on another state than it was appended to$/,
  /** Absences count before the settling time is over. */
  early_absence: /^GuideNotCreated of a guide that exists$/,
  /** What arrives after `not_after` is executed all the same. */
  ignores_not_after: /^a guide was made after not_after$/,
  /** Evidence that came second is thrown away. */
  drops_evidence: /^what a courier has told was dropped$/,
} as const satisfies Readonly<Record<string, RegExp>>
export type Mutant = keyof typeof mutants

/** So far ahead an early reconciler's clock is. */
export const earlyMs = 160_000

const intents: ReadonlySet<string> = new Set(['GuideRequested', 'CancellationRequested'])

export function mutatedStore(store: EventStore, mutant: Mutant | null): EventStore {
  if (mutant !== 'no_expected_revision' && mutant !== 'drops_evidence') return store
  const own = (name: keyof EventStore) => (store[name] as () => unknown).bind(store)
  return {
    ...(Object.fromEntries(
      ['readStream', 'readAll', 'subscribe', 'head', 'reaches', 'close'].map((name) => [
        name,
        own(name as keyof EventStore),
      ]),
    ) as unknown as EventStore),
    async append(stream, expected, events, options) {
      const outcome = await store.append(stream, expected, events, options)
      if (outcome.kind !== 'conflict' || expected === 'no_stream') return outcome
      const actual = outcome.actual ?? 0
      if (mutant === 'no_expected_revision') {
        return await store.append(stream, actual, events, options)
      }
      if (events.some(({ type }) => intents.has(type))) return outcome
      return { kind: 'duplicate', revision: actual, position: (await store.head()) ?? '' }
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
