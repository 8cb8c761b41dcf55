import { createSecretKey } from 'node:crypto'
import t from 'tap'
import {
  clearPart,
  partIn,
  personalPart,
  placement,
  shipmentPayload,
} from '../../src/service/domain/shipment/shipment-payload.ts'
import {
  exampleReference,
  exampleShipmentRequest,
} from '../../src/service/http/openapi/examples.ts'
import { otherFacts } from '../../src/service/ledger/evidence/report/make-report.ts'
import { clearFingerprint, fingerprintOf } from '../../src/service/processes/calls/fingerprint.ts'

const plain = exampleShipmentRequest(exampleReference)
const more = { metadata: { a: 'x' }, quote_id: 'quo_0aB1cD2eF3gH4iJ5kL6mN7' }
const full = { ...plain, ...more }

t.test('every field of the payload is either open or personal', async (t) => {
  t.same(Object.keys(placement).toSorted(), Object.keys(shipmentPayload.shape).toSorted())
  t.same({ ...clearPart(full), ...personalPart(full) }, full)
  t.same(Object.keys(personalPart(full)).toSorted(), ['declared_content', 'metadata', 'recipient'])
  const overlap = Object.keys(clearPart(full)).filter((field) => field in personalPart(full))
  t.same(overlap, [])
})

t.test('a null field counts as not sent', async (t) => {
  const sums = { declared_value: null, cash_on_delivery: null }
  const nulls = { ...plain, ...sums, metadata: null, quote_id: null }
  t.same(clearPart(nulls), clearPart(plain))
  t.same(personalPart(nulls), personalPart(plain))
})

/** Written out, because ledgers contain its fingerprints and the example may get new fields. */
const stored = {
  workspace_id: 'ws_0aB1cD2eF3gH4iJ5kL6mN7',
  courier_connection_id: 'ccn_0aB1cD2eF3gH4iJ5kL6mN7',
  external_reference: 'order-1001',
  origin: { agency_id: 'agy_0aB1cD2eF3gH4iJ5kL6mN7' },
  destination: { agency_id: 'agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0' },
  package: {
    product_id: 'pkg_0aB1cD2eF3gH4iJ5kL6mN7',
    quantity: 1,
    weight_kg: 0.8,
    height_m: 0.05,
    length_m: 0.2,
    width_m: 0.15,
  },
  service: { mode: 'terrestrial', payer: 'sender' },
  declared_content: 'Books',
  recipient: {
    document_type: 'DNI',
    document: '45678912',
    first_name: 'Ana',
    last_name: 'Torres',
  },
} as const

t.test('a report shows a field that it has no words for by its name', async (t) => {
  const known = { ...placement, hand_over_only: 'clear', instructions: 'personal' }
  const request = { ...stored, hand_over_only: true, instructions: 'Ring', livemode: false }
  t.same(otherFacts(request, known), [
    ['Hand over only', 'true'],
    ['Instructions', 'Ring'],
  ])
  t.same(otherFacts({ ...stored, ...more }), [])
})

t.test('fingerprints are the same as in earlier versions', async (t) => {
  const key = createSecretKey(Buffer.alloc(32, 7))
  const scenario = 'happy_path'
  const of = (body: typeof stored) => fingerprintOf({ body, scenario }, key)
  t.same(of(stored), {
    version: 1,
    open: 'c08d1858b6b1f104047e27696288b37838ae49394f9854d6fc2cdbbdc66b4c23',
    personal: 'c63f6c46a7eadf2e865c58b215b3648c7f6566645590dc59961e129aad8cd6ea',
  })
  t.same(of({ ...stored, ...more }), {
    version: 1,
    open: '92a28daa81705772335dc9bbe5519ef8acbde3a1142305c5e2fdbb97ecab9f19',
    personal: 'e4860bc2bf6914f1e0227ac4eda3aba4395ada183f5a044e1951fa21e5752fd3',
  })
})

t.test(
  "a new payload field is in its part, and the open part's fingerprint covers it",
  async (t) => {
    const places = { ...placement, fragile: 'clear', instructions: 'personal' } as const
    const body = { ...plain, fragile: true, instructions: 'Ring twice.' }
    t.equal(partIn('clear', body, places).fragile, true)
    t.equal(partIn('personal', body, places).instructions, 'Ring twice.')
    t.notSame(
      clearFingerprint(partIn('clear', body, places)),
      clearFingerprint(partIn('clear', { ...body, fragile: false }, places)),
    )
  },
)
