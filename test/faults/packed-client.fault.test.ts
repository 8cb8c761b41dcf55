import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { exampleShipment, exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import {
  exampleOperation,
  exampleUnknownOutcome,
} from '../../src/service/http/openapi/operation-examples.ts'
import { createApiKey } from '../../src/service/security/api-keys.ts'
import { buildClient } from '../docs/build-client.ts'
import { committedDocument } from '../support/declared-answers.ts'
import { service } from '../support/service.ts'
import { projectRoot } from '../support/source-files.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-client-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const shopFolder = join(folder, 'shop')
const examples = ['quick-start.ts', 'handle-errors.ts', 'receive-webhooks.ts']

/** The client as a shop gets it: packed, and installed outside this project. */
async function installed(): Promise<void> {
  const built = join(folder, 'built')
  await buildClient(built)
  const npm = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  const shell = process.platform === 'win32'
  const { stdout } = await run('npm', ['pack', '--silent', built], { cwd: folder, shell })
  mkdirSync(shopFolder)
  const own = { name: 'a-shop', private: true, type: 'module' }
  writeFileSync(join(shopFolder, 'package.json'), JSON.stringify(own))
  const archive = join(folder, stdout.trim())
  await run('npm', ['install', ...npm, archive], { cwd: shopFolder, shell })
  for (const file of examples) {
    copyFileSync(join(projectRoot, 'test', 'examples', file), join(shopFolder, file))
  }
}

const [shop] = await Promise.all([service(t), installed()])
const env = {
  ...process.env,
  SHIPPING_LEDGER_URL: shop.url,
  SHIPPING_LEDGER_KEY: shop.seeded.shopKey,
}
const play = async (file: string) =>
  (await run(process.execPath, [join(shopFolder, file)], { cwd: shopFolder, env })).stdout

t.test(
  'the receiver of the example keeps the newest version, in whatever order they come',
  async (t) => {
    const script = `
    import { createHmac } from 'node:crypto'
    import { once } from 'node:events'
    import { server, versions } from './receive-webhooks.ts'
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    for (const [id, version] of [['evt_2', 7], ['evt_1', 4], ['evt_2', 7], ['evt_3', null]]) {
      const body = JSON.stringify({ id, type: 'any', sequence: 1, resource: { type: 'shipment', id: 'shp_1', version } })
      const at = Math.floor(Date.now() / 1000)
      const mac = createHmac('sha256', Buffer.alloc(32, 7)).update(id + '.' + at + '.' + body)
      const headers = { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': 'v1,' + mac.digest('base64') }
      const answer = await fetch('http://127.0.0.1:' + server.address().port, { method: 'POST', headers, body })
      if (answer.status !== 204) throw new Error('refused with ' + answer.status)
    }
    console.log(JSON.stringify([...versions]))
    server.close()
    server.closeAllConnections()`
    writeFileSync(join(shopFolder, 'any-order.mjs'), script)
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const { stdout } = await run(process.execPath, [join(shopFolder, 'any-order.mjs')], {
      cwd: shopFolder,
      env: { ...env, WEBHOOK_SECRETS: secret },
    })
    t.match(stdout, /\[\["shp_1",7\]\]\s*$/)
  },
)

t.test('the packed client has no dependencies and is typed where it is installed', async (t) => {
  const manifest = join(shopFolder, 'node_modules', 'shipping-ledger', 'package.json')
  t.notMatch(readFileSync(manifest, 'utf8'), /dependencies/i)
  t.match(JSON.parse(readFileSync(manifest, 'utf8')).openapi, { sha256: /^[0-9a-f]{64}$/ })
  t.match(readFileSync(join(manifest, '..', 'README.md'), 'utf8'), 'shipping-ledger/client')
  writeFileSync(
    join(shopFolder, 'wrong.ts'),
    "import { createClient } from 'shipping-ledger/client'\n" +
      "createClient({ baseUrl: '', apiKey: '' }).shipments.create({ workspace_id: 1 })\n",
  )
  const compiler = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--pretty', 'false']
  const modules = ['--module', 'nodenext', '--target', 'es2023', '--skipLibCheck']
  const types = ['--typeRoots', join(projectRoot, 'node_modules', '@types'), '--types', 'node']
  const [, sample = ''] =
    /```ts\n(.+?)```/s.exec(readFileSync(join(manifest, '..', 'README.md'), 'utf8')) ?? []
  writeFileSync(join(shopFolder, 'readme.ts'), sample)
  const files = [...examples, 'readme.ts', 'wrong.ts'].map((file) => join(shopFolder, file))
  const args = [compiler, ...strict, ...modules, ...types, ...files]
  const { stdout } = await run(process.execPath, args, { cwd: shopFolder }).catch((error) => error)
  const complaints = String(stdout)
    .trim()
    .split('\n')
    .filter((line) => /^\S.*error/.test(line))
  t.equal(complaints.length, 1, String(stdout).slice(0, 2_000))
  t.match(sample, /createClient/)
  t.match(complaints[0], /wrong\.ts.*workspace_id|wrong\.ts/)
})

t.test('the quick start of the guide works, and gives the same guide twice', async (t) => {
  const said = await play('quick-start.ts')
  t.match(said, /^order-3001: created, guide \w+$/m)
  t.match(said, /^label\.pdf: true, tracking active$/m)
  t.match(said, /^order-3002: unknown_outcome$/m)
  t.match(said, /^order-3002: created$/m)
  t.match(said, /^order-3002: guide \w+$/m)
  t.match(said, /^shipped: order-3001, order-3002$/m)
  t.equal(readFileSync(join(shopFolder, 'label.pdf')).subarray(0, 5).toString(), '%PDF-')
  const lineOf = (text: string) => /^order-3001.*$/m.exec(text)?.[0]
  t.equal(lineOf(await play('quick-start.ts')), lineOf(said), 'the same guide')
})

t.test('the other examples of the guides work', async (t) => {
  t.match(await play('handle-errors.ts'), /^\/name: too_small$/m)
  writeFileSync(
    join(shopFolder, 'plain.js'),
    "import { createClient } from 'shipping-ledger/client'\n" +
      'const { SHIPPING_LEDGER_URL: baseUrl, SHIPPING_LEDGER_KEY: apiKey } = process.env\n' +
      'console.log((await createClient({ baseUrl, apiKey }).keys.get()).object)\n',
  )
  t.match(await play('plain.js'), /^api_key$/m)
})

/** Masks what differs between runs: ids, times and the courier's numbers. */
function masked(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/"([a-z]+)_[0-9A-Za-z]{22,24}"/g, '"$1_…"')
      .replaceAll(/req_[0-9A-Za-z]{22}/g, 'req_…')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(/"(guide_number|pickup_code|tracking_url)":"[^"]+"/g, '"$1":"…"')
      .replaceAll(/"guide_numbers":\["[^"]+"\]/g, '"guide_numbers":["…"]')
      .replaceAll(/"(version|amount|latency_ms)":\d+/g, '"$1":0'),
  )
}

