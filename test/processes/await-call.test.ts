import t from 'tap'
import { shipmentStreamPrefix } from '../../src/service/domain/ids.ts'
import { currentAttempt } from '../../src/service/domain/shipment/shipment.ts'
import { StreamWatch } from '../../src/service/event-store/stream-watch.ts'
import { existing, loadShipment } from '../../src/service/event-store/transact.ts'
import { awaitCall } from '../../src/service/processes/calls/await-call.ts'
import { seconds } from '../support/given.ts'
import { processParts } from '../support/process-parts.ts'

const parts = await processParts(t)
const watch = new StreamWatch(parts.deps.store, [shipmentStreamPrefix])
const deps = { ...parts.deps, watch }

/**
 * Waits as a repeated request does, for at most this long; returns the call's status and the time
 * waited.
 */
async function waited(made: { readonly shipmentId: string }, forMs: number) {
  const found = await loadShipment(deps.store, made.shipmentId)
  const beganAt = performance.now()
  const until = performance.now() + forMs
  const snapshot = await awaitCall(deps, { ...made, operationIn: currentAttempt }, found, until)
  return { state: currentAttempt(existing(snapshot)).state, ms: performance.now() - beganAt }
}

/** A shipment whose call began this long ago. */
const calledAgo = (ms: number) => parts.shipment(undefined, Date.now() - ms)

t.test('no request waits for a call whose deadline has passed', async (t) => {
  const made = await calledAgo(seconds(60))
  const { state, ms } = await waited(made, seconds(15))
  t.equal(state, 'calling')
  t.ok(ms < seconds(5), `${ms} ms`)
})

t.test("a waiting request is answered when the call's deadline passes", async (t) => {
  const made = await calledAgo(seconds(18))
  const { state, ms } = await waited(made, seconds(15))
  t.equal(state, 'calling')
  t.ok(ms > seconds(1.5) && ms < seconds(8), `${ms} ms`)
})

t.test("before the call's deadline a request waits for the whole time it was given", async (t) => {
  const made = await calledAgo(0)
  const { state, ms } = await waited(made, seconds(2))
  t.equal(state, 'calling')
  t.ok(ms >= seconds(2) - 5, `${ms} ms`)
})

t.test('a waiting request is answered as soon as the call ends', async (t) => {
  const made = await calledAgo(0)
  const stop = new AbortController()
  const watching = watch.run(stop.signal)
  const asked = waited(made, seconds(15))
  const outcome = { kind: 'rejected', detailRef: null } as const
  await parts.decide(
    made,
    { do: 'record_outcome', operationId: made.operationId, outcome },
    Date.now(),
  )
  const { state, ms } = await asked
  stop.abort()
  await watching
  t.equal(state, 'refused')
  t.ok(ms < seconds(10), `${ms} ms`)
})
