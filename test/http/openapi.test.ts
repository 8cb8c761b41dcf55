import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { webhookBody } from '../../src/service/domain/webhooks/webhook-event.ts'
import { reasons } from '../../src/service/errors.ts'
import { openApiDocument, wholeDocument } from '../../src/service/http/openapi/openapi.ts'
import { exampleUnknownOutcome } from '../../src/service/http/openapi/operation-examples.ts'
import { exampleEvent } from '../../src/service/http/openapi/webhook-examples.ts'
import { buildServer } from '../../src/service/http/server.ts'
import { errorsPage } from '../docs/pages/errors-page.ts'
import {
  type ApiOperation,
  committedDocument,
  reasonsOf,
  undeclared,
} from '../support/declared-answers.ts'
import { aKey, anOrganization, client, serverUnderTest } from './server-under-test.ts'

const server = await serverUnderTest(t)
const jsonType = 'application/json; charset=utf-8'

type Operation = {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly { readonly name: string }[]
  readonly security?: unknown
  readonly responses: Record<string, { content?: Record<string, unknown> }>
}
const document = wholeDocument(server.app) as {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> }
}

t.test(
  "the OpenAPI 3.1 document is served with the service's address, and states its independence",
  async (t) => {
    const headers = { host: 'ledger.example:8080' }
    const served = await server.app.inject({ url: '/openapi.json', headers })
    t.equal(served.statusCode, 200)
    const { servers, ...rest } = served.json()
    const { servers: defaultServers, ...described } = JSON.parse(
      JSON.stringify(openApiDocument(server.app)),
    )
    t.strictSame(rest, described)
    t.match(servers, [{ url: 'http://ledger.example:8080' }])
    t.equal(servers.length, 1)
    // The file has no address to which it could be relative.
    t.match(defaultServers, [{ url: 'http://127.0.0.1:3000' }])
    t.match(document.openapi, /^3\.1/)
    t.match(served.body, /not an official interface of any courier and is affiliated with none/)
  },
)

t.test('every operation has a unique id, a tag, a summary, security and problems', async (t) => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  t.ok(operations.length >= 15)
  for (const operation of operations) {
    const name = operation.operationId ?? 'none'
    t.ok(operation.summary, name)
    t.equal(operation.tags?.length, 1, name)
    t.match(operation.security, [{ bearer: Array }], name)
    for (const status of ['401', '403', '500', '503']) {
      t.ok(reasonsOf(operation as ApiOperation, Number(status)).length > 0, `${name} ${status}`)
    }
  }
  t.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
})

t.test('response schemas are open and request schemas are closed', async (t) => {
  const { schemas } = document.components
  t.match(schemas.OtherProblem?.properties?.reason, { type: 'string', 'x-extensible': true })
  t.notOk('additionalProperties' in (schemas.Workspace ?? {}))
  const body = JSON.stringify(document.paths['/v1/workspaces']?.post)
  t.match(body, /"additionalProperties":false/)
  t.notMatch(JSON.stringify(document), /9007199254740991/)
  t.notOk(Object.keys(schemas).some((name) => name.endsWith('Input')))
})

t.test('the document describes the webhooks that receivers get', async (t) => {
  const { webhooks } = document as unknown as { webhooks: { event: { post: object } } }
  t.match(JSON.stringify(webhooks.event.post), /webhook-signature.*schemas\/WebhookPayload/)
  const { properties = {} } = document.components.schemas.ShipmentWebhook ?? {}
  const sent = { id: '', at: 0, livemode: false, workspaceId: '', requestId: null }
  const body = JSON.parse(webhookBody(exampleEvent('label.ready', sent)))
  t.same(Object.keys(properties), Object.keys(body))
})

t.test('a public OpenAPI linter finds no errors and no warnings', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'openapi-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'openapi.json')
  writeFileSync(file, JSON.stringify(openApiDocument(server.app)))
  const cli = resolve(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js')
  const { code, output } = await new Promise<{ code: number; output: string }>((done) => {
    execFile(
      process.execPath,
      [cli, 'lint', file, '--config', resolve(import.meta.dirname, '../../.redocly.yaml')],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
      (error, stdout, stderr) => done({ code: error === null ? 0 : 1, output: stdout + stderr }),
    )
  })
  t.equal(code, 0, output)
  t.notMatch(output, /warning/i)
})

