import { createSecretKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { compilerErrors } from '../support/compile.ts'
import { projectRoot } from '../support/source-files.ts'

const plain = exampleShipmentRequest(exampleReference)
const more = { metadata: { a: 'x' }, quote_id: 'quo_0aB1cD2eF3gH4iJ5kL6mN7' }
const full = { ...plain, ...more }
const payloadFile = 'src/service/domain/shipment/shipment-payload.ts'
const eventsFile = 'src/service/domain/shipment/shipment-events.ts'
const answersFile = 'src/service/http/shipments/shipment-schema.ts'
const shownFile = 'src/service/domain/shipment/shown-shipment.ts'
const protocolFile = 'src/service/couriers/protocol.ts'
const examplesFile = 'src/service/http/openapi/examples.ts'
const webhooksFile = 'src/service/http/openapi/webhook-examples.ts'
const columnsFile = 'src/service/http/batches/lines/csv-columns.ts'
/** Each names a new field that it lacks. The console's types name one that it does not show. */
const placesOfField = [
  eventsFile,
  answersFile,
  shownFile,
  protocolFile,
  examplesFile,
  webhooksFile,
  columnsFile,
]

t.test('every field of the payload is either open or personal', async (t) => {
  t.same(Object.keys(placement).toSorted(), Object.keys(shipmentPayload.shape).toSorted())
  t.same({ ...clearPart(full), ...personalPart(full) }, full)
  t.same(Object.keys(personalPart(full)).toSorted(), ['declared_content', 'metadata', 'recipient'])
  const overlap = Object.keys(clearPart(full)).filter((field) => field in personalPart(full))
  t.same(overlap, [])
})

t.test('a null field counts as not sent', async (t) => {
  const nulls = { ...plain, metadata: null, quote_id: null }
  t.same(clearPart(nulls), clearPart(plain))
  t.same(personalPart(nulls), personalPart(plain))
})

/** Written out: its fingerprints are in ledgers, and the example may get new fields. */
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

t.test('a new payload field compiles only where every place for it is filled', async (t) => {
  const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')
  const inserted = (text: string, before: string, line: string) => {
    t.ok(text.includes(before), `there is a line ${before}`)
    return text.replace(before, `${line}\n${before}`)
  }
  const withField = inserted(
    read(payloadFile),
    '  declared_content: text(',
    '  probe_field: z.boolean().nullish(),',
  )
  const onlyPlaced = (place: string) =>
    inserted(withField, "  declared_content: 'personal',", `  probe_field: '${place}',`)
  const placed = (place: string) =>
    place === 'clear'
      ? inserted(onlyPlaced(place), '  quote_id: false,', '  probe_field: false,')
      : onlyPlaced(place)
  const errors = (payload: string) =>
    compilerErrors([payloadFile, ...placesOfField], new Map([[payloadFile, payload]]))
  const filesOf = (lines: readonly string[]) =>
    [...new Set(lines.map((line) => line.split(':')[0]))].toSorted()

  const unplaced = errors(withField)
  t.ok(filesOf(unplaced).includes(payloadFile), 'it must be placed')
  t.match(unplaced.join('\n'), /probe_field/)
  t.ok(filesOf(errors(onlyPlaced('clear'))).includes(payloadFile), 'whose words a clear one has')
  const always = [answersFile, shownFile, protocolFile, examplesFile, columnsFile]
  t.same(filesOf(errors(placed('clear'))), [...always, eventsFile].toSorted())
  t.same(filesOf(errors(placed('personal'))), [...always, webhooksFile].toSorted())

  // Where its place says it is, without another list that could forget it.
  const domain = join(projectRoot, 'src/service/domain')
  for (const place of ['clear', 'personal'] as const) {
    const text = placed(place).replaceAll("from '../", `from '${domain}/`)
    const copy = await import(join(t.testdir({ [`${place}.ts`]: text }), `${place}.ts`))
    const body = { ...plain, probe_field: true }
    t.equal(copy.clearPart(body).probe_field, place === 'clear' ? true : undefined, place)
    t.equal(copy.personalPart(body).probe_field, place === 'personal' ? true : undefined, place)
  }
})
