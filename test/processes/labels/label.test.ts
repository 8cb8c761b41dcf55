import { createHash } from 'node:crypto'
import t from 'tap'
import type { Instant } from '../../../src/service/domain/decider.ts'
import { shipmentStream } from '../../../src/service/domain/ids.ts'
import { fetchLabel, nextLabelAt } from '../../../src/service/processes/labels/fetch-label.ts'
import { hours, minutes, seconds, start } from '../../support/given.ts'
import { type Made, processParts } from '../../support/process-parts.ts'

const parts = await processParts(t)
const { deps, courier } = parts
const issuedAt = start + seconds(1)
const issued = () =>
  parts.shipment({
    kind: 'issued',
    guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null },
  })
const fetch = (made: Made, now: Instant) => fetchLabel(deps, made.shipmentId, now)
const dueAt = async (made: Made) => {
  const [row] = await parts.query<{ label_at: Date | null }>(
    'SELECT label_at FROM due WHERE shipment_id = $1',
    [made.shipmentId],
  )
  return row?.label_at?.getTime() ?? null
}
const pdf = (size: string) => Buffer.from(`%PDF-1.7 ${size}`)

t.beforeEach(() => {
  courier.labels = () => ({ kind: 'not_ready' })
})

t.test(
  'the label is due 10 s, 1, 2, 5, 10 and 30 min after issue, then hourly for a day',
  async (t) => {
    const asked: number[] = []
    for (let at: Instant | null = issuedAt; at !== null && asked.length < 100; ) {
      at = nextLabelAt(issuedAt, at)
      if (at !== null) asked.push((at - issuedAt) / minutes(1))
    }
    const hourly = Array.from({ length: 24 }, (_, hour) => 60 * (hour + 1))
    t.same(asked, [1 / 6, 1, 2, 5, 10, 30, ...hourly])
    t.equal(nextLabelAt(issuedAt, issuedAt + hours(24)), null)
    t.equal(nextLabelAt(issuedAt, issuedAt + hours(23) + 1), issuedAt + hours(24))
  },
)

t.test(
  'a label that is no PDF is remembered as unreadable until the courier sends one',
  async (t) => {
    const made = await issued()
    courier.labels = () => ({ kind: 'not_a_pdf' })
    t.equal(await fetch(made, issuedAt + seconds(10)), true)
    t.equal(await deps.unreadableLabels.has(made.shipmentId, null), true)
    t.equal(await dueAt(made), issuedAt + minutes(1), 'it is asked for again')
    courier.labels = (size) =>
      size === 'a4' ? { kind: 'not_a_pdf' } : { kind: 'label', pdf: pdf(size) }
    t.equal(await fetch(made, issuedAt + minutes(1)), true)
    const { label } = await parts.state(made)
    t.equal(label?.sizeBytes, pdf('a6').length)
    t.equal(await deps.unreadableLabels.has(made.shipmentId, label?.ref ?? ''), false)
  },
)

t.test(
  'a label that is not ready is requested again on schedule and kept once it is',
  async (t) => {
    const made = await issued()
    const before = courier.labelled.length
    t.equal(await fetch(made, issuedAt + seconds(10)), true)
    t.equal(await dueAt(made), issuedAt + minutes(1))
    t.equal(await fetch(made, issuedAt + minutes(1)), true)
    t.equal(await dueAt(made), issuedAt + minutes(2))
    courier.labels = (size) => ({ kind: 'label', pdf: pdf(size) })
    t.equal(await fetch(made, issuedAt + minutes(2)), true)
    t.same(courier.labelled.slice(before), ['a6', 'a6', 'a6', 'a4'])
    const { label } = await parts.state(made)
    t.equal(label?.sizeBytes, pdf('a6').length)
    const digest = createHash('sha256').update(pdf('a6')).digest('hex')
    const kept = JSON.stringify(await deps.store.readStream(shipmentStream(made.shipmentId)))
    t.notOk(kept.includes(digest), 'no digest stays by which a guess could be checked')
    t.same(await deps.vault.openItem(label?.ref ?? ''), pdf('a6'))
    t.same(await deps.vault.openItem(label?.a4Ref ?? ''), pdf('a4'))
    t.equal(await fetch(made, issuedAt + minutes(5)), false, 'it is there')
    t.equal(courier.labelled.length, before + 4)
  },
)

t.test(
  'the courier is asked for a label once in ten seconds, however many requests come',
  async (t) => {
    const made = await issued()
    const before = courier.labelled.length
    const asked = await Promise.all(
      Array.from({ length: 10 }, () => fetch(made, issuedAt + seconds(55))),
    )
    t.equal(asked.filter(Boolean).length, 1)
    t.equal(courier.labelled.length, before + 1)
    t.equal(await fetch(made, issuedAt + seconds(65) - 1), false)
    t.equal(
      await dueAt(made),
      issuedAt + seconds(65),
      'the postponed request is made when it is allowed',
    )
    t.equal(await fetch(made, issuedAt + seconds(65)), true)
  },
)

t.test('a label is kept even if fetching its other size fails', async (t) => {
  const made = await issued()
  courier.labels = (size) =>
    size === 'a6' ? { kind: 'label', pdf: pdf(size) } : { kind: 'unknown', cause: 'courier_error' }
  await fetch(made, issuedAt)
  const { label } = await parts.state(made)
  t.equal(label?.a4Ref, null)
  t.type(label?.ref, 'string')
})

t.test('two workers that fetch the same label at once record it once', async (t) => {
  const made = await issued()
  courier.labels = (size) => ({ kind: 'label', pdf: pdf(size) })
  const clocks = [issuedAt, issuedAt + seconds(10)]
  await Promise.all(clocks.map((now) => fetch(made, now)))
  const types = await parts.types(made)
  t.equal(types.filter((type) => type === 'LabelReady').length, 1)
})

t.test('no label is fetched without a guide or after an erasure', async (t) => {
  const before = courier.labelled.length
  t.equal(await fetch(await parts.shipment({ kind: 'rejected', detailRef: null }), issuedAt), false)
  const erased = await issued()
  await parts.decide(erased, { do: 'erase_personal_data' }, issuedAt)
  t.equal(await fetch(erased, issuedAt), false)
  t.equal(courier.labelled.length, before)
})

t.test('credentials that are refused for a label park the connection', async (t) => {
  const made = await issued()
  courier.labels = () => ({ kind: 'unauthorized' })
  t.equal(await fetch(made, issuedAt), true)
  t.equal(await parts.connectionStatus(), 'needs_reauth')
  await parts.activate()
})
