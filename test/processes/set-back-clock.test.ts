import t from 'tap'
import type { CallOutcome } from '../../src/service/domain/operation/kind.ts'
import type { EventStore } from '../../src/service/event-store/event-store.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import { observed } from '../../src/service/event-store/with-append.ts'
import { cancelShipment } from '../../src/service/processes/calls/shipment-cancellation.ts'
import { clocks } from '../support/clocks.ts'
import { connectionPlace, request } from '../support/given.ts'
import { processParts } from '../support/process-parts.ts'

const parts = await processParts(t)
const { deps, courier } = parts
const { setWall, pass } = clocks(t)
const issued: CallOutcome = {
  kind: 'issued',
  guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null },
}

t.test(
  'a connection disabled elsewhere is disabled here within 5 s, whatever the clock',
  async (t) => {
    const { courier_connection_id: connectionId } = request
    const status = async () => (await deps.accounts.load(connectionPlace))?.status
    const set = (to: string) =>
      parts.query('UPDATE courier_connections SET status = $1 WHERE id = $2', [to, connectionId])
    t.equal(await status(), 'active')
    await set('disabled')
    setWall(-3_600_000)
    pass(5_000)
    t.equal(await status(), 'disabled')
    await set('active')
    pass(5_000)
    t.equal(await status(), 'active')
  },
)

t.test(
  'no call follows an intent that took 20 s to record, even if the clock is set back',
  async (t) => {
    const made = await parts.shipment(issued)
    const { store } = deps
    // The process pauses during the append, and meanwhile the machine's clock is set back.
    const append: EventStore['append'] = async (...args) => {
      const outcome = await store.append(...args)
      if (args[2].some(({ type }) => type === 'CancellationRequested')) {
        setWall(-3_600_000)
        pass(20_000)
      }
      return outcome
    }
    const slow = { ...deps, store: { ...observed(store, () => undefined), append } }
    const cancelled = courier.cancelled.length
    const answer = await cancelShipment(slow, {
      shipmentId: made.shipmentId,
      found: await loadShipment(store, made.shipmentId),
      idempotencyKey: 'c-1',
      actor: { type: 'api_key', keyId: 'key_1' },
      requestId: 'req_1',
    })
    t.match(answer.situation, { kind: 'ended', cancellation: { state: 'not_sent' } })
    t.equal(courier.cancelled.length, cancelled, 'the courier was not asked')
  },
)
