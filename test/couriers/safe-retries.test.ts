import t from 'tap'
import type { CourierFailure } from '../../src/service/couriers/courier.ts'
import { withSafeRetries } from '../../src/service/couriers/safe-retries.ts'

type Answer = CourierFailure | { readonly kind: 'created' }

const unreachable: Answer = { kind: 'not_sent', cause: 'unreachable' }
const throttled = (retryAfterMs: number | null): Answer => ({ kind: 'throttled', retryAfterMs })
const created: Answer = { kind: 'created' }

/** Plays the answers one after another on a clock that only waits and calls advance. */
async function play(answers: readonly Answer[], callMs = 0, endsAtMs?: number) {
  let nowMs = 0
  const waits: number[] = []
  const deadlines: number[] = []
  let calls = 0
  const answer = await withSafeRetries(
    async (answerByMs) => {
      deadlines.push(answerByMs)
      nowMs += callMs
      return answers[calls++] ?? created
    },
    {
      now: () => nowMs,
      sleep: async (ms) => {
        waits.push(ms)
        nowMs += ms
      },
      ...(endsAtMs === undefined ? {} : { endsAtMs }),
    },
  )
  return { answer, calls, waits, deadlines }
}

t.test('an outcome that is not safe to retry is final', async (t) => {
  const finals: readonly Answer[] = [
    created,
    { kind: 'unknown', cause: 'response_lost' },
    { kind: 'unknown', cause: 'courier_error' },
    { kind: 'rejected', code: null, text: null, newPrice: null },
    { kind: 'unauthorized' },
    { kind: 'not_sent', cause: 'too_late' },
  ]
  for (const final of finals) {
    const { answer, calls } = await play([final])
    t.strictSame([answer, calls], [final, 1])
  }
})

t.test('a call to an unreachable courier is retried three times', async (t) => {
  const { answer, calls } = await play([unreachable, unreachable, unreachable, unreachable])
  t.strictSame([answer, calls], [unreachable, 4])
})

t.test('retries stop once the courier answers', async (t) => {
  const { answer, calls } = await play([unreachable, created])
  t.strictSame([answer, calls], [created, 2])
})

t.test('an unknown outcome after a safe retry is final', async (t) => {
  const lost: Answer = { kind: 'unknown', cause: 'response_lost' }
  const { answer, calls } = await play([unreachable, lost, created])
  t.strictSame([answer, calls], [lost, 2])
})

t.test(
  'a short Retry-After is waited for, and a long one is passed on to the caller',
  async (t) => {
    const short = await play([throttled(1_000), throttled(2_000), created])
    t.strictSame([short.answer, short.waits], [created, [1_000, 2_000]])
    const long = await play([throttled(2_001), created])
    t.strictSame([long.answer, long.calls], [throttled(2_001), 1])
  },
)

t.test('calls are not retried beyond ten seconds in total', async (t) => {
  const { answer, calls, deadlines } = await play([unreachable, unreachable, unreachable], 4_800)
  t.strictSame([answer, calls], [unreachable, 2])
  t.strictSame(deadlines, [10_000, 10_000], 'every try has the same end')
})

t.test('calls are not retried after the call deadline', async (t) => {
  const { calls, deadlines } = await play([throttled(1_000), throttled(1_000)], 0, 1_500)
  t.equal(calls, 2)
  t.strictSame(deadlines, [1_500, 1_500])
})