t.test("the examples in the API document match the service's responses", async (t) => {
  const { client, seeded } = shop
  const order = exampleShipmentRequest('order-5001', seeded)
  const key = { idempotencyKey: 'order-5001' }
  const made = await client.shipments.create(order, { ...key, scenario: 'happy_path' })
  t.same(masked(made), masked(exampleShipment))
  const lost = await shop.create('lost', { scenario: 'lost_response_guide_created' })
  t.same(masked(lost.body), masked(exampleUnknownOutcome))
  const { operation } = await client.waitForOperation(lost.body.operation_id)
  t.same(masked({ ...operation, external_reference: 'order-5001' }), masked(exampleOperation))
})

t.test(
  'every body has an example, and a key without scopes is told the missing scope',
  async (t) => {
    const none = await createApiKey(
      shop.parts,
      {
        organizationId: shop.seeded.organizationId,
        workspaceId: null,
        livemode: false,
        scopes: [],
        expiresAt: null,
      },
      { actor: { type: 'system', keyId: null }, requestId: null },
    )
    const shipment = (await shop.create('order-5001', { scenario: 'happy_path' })).body.id
    const lost = (await shop.create('scopes', { scenario: 'lost_response_human_review' })).body
    const ids: Record<string, string> = {
      ws: shop.seeded.workspaceId,
      ccn: shop.seeded.connectionId,
      agy: shop.seeded.originId,
      shp: shipment,
      op: lost.operation_id,
    }
    for (const [path, methods] of Object.entries(committedDocument.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const prefix = String(
          operation.parameters?.find((one) => one.in === 'path')?.schema.example,
        )
        const id = ids[prefix.split('_')[0] ?? '']
        const [scope] = operation.security[0]?.bearer ?? []
        const content = operation.requestBody?.content['application/json']
        const body = content === undefined ? undefined : exampleOf(content)
        if (content !== undefined) t.ok(body, `${operation.operationId} has an example`)
        if (path.includes('{') && id === undefined) continue
        const answer = await shop.call(path.replace('{id}', id ?? ''), {
          method: method.toUpperCase(),
          key: none.key,
          headers: { 'idempotency-key': 'scopes' },
          ...(body === undefined ? {} : { body }),
        })
        const { reason, detail } = answer.body
        if (scope === undefined) t.not(reason, 'forbidden_scope', operation.operationId)
        else t.match({ reason, detail }, { reason: 'forbidden_scope', detail: scope })
      }
    }
  },
)

type Content = { readonly schema: Record<string, unknown>; readonly example?: unknown }

/** The example of a named schema is in the schema, otherwise beside it. */
function exampleOf({ schema, example }: Content): unknown {
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? ''
  const named = committedDocument.components.schemas[name]?.examples
  return (named as readonly unknown[] | undefined)?.[0] ?? example
}
