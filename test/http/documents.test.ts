import t from 'tap'
import { shipmentIdOf } from '../../src/service/domain/ids.ts'
import type { ShipmentStatus } from '../../src/service/domain/shipment/shipment.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import type { Answer } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { service } from '../support/service.ts'
import { type HeldCourier, heldCourier } from './held-courier.ts'

let courier: HeldCourier | undefined
const shop = await service(t, {
  courierUrl: async (url) => {
    courier = await heldCourier(t, url)
    return courier.url
  },
})
if (courier === undefined) throw new Error('no courier was asked for')
const { hold } = courier
const { organizationId, workspaceId } = shop.seeded

function idOf(idempotencyKey: string): string {
  return shipmentIdOf({ organizationId, workspaceId, livemode: false, idempotencyKey })
}

function labelOf(idempotencyKey: string): Promise<Answer> {
  return shop.call(`/v1/shipments/${idOf(idempotencyKey)}/documents/label`)
}

function cancel(idempotencyKey: string): Promise<Answer> {
  return shop.call(`/v1/shipments/${idOf(idempotencyKey)}/cancel`, {
    method: 'POST',
    headers: { 'idempotency-key': `${idempotencyKey}-cancel` },
  })
}

async function untilStatus(idempotencyKey: string, status: ShipmentStatus): Promise<void> {
  await eventually(
    () => shop.call(`/v1/shipments/${idOf(idempotencyKey)}`),
    ({ body }) => body.status === status,
  )
}

type Case = {
  readonly status: ShipmentStatus
  readonly when: string
  readonly scenario: string
  /** Brings the shipment into its state after its creation was answered. */
  readonly bring?: (key: string) => Promise<unknown>
  readonly answer: number
  readonly reason: string | null
}

const minutesLater = async () => await shop.advance('PT10M')

const cases: readonly Case[] = [
  { status: 'created', when: 'with a label', scenario: 'happy_path', answer: 200, reason: null },
  {
    status: 'created',
    when: 'before its label',
    scenario: 'label_delayed',
    answer: 409,
    reason: 'label_not_ready',
  },
  {
    status: 'rejected',
    when: 'refused by the courier',
    scenario: 'courier_rejected',
    answer: 409,
    reason: 'shipment_has_no_guide',
  },
  {
    status: 'not_executed',
    when: 'never sent',
    scenario: 'courier_unreachable',
    answer: 409,
    reason: 'shipment_has_no_guide',
  },
  {
    status: 'unknown_outcome',
    when: 'reconciling',
    scenario: 'lost_response_human_review',
    answer: 409,
    reason: 'unknown_outcome',
  },
  {
    status: 'not_created',
    when: 'concluded with nothing created',
    scenario: 'lost_response_nothing_created',
    bring: minutesLater,
    answer: 409,
    reason: 'shipment_has_no_guide',
  },
  {
    status: 'cancelling',
    when: 'with a label and an unknown cancellation',
    scenario: 'cancel_response_lost',
    bring: async (key) => {
      await labelOf(key)
      await cancel(key)
    },
    answer: 200,
    reason: null,
  },
  {
    status: 'cancelled',
    when: 'with a label from before',
    scenario: 'happy_path',
    bring: async (key) => {
      await labelOf(key)
      await cancel(key)
    },
    answer: 200,
    reason: null,
  },
  {
    status: 'cancelled',
    when: 'before its label',
    scenario: 'label_delayed',
    bring: cancel,
    answer: 409,
    reason: 'shipment_has_no_guide',
  },
]

for (const { status, when, scenario, bring, answer, reason } of cases) {
  const what = reason === null ? answer : `${answer} ${reason}`
  t.test(`the label of a shipment that is ${status}, ${when}, answers ${what}`, async (t) => {
    const key = `${status} ${when}`.replaceAll(' ', '-')
    await shop.create(key, { scenario })
    await bring?.(key)
    await untilStatus(key, status)
    const label = await labelOf(key)
    t.match(label, { status: answer, body: reason === null ? Buffer : { reason } })
    t.equal(label.headers.has('retry-after'), reason === 'label_not_ready')
  })
}

t.test('a label that cannot be read is unreadable, and says what to do', async (t) => {
  await shop.create('unreadable')
  t.equal((await labelOf('unreadable')).status, 200)
  const shipmentId = idOf('unreadable')
  const { store, unreadableLabels } = shop.parts
  const { state } = await loadShipment(store, shipmentId)
  const labelRef = state?.label?.ref ?? null
  await unreadableLabels.note({
    shipmentId,
    organizationId,
    labelRef,
    why: 'ended_printer',
  })
  const answer = await labelOf('unreadable')
  t.match(answer, { status: 409, body: { reason: 'label_unreadable', retryable: false } })
  t.match(answer.body.detail, /courier's own system/)
  const { body } = await shop.call(`/v1/shipments/${shipmentId}/documents`)
  t.match(body.data, [{ type: 'label', status: 'unreadable' }])
  t.match(
    await shop.parts.metrics.registry.metrics(),
    'labels_unreadable_total{why="ended_printer"} 1',
  )
})

t.test('the label of a shipment that is being created is not ready yet', async (t) => {
  const release = hold('/guides')
  const creation = shop.create('in-flight')
  await untilStatus('in-flight', 'creating')
  const early = await labelOf('in-flight')
  t.match(early, { status: 409, body: { reason: 'label_not_ready', retryable: true } })
  t.match(early.headers.get('retry-after'), /^\d+$/)
  t.notOk(early.body.operation_id, 'nothing is unknown about it')
  release()
  t.equal((await creation).status, 201)
  t.equal((await labelOf('in-flight')).status, 200)
})

t.test(
  'a label is still expected while its guide is being cancelled, and not afterwards',
  async (t) => {
    await shop.create('cancelling', { scenario: 'label_delayed' })
    const release = hold('/guides/cancel')
    const cancellation = cancel('cancelling')
    await untilStatus('cancelling', 'cancelling')
    t.match(await labelOf('cancelling'), { status: 409, body: { reason: 'label_not_ready' } })
    release()
    t.equal((await cancellation).status, 200)
    t.match(await labelOf('cancelling'), { status: 409, body: { reason: 'shipment_has_no_guide' } })
  },
)

t.test('the label of an erased shipment answers 410', async (t) => {
  await shop.create('erased')
  await shop.call(`/v1/shipments/${idOf('erased')}/erase-personal-data`, { method: 'POST' })
  t.match(await labelOf('erased'), { status: 410, body: { reason: 'personal_data_erased' } })
})
