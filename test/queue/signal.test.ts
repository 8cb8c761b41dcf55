import { randomUUID } from 'node:crypto'
import t from 'tap'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { AdaptivePoll } from '../../src/service/queue/signal.ts'

const never = new AbortController().signal
/** Longer than the test, so a wait that ends earlier was woken. */
const long = 600_000

async function msOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function append(store: ReturnType<typeof memoryEventStore>) {
  const event = { id: randomUUID(), type: 'Noted', data: {}, metadata: {} }
  return store.append(`note-${event.id}`, 'no_stream', [event])
}

t.test('in a quiet time only a commit starts frequent polling again', async (t) => {
  const store = memoryEventStore()
  const poll = new AdaptivePoll(store, 200)
  const often = { soonMs: 20, idleMs: long }
  await poll.wait(often, never)
  t.ok((await msOf(() => poll.wait({ soonMs: 300, idleMs: long }, never))) >= 290)
  const quiet = poll.wait(often, never)
  const isOver = quiet.then(() => true)
  const isWaiting = new Promise((resolve) => setTimeout(resolve, 100, false))
  t.equal(await Promise.race([isOver, isWaiting]), false)
  await append(store)
  await quiet
  await poll.wait(often, never)
  t.pass('and again, for a while')
})

t.test(
  'polling continues without commits, and stays frequent without commit notices',
  async (t) => {
    const idle = new AdaptivePoll(memoryEventStore(), 0)
    await idle.wait({ soonMs: long, idleMs: 20 }, never)
    const deaf = new AdaptivePoll({}, 0)
    await deaf.wait({ soonMs: 20, idleMs: long }, never)
    t.pass()
  },
)

t.test('an abort signal ends the wait', async (t) => {
  for (const forMs of [0, long]) {
    const stop = new AbortController()
    const resting = new AdaptivePoll(memoryEventStore(), forMs).wait(
      { soonMs: long, idleMs: long },
      stop.signal,
    )
    stop.abort()
    await resting
  }
  t.pass()
})
