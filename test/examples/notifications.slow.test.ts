import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { freePort } from '../../src/service/embedded-postgres/postmaster.ts'
import { eventually } from '../support/eventually.ts'
import { forwardingProxy } from '../support/forwarding-proxy.ts'
import { leanNode, withoutPython } from '../support/run-process.ts'
import { type Service, service } from '../support/service.ts'
import { type AcceptedMail, smtpRelay } from '../support/smtp-relay.ts'
import { projectRoot } from '../support/source-files.ts'
import { supervisedShop } from '../support/supervised-shop.ts'

const folder = join(projectRoot, 'docs', 'examples', 'notifications')
const texts = JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8')) as Record<
  'en' | 'es',
  Record<string, readonly [string, string, string?]>
>
const guide = readFileSync(join(projectRoot, 'docs', 'guides', 'notifications.md'), 'utf8')
const examples = {
  typescript: {
    file: 'notify.ts',
    command: process.execPath,
    arguments: [...leanNode, join(folder, 'notify.ts')],
  },
  python: { file: 'notify.py', command: 'python3', arguments: ['-B', join(folder, 'notify.py')] },
}
type Example = (typeof examples)['typescript']
/** Statuses of the scenario `happy_path` that are told to the recipient. */
const told = ['received_at_origin', 'in_transit', 'ready_for_pickup', 'delivered']
/** The first journey of the scenario lasts 30 hours. */
const hoursMax = 48
const linesMax = 20
const pageOf = /^http:\/\/127\.0\.0\.1:3000\/t\/[0-9A-Za-z]{46}$/m
const refused = ['gone@example.com', 'ñandú@example.com']
/** Orders whose recipients cannot be told: addresses that are refused for good, or are absent. */
const untold = {
  'order-gone': refused[0],
  'order-foreign': refused[1],
  'order-odd': 'eva <',
  'order-silent': null,
}
/** The last one is in no table of the shop. */
const orders = ['order-es', 'order-en', ...Object.keys(untold), 'order-of-another-program']

type Kill = { readonly status: string; readonly when: 'before_mail' | 'in_mail' | 'after_mail' }

async function open(t: Test, example: Example, kills: readonly Kill[]) {
  const home = await service(t)
  const data = mkdtempSync(join(tmpdir(), 'example-notifications-'))
  t.teardown(async () => rmSync(data, { recursive: true, force: true }))
  const database = new DatabaseSync(join(data, 'shop.db'))
  database.exec('CREATE TABLE orders (id TEXT PRIMARY KEY, email TEXT, language TEXT)')
  const add = database.prepare('INSERT INTO orders VALUES (?, ?, ?)')
  add.run('order-es', 'ana@example.com', 'es')
  add.run('order-en', 'ben@example.com', 'en')
  for (const [order, email] of Object.entries(untold)) add.run(order, email ?? null, 'es')
  database.close()
  const port = await freePort()
  const { workspaceId } = home.seeded
  const endpoint = await home.client.webhookEndpoints.create({
    workspace_id: workspaceId,
    url: `http://127.0.0.1:${port}/webhooks`,
    event_types: ['tracking.*'],
  })
  const left = [...kills]
  const killed: Kill[] = []
  /** Kills the shop if that is next for this status; each kill happens once. */
  const killAt = (when: Kill['when'], isIts: (status: string) => boolean): boolean => {
    const at = left.findIndex((kill) => kill.when === when && isIts(kill.status))
    const [kill] = at === -1 ? [] : left.splice(at, 1)
    if (kill === undefined) return false
    killed.push(kill)
    shop.kill()
    return true
  }
  const isCutOff = ({ id }: AcceptedMail) => {
    const isIts = (status: string) => id.includes(`.${status}@`)
    // The relay has accepted the last one, but the shop is killed before it hears so.
    killAt('after_mail', isIts)
    return killAt('in_mail', isIts)
  }
  const relay = await smtpRelay(t, isCutOff, refused)
  const url = await forwardingProxy(t, home.url, {
    held: async (path) => {
      const [, id] = /^\/v1\/shipments\/(shp_\w+)$/.exec(path) ?? []
      if (id === undefined) return
      const now = (await home.client.tracking.get({ id })).status
      killAt('before_mail', (status) => status === now)
    },
  })
  const shop = supervisedShop(t, {
    ...example,
    port,
    env: {
      SHIPPING_LEDGER_URL: url,
      SHIPPING_LEDGER_KEY: home.seeded.shopKey,
      WEBHOOK_SECRET: String(endpoint.secret),
      SHOP_DB: join(data, 'shop.db'),
      SMTP_PORT: String(relay.port),
      PYTHONPATH: join(projectRoot, 'src', 'client-python'),
    },
  })
  /**
   * Waits until the recipients know the status of each parcel, and no webhook is left. An advance
   * takes a webhook that found no shop through its retries within seconds, and so to its next one.
   */
  const settled = () =>
    eventually(
      async () => {
        await eventually(
          () => fetch(shop.url).catch(() => null),
          (answer) => answer !== null,
        )
        const { data } = await home.client.webhookDeliveries.list({ state: 'pending' })
        if (data.length > 0) await home.advance('PT3M')
        let unknown = data.length
        for (const { id, status } of await parcelsOf(home, 'order-es', 'order-en')) {
          const isTold = relay.accepted.some((mail) => mail.id.includes(`${id}.${status}@`))
          if (told.includes(status) && !isTold) unknown++
        }
        return unknown
      },
      (unknown) => unknown === 0,
    )
  return { home, relay, shop, settled, killed, left }
}

