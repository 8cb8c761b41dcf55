import type { Courier } from '../../src/couriers/courier.ts'
import type { EventStore } from '../../src/event-store/event-store.ts'

/** What others get wrong: each a service that looks right until something is lost. */
export const mutants = [
  /** A creation whose answer was lost is sent again. */
  'blind_retry',
  /** An outcome is appended wherever the stream ends by now. */
  'no_expected_revision',
  /** Absences count before the settling time is over. */
  'early_absence',
  /** What arrives after `not_after` is executed all the same. */
  'ignores_not_after',
  /** Evidence that came second is thrown away. */
  'drops_evidence',
] as const
export type Mutant = (typeof mutants)[number]

/** So far ahead an early reconciler's clock is. */
export const earlyMs = 160_000

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
