import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { compilerErrors } from '../support/compile.ts'
import { projectRoot } from '../support/source-files.ts'

const listFile = 'src/http/shipments/shipment-list.ts'
const eventsFile = 'src/http/webhook-deliveries/webhook-event-routes.ts'

t.test('a filter that is declared without an effect does not compile', async (t) => {
  const declared = (file: string, before: string, line: string) => {
    const text = readFileSync(join(projectRoot, file), 'utf8')
    t.ok(text.includes(before), `${file} has ${before}`)
    return text.replace(before, `${line}\n${before}`)
  }
  const inShipments = (line: string) => declared(listFile, '  status: fact(', line)
  const inEvents = (line: string) => declared(eventsFile, '  type: equals(', line)
  const errors = (shipments: string, events: string) =>
    compilerErrors(
      [listFile, eventsFile],
      new Map([
        [listFile, shipments],
        [eventsFile, events],
      ]),
    ).map((line) => line.split(':')[0])

  const withoutEffect = errors(
    inShipments('  price_currency: { schema: filterText(3) },'),
    inEvents('  api_version: { schema: z.string() },'),
  )
  t.ok(withoutEffect.includes(listFile), 'shipments: the query must use it')
  t.ok(withoutEffect.includes(eventsFile), 'events: the query must use it')
  const ofRowsOnly = errors(
    inShipments("  price_currency: equals(filterText(3), 'price_currency'),"),
    inEvents("  api_version: equals(z.string(), 'api_version'),"),
  )
  t.same([...new Set(ofRowsOnly)], [listFile], 'shipments: the answer from a stream must use it')
})
