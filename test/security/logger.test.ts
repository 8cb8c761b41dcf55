import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import t from 'tap'
import { z } from 'zod'
import { type LoggerOptions, logger } from '../../src/service/security/logger.ts'
import { redact } from '../../src/service/security/redaction.ts'

const canary = 'Canary Quispe 40718824'
const apiKey = `svc_test_${'k'.repeat(49)}`
const secrets = [
  apiKey,
  `svc_live_${'k'.repeat(49)}`,
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/=',
  'Bearer abcdefghijk',
  'postgres://ledger:s3cretpass@db.example:5432/ledger',
]

function logged(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = logger({ level: 'trace', pretty: false, destination, ...options })
  return { log, text: () => lines.join('') }
}

t.test('keys, secrets, tokens and passwords in URLs are redacted from any text', async (t) => {
  for (const secret of secrets) {
    const clean = redact(`before ${secret} after`)
    t.notOk(clean.includes(secret), secret)
    t.match(clean, /^before .*\[redacted\].* after$/)
  }
  for (const harmless of [
    'shipment shp_4 was created in 12 ms',
    'Send `Authorization: Bearer <API key>` with a key that is neither expired nor revoked.',
  ]) {
    t.equal(redact(harmless), harmless)
  }
  t.notMatch(redact('Bearer <abc123> and Bearer <abc'), /abc/)
})

t.test('redacting hostile lines stays fast', async (t) => {
  const startedAt = performance.now()
  for (const piece of ['svc_test_', '://a:', 'Bearer ', 'whsec_', 'password=', '://']) {
    redact(piece.repeat(20_000))
  }
  t.ok(performance.now() - startedAt < 2_000)
})

t.test('a redacted JSON line is still JSON', async (t) => {
  const { log, text } = logged()
  for (const secret of secrets) log.info({ code: secret, reason: `"${secret}"` }, `said ${secret}`)
  for (const line of text().trim().split('\n')) t.ok(JSON.parse(line).msg)
  t.notMatch(text(), /kkkk|s3cretpass|MfKQ|abcdefghijk/)
})

t.test('ids, codes, numbers and times are logged, and other fields are withheld', async (t) => {
  const { log, text } = logged()
  log.info(
    {
      shipmentId: 'shp_1',
      reason: 'unknown_outcome',
      durationMs: 12.5,
      at: new Date(0),
      recipient: { first_name: canary },
      body: canary,
      headers: { authorization: canary },
      query: canary,
      notes: [canary],
      status: { text: canary },
    },
    'looked up',
  )
  t.notMatch(text(), canary)
  const line = JSON.parse(text())
  t.match(line, {
    msg: 'looked up',
    shipmentId: 'shp_1',
    reason: 'unknown_outcome',
    durationMs: 12.5,
    at: '1970-01-01T00:00:00.000Z',
    body: '[not logged]',
  })
})

t.test('every field that the code logs by name is allowed', async (t) => {
  const names = new Set<string>()
  for (const file of globSync('src/**/*.ts', { cwd: join(import.meta.dirname, '../..') })) {
    const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    const calls = text.matchAll(/\blog\??\.(?:debug|info|warn|error)\(\s*\{([^{}]*)\}/g)
    for (const [, fields = ''] of calls) {
      for (const field of fields.split(',')) {
        const name = /^\s*(?:\.\.\.)?([a-zA-Z_]\w*)/.exec(field)?.[1]
        if (name !== undefined && !field.includes('...')) names.add(name)
      }
    }
  }
  names.delete('appendCount')
  t.ok(names.has('shipmentId') && names.has('operationId'))
  const { log, text } = logged()
  names.delete('err')
  log.info(Object.fromEntries([...names].map((name) => [name, 'told'])), 'names')
  const line = JSON.parse(text())
  t.strictSame(
    [...names].filter((name) => line[name] !== 'told'),
    [],
  )
})

t.test('fields of a child logger are filtered by the same list', async (t) => {
  const { log, text } = logged()
  log.child({ requestId: 'req_1', recipient: canary }).info('asked')
  t.match(JSON.parse(text()), { requestId: 'req_1', recipient: '[not logged]' })
})

t.test(
  'a request is logged with its id, method and route, without its URL or headers',
  async (t) => {
    const { log, text } = logged()
    const routeOptions = { url: '/v1/agencies' }
    const headers = { authorization: canary }
    log.info(
      {
        req: {
          id: 'req_1',
          method: 'GET',
          url: `/v1/agencies?search=${canary}`,
          routeOptions,
          headers,
        },
      },
      'in',
    )
    log.info({ res: { statusCode: 200, headers } }, 'out')
    t.notMatch(text(), canary)
    t.match(text(), /"route":"\/v1\/agencies"/)
    t.match(text(), /"statusCode":200/)
  },
)

function thrown(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

const database = (code: string) =>
  Object.assign(new Error(`value ${canary} is too long`), {
    name: 'error',
    code,
    detail: canary,
    where: canary,
    internalQuery: canary,
    parameters: [canary],
  })

const leaking: Readonly<Record<string, Error>> = {
  'of the database about a value': database('22001'),
  'of the database about a row': database('23505'),
  'of a JSON parser': thrown(() => JSON.parse(canary)),
  'of a schema about a value': thrown(() =>
    z.strictObject({ a: z.literal('x') }).parse({ a: canary }),
  ),
  'of a schema about a field': thrown(() => z.strictObject({}).parse({ [canary]: 1 })),
  'of a schema about a key of a map': thrown(() =>
    z.object({ metadata: z.record(z.string(), z.int()) }).parse({ metadata: { [canary]: 'x' } }),
  ),
  'with a leaking cause': new Error('storing failed', { cause: database('22001') }),
  'with a field of its own': Object.assign(new Error('lost'), { body: canary }),
}
for (const [which, error] of Object.entries(leaking)) {
  t.test(`an error ${which} is logged without the value`, async (t) => {
    const { log, text } = logged()
    log.error({ err: error }, 'failed')
    log.error(error)
    log.error({ err: error }, error.message)
    log.warn({ failure: error }, 'failed')
    t.notMatch(text(), /Canary|40718824/)
    t.equal(text().trim().split('\n').length, 4)
    t.match(text(), /"stack":"\s*at /)
  })
}

t.test('a logged error keeps its name, code, message and stack frames', async (t) => {
  const { log, text } = logged()
  log.error({ err: Object.assign(new Error(`refused ${apiKey}`), { code: 'ECONNREFUSED' }) }, 'x')
  const { err } = JSON.parse(text())
  t.match(err, { name: 'Error', code: 'ECONNREFUSED', message: 'refused svc_test_[redacted]' })
  t.match(err.stack, 'logger.test.ts')
})

t.test('pretty lines are redacted like JSON lines', async (t) => {
  const { log, text } = logged({ pretty: true })
  log.info({ shipmentId: 'shp_1', body: canary }, `with ${apiKey}`)
  t.match(text(), /shp_1/)
  t.notMatch(text(), /kkkk|Canary/)
})
