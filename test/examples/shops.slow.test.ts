import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { freePort } from '../../src/service/embedded-postgres/postmaster.ts'
import { eventually } from '../support/eventually.ts'
import { forwardingProxy } from '../support/forwarding-proxy.ts'
import { leanNode, withoutPython } from '../support/run-process.ts'
import { type Service, service } from '../support/service.ts'
import { projectRoot } from '../support/source-files.ts'
import { type ShopOrder, supervisedShop } from '../support/supervised-shop.ts'
import { validatingProxy } from '../support/validating-proxy.ts'

const folder = join(projectRoot, 'docs', 'examples', 'shop')
const typescript = {
  file: 'shop.ts',
  linesMax: 120,
  command: process.execPath,
  arguments: [...leanNode, join(folder, 'shop.ts')],
}
const python = {
  file: 'shop.py',
  linesMax: 80,
  command: 'python3',
  arguments: ['-B', join(folder, 'shop.py')],
}
const guide = readFileSync(join(projectRoot, 'docs', 'guides', 'shop.md'), 'utf8')
type Example = typeof typescript

/** A shop that follows an operation in review asks again after up to 15 s. */
const roundsMax = 400

/** Scenarios whose order ends without a guide, and what the shop must then say. */
const withoutGuide: Readonly<Record<string, string>> = {
  courier_rejected: 'fix',
  lost_response_nothing_created: 'person',
}

async function open(t: Test, example: Example) {
  const home = await service(t)
  const data = mkdtempSync(join(tmpdir(), 'example-shop-'))
  t.teardown(async () => rmSync(data, { recursive: true, force: true }))
  const port = await freePort()
  const endpoint = await home.client.webhookEndpoints.create({
    workspace_id: home.seeded.workspaceId,
    url: `http://127.0.0.1:${port}/webhooks`,
    event_types: ['shipment.*', 'label.*', 'tracking.*', 'operation.*'],
  })
  const killed = new Set<string>()
  const mayKill = { now: true }
  /** Kills the shop once for each key: every other time before its request has arrived. */
  const killOnce = (key: string | undefined) => {
    if (!mayKill.now || key === undefined || killed.has(key) || !shop.kill()) return false
    killed.add(key)
    return true
  }
  const keyOf = (headers: Record<string, unknown>) => headers['idempotency-key']?.toString()
  const validator = await validatingProxy(t, home.url)
  const url = await forwardingProxy(t, validator.url, {
    isCut: (path, { headers }) =>
      path === '/v1/shipments' && killed.size % 2 === 0 && killOnce(keyOf(headers)),
    held: async (path, { headers }) => {
      if (path === '/v1/shipments') killOnce(keyOf(headers))
    },
  })
  const shop = supervisedShop(t, {
    ...example,
    port,
    env: {
      SHIPPING_LEDGER_URL: url,
      SHIPPING_LEDGER_KEY: home.seeded.shopKey,
      WORKSPACE_ID: home.seeded.workspaceId,
      CONNECTION_ID: home.seeded.connectionId,
      WEBHOOK_SECRET: String(endpoint.secret),
      SHOP_DATA: data,
      PYTHONPATH: join(projectRoot, 'src', 'client-python'),
    },
  })
  return { home, shop, data, killed, mayKill, validator }
}

/** Orders one of each scenario, and asks for each twice. */
async function orderAll({ home, shop }: Awaited<ReturnType<typeof open>>) {
  const { data: scenarios } = await home.client.sandbox.listScenarios()
  const names = scenarios.map(({ name }) => name)
  // It parks the connection of all others, so it comes after them.
  const last = 'credentials_invalid'
  for (const name of names.filter((one) => one !== last)) await place(home, shop, name)
  return { names, last }
}

async function place(home: Service, shop: { order(body: object): Promise<number> }, name: string) {
  const { workspace_id, courier_connection_id, external_reference, ...shipment } = home.bodyOf(name)
  const order = { id: name, shipment: { ...shipment, metadata: { sandbox_scenario: name } } }
  for (let times = 0; times < 2; times++) await shop.order(order)
}

