import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { z } from 'zod'
import { readJsonList } from '../../src/service/couriers/read-json-list.ts'

const list = {
  member: 'items',
  item: z.unknown(),
  itemsMax: 20_000,
  envelope: z.object({ success: z.literal(true), items: z.tuple([]) }),
}
const read = async (text: string | Buffer) =>
  (await readJsonList(Buffer.from(text), list))?.items ?? null

t.test('readJsonList reads a list as JSON.parse does', async (t) => {
  const value = fc.jsonValue({ noUnicodeString: false })
  const more = fc.dictionary(
    fc.string().filter((key) => !['items', 'success'].includes(key)),
    value,
  )
  const space = fc.constantFrom(undefined, 1, '\t')
  await fc.assert(
    fc.asyncProperty(fc.array(value), more, more, space, async (items, before, after, indent) => {
      const text = JSON.stringify({ ...before, success: true, items, ...after }, null, indent)
      return isDeepStrictEqual(await read(text), JSON.parse(text).items)
    }),
    { numRuns: 500 },
  )
  t.pass('no counterexample')
})

t.test('strings in a JSON list may contain separators, quotes and brackets', async (t) => {
  const items = ['",', '\\', '\\"],[', '{', ']', { '}': ['"'] }, 'ñ\u2028😀', [], {}]
  t.strictSame(await read(JSON.stringify({ success: true, items })), items)
  t.strictSame(await read('{"items" : [ ] , "success":true}'), [])
  t.strictSame(await read('\ufeff{"success":true,"items":[1]}'), [1], 'a byte order mark')
})

const unreadable = [
  '',
  '[]',
  'null',
  '{"success":true}',
  '{"success":true,"items":null}',
  '{"success":true,"items":{}}',
  '{"success":true,"items":[1]',
  '{"success":true,"items":[1}',
  '{"success":true,"items":[1]]}',
  '{"success":true,"items":[1}}',
  '{"success":true,"items":[1]} x',
  '{"success":true,"items":[1,]}',
  '{"success":true,"items":[,]}',
  '{"success":true,"items":[,1]}',
  '{"success":true,"items":[1,,2]}',
  '{"success":true,"items":[1 2]}',
  '{"success":true,"items":[{"a":1]}',
  '{"success":true,"items":["a]}',
  '{"success":true,"items":[\u00a0]}',
  '{"success":true,"items":[1],"items":[2]}',
  '{"success":false,"items":[1]}',
  '{"success":true,"other":{"items":[1]}}',
  '["items",[1]]',
]

t.test('malformed JSON lists are rejected', async (t) => {
  for (const text of unreadable) t.equal(await read(text), null, text)
  const notUtf8 = Buffer.from('{"success":true,"items":["\xff"]}', 'latin1')
  t.equal(await read(notUtf8), null, 'no UTF-8')
  const numbers = { ...list, item: z.number() }
  t.equal(await readJsonList(Buffer.from('{"success":true,"items":[1,"2"]}'), numbers), null)
})

t.test('a JSON list beyond its limits is rejected', async (t) => {
  const of = (items: unknown, more = {}) => JSON.stringify({ ...more, success: true, items })
  const full = Array.from({ length: list.itemsMax }, (_, n) => n)
  t.strictSame(await read(of(full)), full)
  t.equal(await read(of([...full, 1])), null, 'one item more')
  t.strictSame(await read(of(['x'.repeat(60_000)])), ['x'.repeat(60_000)])
  t.equal(await read(of(['x'.repeat(70_000)])), null, 'a long string')
  t.equal(await read(of([full])), null, 'a long list within')
  t.equal(await read(of([1], { more: 'x'.repeat(70_000) })), null, 'too much before')
  const behind = `{"success":true,"items":[1],"more":"${'x'.repeat(70_000)}"}`
  t.equal(await read(behind), null, 'too much behind')
})
