import { createSecretKey, randomBytes } from 'node:crypto'
import fastify from 'fastify'
import t from 'tap'
import { shipmentPayload } from '../../src/service/domain/shipment/shipment-payload.ts'
import { Problem } from '../../src/service/errors.ts'
import { fieldErrors } from '../../src/service/field-errors.ts'
import {
  exampleReference,
  exampleShipmentRequest,
} from '../../src/service/http/openapi/examples.ts'
import {
  keyToFind,
  optionalIdempotencyKey,
  parseIdempotencyKey,
} from '../../src/service/http/rules/idempotency-key.ts'
import { decodeCursor, encodeCursor, listPage } from '../../src/service/http/rules/lists.ts'
import {
  clearFingerprint,
  fingerprintOf,
  hasFingerprint,
  personalFingerprint,
  sameDigest,
} from '../../src/service/processes/calls/fingerprint.ts'
import type { Principal } from '../../src/service/security/api-keys.ts'

const app = fastify()
const problemOf = (error: unknown) =>
  error instanceof Problem
    ? { reason: error.reason, detail: error.options.detail, errors: error.options.errors }
    : { reason: String(error) }
function errorOf(work: () => unknown): unknown {
  try {
    return `answered ${work()}`
  } catch (error) {
    return error
  }
}
app.get('/needed', async (request) => {
  try {
    return { key: parseIdempotencyKey(request) }
  } catch (error) {
    return problemOf(error)
  }
})
app.get('/optional', async (request) => {
  try {
    return { key: optionalIdempotencyKey(request) }
  } catch (error) {
    return problemOf(error)
  }
})
t.teardown(() => app.close())

async function asked(url: string, header?: string | string[]) {
  const headers = header === undefined ? {} : { 'idempotency-key': header }
  return (await app.inject({ url, headers })).json()
}

t.test('an Idempotency-Key has 1 to 255 visible ASCII characters, quoted or not', async (t) => {
  const longest = 'k'.repeat(255)
  const keys: readonly (readonly [string, string])[] = [
    ['order-1', 'order-1'],
    ['"order-1"', 'order-1'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['!', '!'],
    ['~', '~'],
    [longest, longest],
  ]
  for (const [header, key] of keys) {
    t.same(await asked('/needed', header), { key }, header)
    t.same(await asked('/optional', header), { key }, header)
  }
  const wrong = ['a b', `${longest}k`, '"', '"a', '"a"b"', '"a b"', '""', '"\\x"', 'é']
  for (const header of wrong) {
    t.match(
      await asked('/needed', header),
      {
        reason: 'idempotency_key_invalid',
        detail: /255 visible ASCII characters|not well-formed/,
        errors: [{ pointer: '#/headers/Idempotency-Key', reason: 'invalid_value' }],
      },
      header,
    )
  }
  t.match(await asked('/needed', ['a', 'b']), { detail: /more than once/ })
  t.match(await asked('/needed'), { reason: 'idempotency_key_missing' })
  t.same(await asked('/optional'), { key: null })
  t.equal(keyToFind('"a\\"b"'), 'a"b')
  t.equal(keyToFind('a'), 'a')
  t.equal(keyToFind('"a'), '"a')
})

t.test('the parameters of a quoted Idempotency-Key are well-formed and ignored', async (t) => {
  const items = [
    '"rfc-1";a=1',
    '"rfc-1"; a',
    '"rfc-1";a=-1.5;b="x;\\"y";*c-.*_=tok/en:*;d=:aGk=:;e=?1;f=@17;g=%"%c3%a9"',
  ]
  for (const header of items) {
    t.same(await asked('/needed', header), { key: 'rfc-1' }, header)
    t.equal(keyToFind(header), 'rfc-1', header)
  }
  t.same(await asked('/needed', 'rfc-1;a=1'), { key: 'rfc-1;a=1' }, 'unquoted, it is all the key')
  const wrong = [
    '"a" ;b',
    '"a";',
    '"a";A=1',
    '"a";a=',
    '"a";a=1.',
    '"a";a=?2',
    '"a";a=%"é"',
    '"a",b',
  ]
  for (const header of wrong) {
    t.match(
      await asked('/needed', header),
      { detail: 'The quoted key is not well-formed.' },
      header,
    )
  }
})

t.test(
  'a fingerprint ignores the order of fields, and the personal one depends on its key',
  async (t) => {
    t.equal(clearFingerprint({ a: 1, b: { c: 'x' } }), clearFingerprint({ b: { c: 'x' }, a: 1 }))
    t.not(clearFingerprint({ a: 1 }), clearFingerprint({ a: 2 }))
    t.match(clearFingerprint({}), /^[0-9a-f]{64}$/)
    const [one, other] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))]
    t.equal(personalFingerprint({ a: 1, b: 2 }, one), personalFingerprint({ b: 2, a: 1 }, one))
    t.not(personalFingerprint({ a: 1 }, one), personalFingerprint({ a: 1 }, other))
    t.not(personalFingerprint({ a: 1 }, one), personalFingerprint({ a: 2 }, one))
    t.ok(sameDigest('ab', 'ab'))
    t.notOk(sameDigest('ab', 'ac'))
    t.notOk(sameDigest('ab', 'abc'))
    // SHA-256 of `v1`, a line feed and the RFC 8785 form. Shipments store it, so it must never
    // change.
    t.equal(
      clearFingerprint({ a: 1 }),
      '4b64e502c97d61efeba49d15ce98e5354bf345427b63aca60bc033991668ac64',
    )
  },
)