t.test('the errors page lists each reason exactly once', async (t) => {
  const listed = [...errorsPage().matchAll(/^### `([a-z_]+)`$/gm)].map(([, reason]) => reason)
  t.strictSame(listed, [...reasons])
})

/**
 * Clocks, counters, searches and bundles that are made for each request: an ETag would be useless.
 */
const withoutTag =
  /^(getBatch|getBatchLabels|getBatchManifest|getHealth|getSandboxClock|getUsage|getCourierInvoiceClaim|getCourierInvoiceEvidence|getShipmentEvidence|findByText|downloadCourierInvoiceLines|listOperationGuideScans|count.+)$/

t.test('every read of one resource has an ETag, and every PATCH takes If-Match', async (t) => {
  let reads = 0
  // The committed document has the routes of the whole service.
  for (const [path, methods] of Object.entries(committedDocument.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const takes = (name: string) =>
        (operation.parameters ?? []).some((one) => one.name.toLowerCase() === name)
      const isList = takes('cursor') || operation.operationId === 'listSandboxScenarios'
      const name = operation.operationId ?? path
      if (method === 'patch') t.ok(takes('if-match'), name)
      if (method !== 'get' || isList || withoutTag.test(name)) continue
      reads += 1
      t.ok(takes('if-none-match') && operation.responses['304'], name)
    }
  }
  t.ok(reads >= 8)
})

t.test('every answer of a deprecated route has its deprecation and sunset dates', async (t) => {
  const since = new Date('2026-03-01T12:00:00Z')
  const sunset = new Date('2027-03-01T12:00:00Z')
  const app = buildServer(server.deps, [
    (more) =>
      more.route({
        method: 'GET',
        url: '/v1/old',
        config: { collectionScope: null, deprecation: { since, sunset } },
        schema: { operationId: 'old', summary: 'Old', tags: ['Old'] },
        handler: async () => ({}),
      }),
  ])
  t.teardown(() => app.close())
  const answer = await app.inject({ url: '/v1/old' })
  t.equal(answer.statusCode, 401, 'also of a refusal')
  t.match(answer.headers, {
    deprecation: '@1772366400',
    sunset: 'Mon, 01 Mar 2027 12:00:00 GMT',
    link: /rel="deprecation"/,
  })
  const { paths } = wholeDocument(app) as typeof document
  t.match(paths['/v1/old']?.get, {
    deprecated: true,
    description: 'Deprecated since 2026-03-01. It will be removed on 2027-03-01.',
    'x-deprecation': { since: '2026-03-01', sunset: '2027-03-01' },
    responses: { 401: { headers: { Deprecation: Object, Sunset: Object, Link: Object } } },
  })
})

t.test('random requests get only answers that the document declares', async (t) => {
  const { key } = await aKey(server, await anOrganization(server))
  const call = client(server.app, key)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() as 'GET' })),
  )
  const junk = fc.oneof(
    fc.constantFrom('', '0', '-1', '{}', '\u0000', 'ws_1', '"', '*'),
    fc.string(),
  )
  const ask = fc.record({
    operation: fc.constantFrom(...operations),
    id: fc.constantFrom('ws_0aB1cD2eF3gH4iJ5kL6mN7', 'ccn_0aB1cD2eF3gH4iJ5kL6mN7', 'x', '%00'),
    query: fc.dictionary(fc.constantFrom('limit', 'cursor', 'workspace_id', 'search', 'x'), junk),
    body: fc.option(fc.oneof(fc.json(), fc.string()), { nil: undefined }),
    header: fc.constantFrom(
      'accept',
      'content-type',
      'if-match',
      'if-none-match',
      'idempotency-key',
    ),
    value: junk.filter((text) => /^[\x20-\x7e]*$/.test(text)),
  })
  const seen = new Set<string>()
  const asked = fc.asyncProperty(ask, async ({ operation, id, query, body, header, value }) => {
    const { path, method } = operation
    const address = `${path.replace('{id}', id)}?${new URLSearchParams(query)}`
    const sent = method === 'GET' ? undefined : body
    const answer = await call(method, address, sent, { [header]: value })
    seen.add(`${answer.status} ${answer.body?.reason ?? ''}`)
  })
  await fc.assert(asked, { numRuns: 300 })
  t.ok(seen.size > 5, [...seen].join(', '))
})

t.test('the check of answers finds an undeclared status, reason or header', async (t) => {
  const problem = {
    ...exampleUnknownOutcome,
    status: 422,
    reason: 'validation_failed',
    outcome: 'not_executed',
    errors: [],
  }
  const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
    undeclared({
      method: 'POST',
      path: '/v1/workspaces',
      status,
      body,
      headers: { get: (name: string) => ({ 'content-type': jsonType, ...headers })[name] ?? null },
    })
  t.equal(answer(422, problem), null)
  const { outcome: _outcome, ...ofRead } = problem
  t.match(answer(422, ofRead), /outcome/)
  t.match(answer(422, { ...problem, reason: 'courier_rejected' }), /courier_rejected/)
  t.match(answer(418, {}), /status 418/)
  const unauthenticated = { ...problem, status: 401, reason: 'unauthenticated', action: 'person' }
  t.match(answer(401, unauthenticated, { etag: '"a"' }), /etag/)
  const { errors: _errors, ...withoutErrors } = problem
  t.match(answer(422, withoutErrors), /required property 'errors'/)
  const { action: _action, ...withoutAction } = problem
  t.match(answer(422, withoutAction), /required property 'action'/)
})