/** The parcels of these orders. */
async function parcelsOf({ client }: Service, ...orders: readonly string[]) {
  const parcels: { readonly id: string; readonly status: string }[] = []
  for (const order of orders) {
    for await (const { id } of client.shipments.list({ external_reference: order })) {
      parcels.push({ id, status: String((await client.tracking.get({ id })).status) })
    }
  }
  return parcels
}

async function pickupCodeOf({ client }: Service, order: string): Promise<string> {
  const { data } = await client.shipments.list({ external_reference: order })
  const { pickup_code: code } = await client.shipments.get({ id: String(data[0]?.id) })
  if (code === null) throw new Error('there is no code')
  return code
}

/** Ships the orders, and moves the clock hour by hour until both parcels are delivered. */
async function deliverAll(t: Test, example: Example, kills: readonly Kill[]) {
  const opened = await open(t, example, kills)
  const { home, settled } = opened
  for (const order of orders) {
    t.equal((await home.create(order)).status, 201)
  }
  for (let hour = 1; hour <= hoursMax; hour++) {
    await home.advance('PT1H')
    await settled()
    const parcels = await parcelsOf(home, ...orders)
    if (parcels.every(({ status }) => status === 'delivered')) break
  }
  await settled()
  return opened
}

const idsOf = (mails: readonly AcceptedMail[], to: string) =>
  mails.filter((mail) => mail.to === to).map(({ id }) => id)

for (const [language, example] of Object.entries(examples)) {
  const skip = language === 'python' && withoutPython()
  t.test(
    `a recipient gets one e-mail for each status from ${language}, also if it is killed`,
    { skip },
    async (t) => {
      const { home, relay, shop, settled, left } = await deliverAll(t, example, [
        { status: 'received_at_origin', when: 'in_mail' },
        { status: 'in_transit', when: 'before_mail' },
        { status: 'ready_for_pickup', when: 'in_mail' },
      ])
      t.same(left, [], 'it was killed each time')
      t.ok(shop.starts() > 3)
      const { accepted } = relay
      const codes = new Map([
        ['ana@example.com', await pickupCodeOf(home, 'order-es')],
        ['ben@example.com', await pickupCodeOf(home, 'order-en')],
      ])
      for (const [to, words] of [
        ['ana@example.com', texts.es],
        ['ben@example.com', texts.en],
      ] as const) {
        const mails = accepted.filter((mail) => mail.to === to)
        t.same(
          mails.map(({ subject }) => subject),
          told.map((status) => words[status]?.[0]),
        )
        for (const [at, status] of told.entries()) {
          t.ok(mails[at]?.text.startsWith(words[status]?.[1] ?? 'none'), status)
          t.match(mails[at]?.text, pageOf, 'with the link of the webhook')
          const code = `\n\n${words[status]?.[2]}${codes.get(to)}\n\n`
          t.equal(mails[at]?.text.includes(code), status === 'ready_for_pickup', 'and the code')
        }
      }
      t.equal(accepted.length, 2 * told.length, 'and no other order is told of')
      t.match(shop.troubles(), /shp_\w+\.delivered: /, 'staff see who was not told')
      t.notMatch(shop.troubles(), refused[0])
      const attempts = relay.refused.length
      for await (const { id } of home.client.webhookDeliveries.list({ limit: 100 })) {
        await home.client.webhookDeliveries.redeliver({ id })
      }
      await settled()
      t.equal(accepted.length, 2 * told.length, 'each webhook came twice, and no e-mail')
      t.equal(relay.refused.length, attempts, 'and no refused address is tried again')
    },
  )

  t.test(
    `an e-mail of ${language} that may have been sent is sent again as the same e-mail`,
    { skip },
    async (t) => {
      const { relay, left } = await deliverAll(t, example, [
        { status: 'delivered', when: 'after_mail' },
      ])
      t.same(left, [])
      await eventually(
        () => relay.accepted.length,
        (mails) => mails > 2 * told.length,
      )
      const ids = [
        ...idsOf(relay.accepted, 'ana@example.com'),
        ...idsOf(relay.accepted, 'ben@example.com'),
      ]
      t.equal(new Set(ids).size, 2 * told.length)
      t.equal(ids.length, 2 * told.length + 1, 'one copy more, with the same Message-ID')
    },
  )

  t.test(`the own logic of ${language} has twenty lines`, async (t) => {
    const text = readFileSync(join(folder, example.file), 'utf8')
    const [, logic = ''] = text.split("The shop's own logic.")
    const lines = logic.split('\n').filter((line) => !/^\s*($|\/\/|#)/.test(line))
    t.ok(lines.length > 10 && lines.length <= linesMax, `${lines.length} lines`)
  })
}

t.test('the guide has every status that is told, in both languages', async (t) => {
  t.same(Object.keys(texts.es), Object.keys(texts.en))
  for (const status of Object.keys(texts.en)) t.match(guide, `| \`${status}\` |`)
  for (const status of told) t.ok(status in texts.en)
})
