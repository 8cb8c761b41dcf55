import type { Answer } from './sample-call.ts'

/** The path that advances a sandbox clock. */
export const advancePath = '/v1/sandbox/clock/advance'
/** A step of the clock takes about this long. */
const askAgainMs = 500

/** Advances the clock and waits until it arrives, showing each response. */
export async function advanceClock(
  advance: () => Promise<Answer>,
  read: () => Promise<Answer>,
  show: (answer: Answer) => void,
): Promise<void> {
  let answer = await advance()
  show(answer)
  while (isUnderWay(answer)) {
    await new Promise((resolve) => setTimeout(resolve, askAgainMs))
    answer = await read()
    show(answer)
  }
}

function isUnderWay({ status, body }: Answer): boolean {
  return status < 300 && (body as { advancing_to?: string | null }).advancing_to !== null
}
