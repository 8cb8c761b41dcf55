import { randomUUID } from 'node:crypto'
import type { NewEvent } from '../../src/event-store/event-store.ts'

/** About the size of an event of ours. */
export function sampleEvent(): NewEvent {
  const data = { note: 'x'.repeat(250), amount: 12_345, list: [1, 2, 3], at: Date.now() }
  return {
    id: randomUUID(),
    type: 'Noted',
    data,
    metadata: { version: 1, request: randomUUID(), leaf: 'y'.repeat(44) },
  }
}

/** Calls `once` over and over for a while, so many at a time; how many a second went through. */
export async function perSecond(
  seconds: number,
  atOnce: number,
  once: () => Promise<number>,
): Promise<number> {
  const startedAt = performance.now()
  let done = 0
  const loop = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      // Not `done += await …`, which adds to what `done` was before the wait.
      const count = await once()
      done += count
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  return done / ((performance.now() - startedAt) / 1000)
}
