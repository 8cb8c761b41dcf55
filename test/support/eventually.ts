import { setTimeout as delay } from 'node:timers/promises'

/** A busy machine with two cores needs seconds for what otherwise takes milliseconds. */
const withinMsDefault = 60_000
const askEveryMs = 25

/** Polls until the value is as expected, and returns it. Throws with the last value on timeout. */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  isWanted: (answer: T) => boolean,
  withinMs: number = withinMsDefault,
): Promise<T> {
  const until = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    if (performance.now() >= until) {
      throw new Error(`the condition did not hold within ${withinMs} ms: ${JSON.stringify(answer)}`)
    }
    await delay(askEveryMs)
  }
}
