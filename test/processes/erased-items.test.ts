import t from 'tap'
import type { Command } from '../../src/service/domain/shipment/shipment-decisions.ts'
import { AppendUnknown, type EventStore } from '../../src/service/event-store/event-store.ts'
import { loadShipment, transact } from '../../src/service/event-store/transact.ts'
import { start } from '../support/given.ts'
import { type Made, processParts } from '../support/process-parts.ts'

// A command that stores something about a person who is erased in the meantime.

const parts = await processParts(t)
const { store, vault } = parts.deps
const issued = () =>
  parts.shipment({
    kind: 'issued',
    guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null },
  })
const by = { actor: { type: 'system', keyId: null }, requestId: null, now: start } as const

async function hold(made: Made) {
  const from = await loadShipment(store, made.shipmentId)
  const { write, ...stored } = await vault.writer(from.state?.request.vault_ref ?? '')
  const command: Command = { do: 'place_hold', noteRef: write({ note: 'A dispute' }) }
  const place = (on: EventStore) =>
    transact(on, made.shipmentId, command, { ...by, from, ...stored })
  return { place, ref: command.noteRef }
}

t.test('it is recorded without the reference', async (t) => {
  const made = await issued()
  const { place } = await hold(made)
  await vault.erase(made.shipmentId)
  t.match(await place(store), { kind: 'done', appended: true })
  const held = (await parts.events(made)).at(-1)
  t.match(held, { type: 'LegalHoldPlaced', data: { note_ref: null } })
  t.equal(held?.data && 'commitments' in held.data, false)
})

t.test('it is recorded once if the first try was written without an answer', async (t) => {
  const made = await issued()
  const { place, ref } = await hold(made)
  let tries = 0
  const silentFirst: EventStore['append'] = async (...append) => {
    const outcome = await store.append(...append)
    tries += 1
    if (tries > 1) return outcome
    await vault.erase(made.shipmentId)
    throw new AppendUnknown('no answer')
  }
  t.match(await place({ ...store, append: silentFirst }), { kind: 'done', appended: false })
  const holds = (await parts.events(made)).filter(({ type }) => type === 'LegalHoldPlaced')
  t.match(holds, [{ data: { note_ref: ref } }])
  t.equal(holds.length, 1)
})

t.test('a label is not recorded', async (t) => {
  const made = await issued()
  const from = await loadShipment(store, made.shipmentId)
  const { write, ...stored } = await vault.writer(from.state?.request.vault_ref ?? '')
  const ref = write(Buffer.from('%PDF'))
  await vault.erase(made.shipmentId)
  const label = { label_ref: ref, a4_ref: null, content_type: 'application/pdf', size_bytes: 4 }
  const done = await transact(
    store,
    made.shipmentId,
    { do: 'record_label', label },
    { ...by, from, ...stored },
  )
  t.match(done, { kind: 'refused', reason: 'personal_data_erased' })
  t.notOk((await parts.types(made)).includes('LabelReady'))
})
