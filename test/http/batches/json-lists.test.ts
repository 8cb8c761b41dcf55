import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import { z } from 'zod'
import { Problem } from '../../../src/service/errors.ts'
import { fieldErrors } from '../../../src/service/field-errors.ts'
import { parseJsonList } from '../../../src/service/http/rules/sheets/json-list-body.ts'
import { parseStrictJson } from '../../../src/service/strict-json.ts'
import { csv, refusalOf as csvRefusalOf, names } from '../../sheets/read-lines.ts'
import { countWork } from '../../support/work-in-turns.ts'

type Refused = readonly [reason: string, pointer?: string, detail?: string]

async function refusalOf(read: () => unknown): Promise<Refused | null> {
  try {
    await read()
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [first] = error.options.errors ?? []
    return first === undefined ? [error.reason] : [first.reason, first.pointer, first.detail]
  }
}

const list = { member: 'items', itemsMax: 1_000 }
/** Lines stay text until they are read one by one. */
function withLines(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('items' in body)) return body
  const { items } = body
  if (!Array.isArray(items)) return body
  const line = (item: unknown) => (Buffer.isBuffer(item) ? JSON.parse(item.toString()) : item)
  return { ...body, items: items.map(line) }
}

const parsed = async (text: string | Buffer) =>
  withLines(await parseJsonList(Buffer.from(text as string), list))
const fields = (count: number) =>
  Array.from({ length: count }, (_, index) => `"f${index}":0`).join(',')

t.test('a body of too many fields or list items is refused before the rest is read', async (t) => {
  const work = countWork(t)
  const broken = ` is no JSON ${'x'.repeat(10_000)}`
  for (const [text, expected] of [
    [`{${fields(201)}${broken}`, ['too_many_fields', '']],
    [`{"a":{"b":[{${fields(199)}${broken}`, ['too_many_fields', '/a/b/0']],
    [`{"a":{${fields(100)}},"b":{${fields(99)}${broken}`, ['too_many_fields', '/b']],
    [`{"a":[${'0,'.repeat(1_000)}${broken}`, ['too_big', '/a']],
    [`{"a":[${'[0,0],'.repeat(500)}${broken}`, ['too_big', '/a']],
  ] as const) {
    t.match(await refusalOf(() => parseStrictJson(text)), expected, text.slice(0, 40))
  }
  t.equal(work.parsed, 0, 'none of it is parsed')
  t.same(Object.keys(parseStrictJson(`{${fields(200)}}`) as object).length, 200)
  t.same(parseStrictJson(`[${'0,'.repeat(999)}0]`), Array(1_000).fill(0))
})

t.test('no more errors are described than are shown', async (t) => {
  const { error } = z.array(z.string()).safeParse(Array(5_000).fill(0))
  let described = 0
  const issues = (error?.issues ?? []).map((issue) =>
    Object.defineProperty({ ...issue }, 'path', {
      get: () => {
        described++
        return issue.path
      },
    }),
  )
  t.equal(fieldErrors(issues, '', []).length, 50)
  t.equal(described, 50)
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`~${index}`, 0]))
  const { issues: [issue] = [] } = z.strictObject({}).safeParse(unknown).error ?? {}
  const keys = new Proxy((issue as { keys: string[] }).keys, {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) described++
      return Reflect.get(target, name)
    },
  })
  t.equal(fieldErrors([{ ...issue, keys } as never], '', unknown).length, 50)
  t.equal(described, 100)
})

t.test('the lines of a JSON body are parsed in slices', async (t) => {
  const items = Array.from({ length: 1_000 }, (_, index) => ({ index, text: 'x'.repeat(2_000) }))
  const work = countWork(t)
  const slices: number[] = []
  let before = 0
  const pause = async () => {
    slices.push(work.parsed - before)
    before = work.parsed
  }
  const body = Buffer.from(`{"a":1,"items":${JSON.stringify(items)},"b":[2]}`)
  t.same(withLines(await parseJsonList(body, list, pause)), { a: 1, items, b: [2] })
  t.ok(slices.length >= body.length / 40_000, `${slices.length} slices`)
  t.ok(Math.max(...slices) <= 32 * 1_024 + 2_100, `${Math.max(...slices)} characters at once`)
})