t.test(
  'a repetition is compared with the first request, without the personal part once it is erased',
  async (t) => {
    const [key, other] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))]
    const body = exampleShipmentRequest(exampleReference)
    const [clear, personal] = [
      { ...body, external_reference: 'another' },
      { ...body, declared_content: 'Another' },
    ]
    const scenario = 'happy_path'
    const first = fingerprintOf({ body, scenario }, key)
    t.ok(hasFingerprint({ body, scenario }, first, key))
    t.notOk(hasFingerprint({ body: clear, scenario }, first, key))
    t.notOk(hasFingerprint({ body: personal, scenario }, first, key))
    t.notOk(hasFingerprint({ body, scenario }, first, other))
    t.notOk(hasFingerprint({ body, scenario: null }, first, key))
    t.ok(hasFingerprint({ body: personal, scenario }, first, null), 'erased')
    t.notOk(hasFingerprint({ body: clear, scenario }, first, null), 'the rest is still compared')
  },
)

t.test('a repetition may leave empty metadata out, or send it where it was left out', async (t) => {
  const key = createSecretKey(randomBytes(32))
  const absent = exampleShipmentRequest(exampleReference)
  const metadata = { channel: 'web' }
  const scenario = 'happy_path'
  const same = [absent, { ...absent, metadata: {} }, { ...absent, metadata: null }]
  for (const body of same) {
    const first = fingerprintOf({ body, scenario }, key)
    for (const again of same) t.ok(hasFingerprint({ body: again, scenario }, first, key))
    t.notOk(hasFingerprint({ body: { ...absent, metadata }, scenario }, first, key))
    const other = { ...absent, metadata: {}, declared_content: 'Another' }
    t.notOk(hasFingerprint({ body: other, scenario }, first, key))
  }
  const first = fingerprintOf({ body: { ...absent, metadata }, scenario }, key)
  for (const again of same) t.notOk(hasFingerprint({ body: again, scenario }, first, key))
})

const principal = {
  organizationId: 'org_a',
  workspaceId: null,
  livemode: false,
} as unknown as Principal
const binding = { route: '/v1/things', principal, filters: { status: 'open', none: undefined } }
const [current, former] = [randomBytes(32), randomBytes(32)]

t.test('a cursor continues its own list and is refused for any other', async (t) => {
  const cursor = encodeCursor([current], binding, ['2026', 'shp_1'])
  t.same(decodeCursor([current], binding, cursor), ['2026', 'shp_1'])
  t.same(decodeCursor([former, current], binding, cursor), ['2026', 'shp_1'])
  const reordered = { ...binding, filters: { none: undefined, status: 'open' } }
  t.same(decodeCursor([current], reordered, cursor), ['2026', 'shp_1'])
  const without = { ...binding, filters: { status: 'open' } }
  t.same(decodeCursor([current], without as typeof binding, cursor), ['2026', 'shp_1'])
  const refused = (name: string, other: typeof binding, text = cursor, keys = [current]) => {
    const found = problemOf(errorOf(() => decodeCursor(keys, other, text)))
    t.equal(found.reason, 'invalid_cursor', name)
  }
  refused('another key', binding, cursor, [former])
  refused('another route', { ...binding, route: '/v1/others' })
  refused('another filter', { ...binding, filters: { ...binding.filters, status: 'shut' } })
  refused('one filter more', { ...binding, filters: { ...binding.filters, type: 'x' } } as never)
  for (const other of [{ organizationId: 'org_b' }, { workspaceId: 'ws_a' }, { livemode: true }]) {
    refused(JSON.stringify(other), {
      ...binding,
      principal: { ...principal, ...other } as Principal,
    })
  }
  refused('nothing', binding, '')
  refused('one character more', binding, `${cursor}A`)
  refused('a character that is none', binding, `${cursor}!`)
  refused('far too long', binding, `${cursor}${'A'.repeat(2_000)}`)
  for (let at = 0; at < cursor.length; at++) {
    const changed = cursor[at] === 'A' ? 'B' : 'A'
    refused(`changed at ${at}`, binding, cursor.slice(0, at) + changed + cursor.slice(at + 1))
  }
  const two = encodeCursor([current], { ...binding, filters: { a: '1', b: '2' } }, ['x'])
  const swapped = { ...binding, filters: { b: '2', a: '1' } }
  t.same(decodeCursor([current], swapped, two), ['x'])
})

t.test('a page has the requested number of rows and says whether there are more', async (t) => {
  const rows = Array.from({ length: 60 }, (_, index) => index)
  const page = (query: { limit?: number; cursor?: string }) =>
    listPage({
      deps: { secrets: { cursorKeys: [current] } } as never,
      principal,
      route: '/v1/things',
      query,
      read: async ({ after, limit }) => {
        const start = after === null ? 0 : Number(after[0]) + 1
        return rows.slice(start, start + limit)
      },
      sortKey: (row) => [String(row)],
    })
  const first = await page({ limit: 30 })
  t.match(first, { data: { length: 30 }, has_more: true, next_cursor: String })
  const rest = await page({ limit: 30, cursor: String(first.next_cursor) })
  t.match(rest, { data: { length: 30 }, has_more: false, next_cursor: null })
  t.equal(rest.data[0], 30)
  t.equal((await page({})).data.length, 25)
})

t.test('names in metadata are never trimmed: surrounding spaces are refused', async (t) => {
  const complaints = (metadata: object) => {
    const { error } = shipmentPayload.safeParse({ metadata })
    const all = fieldErrors(error?.issues ?? [], '', { metadata })
    return all.filter(({ pointer }) => pointer.startsWith('/metadata'))
  }
  t.same(complaints({ a: 'x', 'b c': 'y' }), [])
  const trimmed = complaints({ ' a ': 'x', a: 'y' })
  t.match(trimmed, [{ pointer: '/metadata/ a ', reason: 'surrounding_space' }])
  t.match(complaints({ ['a'.repeat(41)]: 'x' }), [{ reason: 'too_big' }])
})