async function shipAll(t: Test, example: Example) {
  const opened = await open(t, example)
  const { home, shop, killed, mayKill } = opened
  const { names, last } = await orderAll(opened)
  const early = names.filter((name) => name !== last)
  await eventually(
    () => killed.size,
    (count) => count >= early.length,
  )
  mayKill.now = false
  await concluded(home, shop, early)
  await place(home, shop, last)
  await eventually(
    () => shop.read(last),
    ({ action }) => action === 'person',
  )
  const credentials = { username: 'sandbox', password: 'renewed' }
  await home.client.courierConnections.update({ id: home.seeded.connectionId, credentials })
  await place(home, shop, last)
  await concluded(home, shop, [last])
  return { ...opened, names }
}

/** Moves the clock until every order has ended; a person decides what reconciliation cannot. */
async function concluded(
  home: Service,
  shop: { read(id: string): Promise<ShopOrder> },
  names: readonly string[],
) {
  for (let rounds = 1; rounds <= roundsMax; rounds++) {
    await home.advance(rounds < 12 ? 'PT5M' : 'PT4H')
    await decide(home)
    const orders = await Promise.all(names.map((name) => shop.read(name)))
    if (orders.every(({ due }) => due === 0)) return
    await delay(100)
  }
  throw new Error('The orders have not ended.')
}

async function decide(home: Service) {
  const { data } = await home.client.operations.list({ status: 'needs_review' })
  for (const { id, looks } of data) {
    const guide = looks.flatMap(({ guide_numbers: guides }) => guides)[0]
    if (guide === undefined) continue
    await home.call(`/v1/operations/${id}/resolve`, {
      key: home.seeded.operatorKey,
      body: { decision: 'guide_exists', guide_number: guide, note: 'the first of two' },
    })
  }
}

async function compare(t: Test, { home, shop, data, names }: Awaited<ReturnType<typeof shipAll>>) {
  for (const name of names) {
    const query = { workspace_id: home.seeded.workspaceId, external_reference: name }
    const { order, shipments, ours } = await eventually(
      async () => {
        const [order, { data }] = await Promise.all([
          shop.read(name),
          home.client.shipments.list(query),
        ])
        const ours = data.find(({ idempotency_key: of }) => of === order.key)
        return { order, shipments: data, ours }
      },
      // Not every change of a shipment is told by a webhook, but every new status is.
      ({ order: { shipment }, ours }) =>
        shipment?.status === ours?.status && shipment?.tracking.status === ours?.tracking.status,
    )
    t.equal(order.shipment?.id, ours?.id, `${name}: the shipment of its key`)
    t.equal(order.shipment?.guide_number, ours?.guide_number, `${name}: its guide`)
    t.ok(Number(order.shipment?.version) <= Number(ours?.version))
    const guides = shipments.flatMap(({ id }) => home.record.guidesOf(id))
    const needed = withoutGuide[name]
    t.equal(order.action, needed ?? null, `${name}: what the shop still has to do`)
    // The courier itself creates two guides in this scenario.
    const expected = name === 'duplicate_guides' ? 2 : needed === undefined ? 1 : 0
    t.equal(guides.length, expected, `${name}: guides at the courier`)
    t.equal(shipments.length, order.attempt, `${name}: attempts`)
    t.equal(order.label, needed === undefined, `${name}: has its label`)
    const label = join(data, 'labels', `${name}.pdf`)
    t.equal(existsSync(label) && readFileSync(label).includes('%PDF'), needed === undefined)
  }
}

for (const [language, example] of Object.entries({ typescript, python })) {
  const skip = language === 'python' && withoutPython()
  t.test(
    `the shop in ${language} ships every scenario once, killed for each order`,
    { skip },
    async (t) => {
      const shipped = await shipAll(t, example)
      t.equal(shipped.shop.starts(), shipped.killed.size + 1)
      await compare(t, shipped)
      t.equal(shipped.shop.troubles(), '')
      t.same(await shipped.validator.violations(), [], 'the shop keeps to the document')
    },
  )

  t.test(`the shop in ${language} is short`, { skip }, async (t) => {
    const text = readFileSync(join(folder, example.file), 'utf8')
    const code = text.replaceAll(/"""[\s\S]*?"""/g, '').split('\n')
    const own = code.filter((line) => !/^\s*($|\/\/|\/?\*|#)/.test(line))
    t.ok(own.length > 50 && own.length <= example.linesMax, `${own.length} lines`)
    if (language === 'typescript') t.match(guide, `in ${own.length} lines`)
  })
}