t.test('a JSON body with lines is read like any other', async () => {
  const space = fc.constantFrom('', ' ', '\n\t', '\r\n ')
  const bodies = fc.record({
    before: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    items: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 60 }),
    after: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    space,
    cut: fc.option(fc.nat()),
  })
  await fc.assert(
    fc.asyncProperty(bodies, async ({ before, items, after, space, cut }) => {
      const written = JSON.stringify({ ...before, items, ...after }, null, space.replace('\r', ''))
      const whole = written.replaceAll('__proto__', 'prototype')
      const text = cut === null ? whole : whole.slice(0, 1 + (cut % whole.length))
      const expected = await refusalOf(() => parseStrictJson(text))
      if (expected === null) deepStrictEqual(await parsed(text), parseStrictJson(text))
      else if (expected[0] !== 'too_many_fields' && expected[0] !== 'too_big') {
        deepStrictEqual(await refusalOf(() => parsed(text)), expected)
      }
    }),
  )
})

t.test('a line that is too long or too much names itself', async (t) => {
  const at = (item: string) => refusalOf(() => parsed(`{"items":[1,${item},3]}`))
  t.match(await at(`{${fields(201)}}`), ['too_many_fields', '/items/1'])
  t.match(await at(`{"a":{${fields(200)}}}`), ['too_many_fields', '/items/1/a'])
  t.match(await at('{"a":1,"a":2}'), ['duplicate_field', '/items/1/a'])
  t.match(await at(`"${'x'.repeat(65_536)}"`), ['too_large', '/items/1'])
  t.match(await at('['.repeat(30)), ['invalid_json'])
  t.match(await at('{"a":'), ['invalid_json'])
  const many = (count: number) => `{"items":[${'1,'.repeat(count - 1)}1]}`
  t.equal(((await parsed(many(1_000))) as { items: unknown[] }).items.length, 1_000)
  t.match(await refusalOf(() => parsed(`${many(1_001)} is no JSON`)), ['too_big', '/items'])
})

t.test('the fields beside the lines are limited like any body', async (t) => {
  const much = `"a":"${'x'.repeat(65_536)}"`
  for (const text of [`{${much},"items":[]}`, `{"items":[],${much}}`, `{${much}}`]) {
    t.match(await refusalOf(() => parsed(text)), ['body_too_large'])
  }
  for (const [text, expected] of [
    [`{"items":[1],"items":[${'1,'.repeat(10)}1]}`, ['duplicate_field', '/items']],
    [`{${fields(200)},"items":[]}`, ['too_many_fields', '']],
    ['{"items":[1],"__proto__":{"a":1}}', ['unknown_field', '/__proto__']],
    ['{"items":[1,]}', ['invalid_json']],
    ['{"items":[,1]}', ['invalid_json']],
    ['{"items":[1}]', ['invalid_json']],
    ['{"items":[1', ['invalid_json']],
    ['{"items", [1]}', ['invalid_json']],
    [Buffer.from('{"items":["\xff"]}', 'latin1'), ['invalid_json']],
  ] as const) {
    t.match(await refusalOf(() => parsed(text as string)), expected, String(text).slice(0, 40))
  }
  t.strictSame(await parsed('["items",[1]]'), ['items', []])
  t.strictSame(await parsed('{"\\u0069tems":[1]}'), { items: [1] })
  t.strictSame(await parsed('{"a":{"items":[1]},"items":[ ]}'), { a: { items: [1] }, items: [] })
  t.strictSame(await parsed('\ufeff{"items":[1]}'), { items: [1] })
  t.equal(await parsed(''), undefined)
  t.equal(await parsed('null'), null)
})

t.test('a row of a CSV has no more cells than a sheet', async (t) => {
  const read = (text: string) => csvRefusalOf(() => csv(text))
  const refused = ['too_many_columns: A row has at most 16384 cells.']
  t.strictSame(read(','.repeat(5_000_000)), refused)
  t.strictSame(read(`${names.join(',')}\n${'"",'.repeat(16_384)}`), refused)
  t.not(read(`${','.repeat(16_383)}\n,"${','.repeat(20_000)}"`)[0], refused[0])
  const wide = read(`${'a,'.repeat(16_000)}\n`)
  t.strictSame(wide, ['too_many_columns: A file has at most 200 columns.'])
})
