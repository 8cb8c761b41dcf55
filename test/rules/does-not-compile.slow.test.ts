import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  exampleReference,
  exampleShipmentRequest,
} from '../../src/service/http/openapi/examples.ts'
import { compilerErrors } from '../support/compile.ts'
import { projectRoot } from '../support/source-files.ts'

// What the types promise: forgetting a place does not compile. In one file, because each compiler
// reads the same sources for seconds.

const payloadFile = 'src/service/domain/shipment/shipment-payload.ts'
const eventsFile = 'src/service/domain/shipment/shipment-events.ts'
const answersFile = 'src/service/http/shipments/shipment-schema.ts'
const shownFile = 'src/service/domain/shipment/shipment-to-api.ts'
const protocolFile = 'src/service/couriers/protocol.ts'
const examplesFile = 'src/service/http/openapi/examples.ts'
const webhooksFile = 'src/service/http/openapi/webhook-examples.ts'
const columnsFile = 'src/service/sheets/batch-columns.ts'
/**
 * Places that do not compile without a new field. The console's types name a field that it does not
 * show.
 */
const placesOfField = [
  eventsFile,
  answersFile,
  shownFile,
  protocolFile,
  examplesFile,
  webhooksFile,
  columnsFile,
]

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
  t.ok(filesOf(unplaced).includes(payloadFile), 'every field needs a place')
  t.match(unplaced.join('\n'), /probe_field/)
  t.ok(
    filesOf(errors(onlyPlaced('clear'))).includes(payloadFile),
    'a clear field must say whose words it has',
  )
  const always = [answersFile, shownFile, protocolFile, examplesFile, columnsFile]
  t.same(filesOf(errors(placed('clear'))), [...always, eventsFile].toSorted())
  t.same(filesOf(errors(placed('personal'))), [...always, webhooksFile].toSorted())

  // Found by its path, without another list that could miss one.
  const domain = join(projectRoot, 'src/service/domain')
  for (const place of ['clear', 'personal'] as const) {
    const text = placed(place).replaceAll("from '../", `from '${domain}/`)
    const copy = await import(join(t.testdir({ [`${place}.ts`]: text }), `${place}.ts`))
    const body = { ...exampleShipmentRequest(exampleReference), probe_field: true }
    t.equal(copy.clearPart(body).probe_field, place === 'clear' ? true : undefined, place)
    t.equal(copy.personalPart(body).probe_field, place === 'personal' ? true : undefined, place)
  }
})

const enqueuing = 'src/service/processes/batches/enqueue-completed.ts'

/** What the compiler says of a file that enqueues a webhook, with this text in place of another. */
function errorsWith(former: string, text: string): readonly string[] {
  const whole = readFileSync(join(projectRoot, enqueuing), 'utf8')
  const changed = whole.replace(former, text)
  return compilerErrors([enqueuing], new Map([[enqueuing, changed]]))
}

t.test('a webhook that is enqueued outside a transaction does not compile', async (t) => {
  const transaction = 'tx: WebhookTx'
  t.same(errorsWith(transaction, transaction), [])
  const connection = `${transaction} | import('kysely').Kysely<unknown>`
  t.match(errorsWith(transaction, connection), [/is not assignable/])
})

t.test('a webhook of a shipment that reports no event of it does not compile', async (t) => {
  const errorsAs = (type: string) => errorsWith(`type: 'batch.completed'`, `type: '${type}'`)
  t.same(errorsAs('courier_invoice.compared'), [])
  for (const type of ['shipment.cancelled', 'label.ready', 'operation.resolved', 'tracking.lost']) {
    t.match(errorsAs(type), [/is not assignable/], `${type} would have no sequence`)
  }
})

const listFile = 'src/service/http/shipments/list-shipments.ts'
const webhookEventsFile = 'src/service/http/webhook-deliveries/list-webhook-events.ts'

t.test('a filter that is declared without an effect does not compile', async (t) => {
  const declared = (file: string, before: string, line: string) => {
    const text = readFileSync(join(projectRoot, file), 'utf8')
    t.ok(text.includes(before), `${file} has ${before}`)
    return text.replace(before, `${line}\n${before}`)
  }
  const inShipments = (line: string) => declared(listFile, '  status: fact(', line)
  const inEvents = (line: string) => declared(webhookEventsFile, '  type: equals(', line)
  const errors = (shipments: string, events: string) =>
    compilerErrors(
      [listFile, webhookEventsFile],
      new Map([
        [listFile, shipments],
        [webhookEventsFile, events],
      ]),
    ).map((line) => line.split(':')[0])

  const withoutEffect = errors(
    inShipments('  price_currency: { schema: filterText(3) },'),
    inEvents('  api_version: { schema: z.string() },'),
  )
  t.ok(withoutEffect.includes(listFile), 'shipments: the query must use it')
  t.ok(withoutEffect.includes(webhookEventsFile), 'events: the query must use it')
  const ofRowsOnly = errors(
    inShipments("  price_currency: equals(filterText(3), 'price_currency'),"),
    inEvents("  api_version: equals(z.string(), 'api_version'),"),
  )
  t.same([...new Set(ofRowsOnly)], [listFile], 'shipments: the answer from a stream must use it')
})
