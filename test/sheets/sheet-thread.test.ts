import t from 'tap'
import { Problem } from '../../src/service/errors.ts'
import {
  exampleReference,
  exampleShipmentRequest,
} from '../../src/service/http/openapi/examples.ts'
import { batchTemplate } from '../../src/service/sheets/csv-text.ts'
import type { SheetRequest } from '../../src/service/sheets/read-sheet.ts'
import { SheetThread } from '../../src/service/sheets/sheet-thread.ts'

const thread = new SheetThread()
t.teardown(() => thread.close())

const ndjson = {
  kind: 'batch',
  format: { type: 'ndjson' },
  forAll: {},
  errorsMax: 0,
  isCheck: false,
} as const satisfies SheetRequest
const csv = {
  ...ndjson,
  format: { type: 'csv', charset: null, columns: {}, values: {} },
} as const satisfies SheetRequest

const example = exampleShipmentRequest(exampleReference)
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...example, external_reference: `order-${at}` }))
const fileOf = (all: readonly object[]) =>
  Buffer.from(all.map((line) => JSON.stringify(line)).join('\n'))

async function linesIn(content: Awaited<ReturnType<SheetThread['read']>>) {
  const found: { readonly line: number; readonly body: unknown }[] = []
  for await (const part of content.parts()) found.push(...part)
  return found
}

t.test('lines come in their order and in parts, as often as they are asked for', async (t) => {
  const all = lines(1_000)
  const content = await thread.read('org_a', fileOf(all), ndjson)
  t.equal(content.end.lines, all.length)
  for (let round = 0; round < 2; round++) {
    const found = await linesIn(content)
    t.strictSame(
      found.map(({ body }) => body),
      all,
    )
    t.strictSame(
      found.map(({ line }) => line),
      all.map((_, at) => at + 1),
    )
  }
  let parts = 0
  for await (const part of content.parts()) {
    parts += 1
    t.ok(JSON.stringify(part).length < 70_000, 'a part is parsed in about a millisecond')
  }
  t.ok(parts > 5)
})

t.test('a body is still there after it was read', async (t) => {
  const body = Buffer.from(batchTemplate())
  const text = body.toString()
  await thread.read('org_a', body, csv)
  t.equal(body.toString(), text)
})

t.test('the refusal of a file reaches the caller, and the next file is read', async (t) => {
  const refused = thread.read('org_a', Buffer.from('PK\x03\x04'), csv)
  const read = thread.read('org_a', fileOf(lines(1)), ndjson)
  const problem = await refused.catch((error: unknown) => error)
  t.ok(problem instanceof Problem)
  t.match(problem, { options: { errors: [{ reason: 'workbook' }] } })
  t.equal((await linesIn(await read)).length, 1)
})

t.test('organizations take turns, so many files of one hardly delay another', async (t) => {
  const ended: string[] = []
  const read = async (organization: string, count: number) => {
    await thread.read(organization, fileOf(lines(count)), ndjson)
    ended.push(organization)
  }
  const busy = Array.from({ length: 8 }, () => read('org_a', 500))
  await Promise.all([...busy, read('org_b', 1)])
  t.ok(ended.indexOf('org_b') <= 2, `${ended}`)
})

t.test('a closed reader leaves nothing that runs', async (t) => {
  const own = new SheetThread()
  await own.read('org_a', fileOf(lines(1)), ndjson)
  await own.close()
  t.pass('the thread has ended')
})
