import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { EventStore } from '../../src/service/event-store/event-store.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import { pageContent } from '../../src/service/http/recipient-page/page-content.ts'
import { peruDay } from '../../src/service/http/recipient-page/peru-time.ts'
import { nowhereAfterMs } from '../../src/service/http/recipient-page/recipient-page-routes.ts'
import { createApiKey, scopes } from '../../src/service/security/api-keys.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { type Service, service } from '../support/service.ts'

const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

type Opened = { readonly status: number; readonly headers: Headers; readonly text: string }

async function open(
  shop: { readonly url: string },
  trackingUrl: string,
  init: RequestInit = {},
): Promise<Opened> {
  const { pathname, search } = new URL(trackingUrl)
  const response = await fetch(`${shop.url}${pathname}${search}`, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const roll = (
  shop: Pick<Service, 'call'>,
  id: string,
  more: { key?: string; headers?: Record<string, string> } = {},
) => shop.call(`/v1/shipments/${id}/tracking-link/roll`, { method: 'POST', ...more })

async function keyOf(shop: Service, organizationId: string, more: object = {}): Promise<string> {
  const order = { organizationId, workspaceId: null, livemode: false, scopes, expiresAt: null }
  return (await createApiKey(shop.parts, { ...order, ...more }, by)).key
}

t.test(
  'a link opens at once, in answers, lists and webhooks alike, and follows the parcel',
  async (t) => {
    const shop = await service(t)
    const { body } = await shop.create('followed', { scenario: 'happy_path' })
    const link = body.tracking_url
    t.match(link, /^http:\/\/127\.0\.0\.1:3000\/t\/[0-9A-Za-z]{46}$/)
    const first = await open(shop, link)
    t.equal(first.status, 200)
    t.match(first.text, '<h1>La tienda registró su envío</h1>')
    t.match(first.text, 'Prueba: este paquete no existe.')
    const listed = async () => (await shop.call('/v1/shipments')).body.data[0]
    await eventually(listed, (found) => found?.tracking_url === link)
    const webhooks = () => shop.call(`/v1/events?shipment_id=${body.id}&type=shipment.created`)
    const sent = await eventually(webhooks, (found) => found.body.data.length === 1)
    t.equal(sent.body.data[0].data.object.tracking_url, link)
    t.equal(sent.body.data[0].previous.tracking_url, null)
    t.equal((await shop.call(`/v1/shipments/${body.id}?as_of=1`)).body.tracking_url, null)
    await shop.advance('P2D')
    const later = await open(shop, `${link}?lang=en`)
    t.match(later.text, /<h1>Your parcel was (collected|delivered)<\/h1>/)
    t.match(later.text, 'Received at the origin agency')
    for (const secret of [
      body.pickup_code,
      body.guide_number,
      'Ana',
      'Torres',
      '45678912',
      'Books',
    ]) {
      t.notOk(first.text.includes(secret), secret)
      t.notOk(later.text.includes(secret), secret)
    }
    const token = link.slice(-46)
    t.notOk(
      shop.logged.some((line) => line.includes(token)),
      'no line of the log has the token',
    )
    t.ok(shop.logged.some((line) => line.includes('"route":"/t/*"')))
    const metrics = await shop.parts.metrics.registry.metrics()
    t.notOk(metrics.includes(token))
  },
)

t.test(
  'a page is private to its link, cached for a minute, and in the language asked for',
  async (t) => {
    const shop = await service(t)
    const link = (await shop.create('headers')).body.tracking_url
    const { headers, text } = await open(shop, link, {
      headers: { 'accept-language': 'fr, en;q=0.5' },
    })
    t.equal(headers.get('cache-control'), 'private, max-age=60')
    t.equal(headers.get('referrer-policy'), 'no-referrer')
    t.equal(headers.get('x-robots-tag'), 'noindex, nofollow, noarchive')
    t.equal(headers.get('content-language'), 'en')
    t.equal(headers.get('vary'), 'accept-language')
    t.equal(headers.get('set-cookie'), null)
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? []
    const digest = createHash('sha256').update(style).digest('base64')
    const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    t.equal(headers.get('content-security-policy'), policy)
    t.match((await open(shop, link)).text, '<html lang="es">', 'recipients are in Peru')
    t.match((await open(shop, `${link}?lang=en`)).text, '<html lang="en">')
    t.match((await open(shop, `${link}?lang=xx`)).text, '<html lang="es">')
    const tag = headers.get('etag') ?? ''
    const known = { 'if-none-match': tag, 'accept-language': 'en' }
    t.equal((await open(shop, link, { headers: known })).status, 304)
    const head = await open(shop, link, { method: 'HEAD' })
    t.same([head.status, head.text], [200, ''])
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const refused = await open(shop, link, { method })
      t.same([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD'], method)
    }
  },
)

t.test('a rolled link leads nowhere at once, and its successor opens', async (t) => {
  const shop = await service(t)
  const { body } = await shop.create('rolled')
  t.equal((await open(shop, body.tracking_url)).status, 200)
  const rolled = await roll(shop, body.id, { headers: { 'idempotency-key': 'roll-1' } })
  t.equal(rolled.status, 200)
  t.equal(rolled.body.version, body.version + (await addedSince(shop, body)))
  t.not(rolled.body.tracking_url, body.tracking_url)
  const repeated = await roll(shop, body.id, { headers: { 'idempotency-key': 'roll-1' } })
  t.equal(repeated.headers.get('idempotent-replayed'), 'true')
  t.equal(repeated.body.tracking_url, rolled.body.tracking_url)
  t.equal((await open(shop, body.tracking_url)).status, 404)
  t.equal((await open(shop, rolled.body.tracking_url)).status, 200)
  const [event] = (await shop.events(body.id)).filter(({ type }) => type === 'TrackingLinkRolled')
  t.same(event?.data, { number: 1 })
  t.equal(event?.actor.type, 'api_key')
  const both = await Promise.all([roll(shop, body.id), roll(shop, body.id)])
  t.same(
    both.map(({ status }) => status),
    [200, 200],
  )
  const after = (await shop.call(`/v1/shipments/${body.id}`)).body.tracking_url
  t.equal((await open(shop, after)).status, 200)
})

async function addedSince(shop: Service, body: { id: string; version: number }): Promise<number> {
  return (await shop.events(body.id)).length - body.version
}

t.test('only the shop that owns a shipment rolls its link', async (t) => {
  const shop = await service(t)
  const { body } = await shop.create('own')
  const other = await createOrganization(shop.parts, { name: 'Other', type: 'external' }, by)
  const foreign = await roll(shop, body.id, { key: await keyOf(shop, other.id) })
  t.same([foreign.status, foreign.body.reason], [404, 'not_found'])
  const reader = await keyOf(shop, shop.seeded.organizationId, { scopes: ['shipments:read'] })
  t.same((await roll(shop, body.id, { key: reader })).body.reason, 'forbidden_scope')
  const elsewhere = await freshShop(shop, 'elsewhere')
  const narrow = await keyOf(shop, shop.seeded.organizationId, {
    workspaceId: elsewhere.seeded.workspaceId,
  })
  t.equal((await roll(shop, body.id, { key: narrow })).status, 404)
  const missing = await shop.create('refused', { scenario: 'courier_rejected' })
  const refused = await roll(shop, missing.body.shipment_id)
  t.same([refused.status, refused.body.reason], [409, 'shipment_has_no_guide'])
  t.equal((await open(shop, body.tracking_url)).status, 200, 'nothing changed')
})

t.test('a link ends with the erasure of its person', async (t) => {
  const shop = await service(t)
  const { body } = await shop.create('erased')
  const { body: spare } = await shop.create('spare')
  await open(shop, body.tracking_url)
  const erased = await shop.call(`/v1/shipments/${body.id}/erase-personal-data`, { method: 'POST' })
  t.equal(erased.body.tracking_url, null)
  const gone = await open(shop, `${body.tracking_url}?lang=en`)
  t.equal(gone.status, 410)
  t.equal(gone.headers.get('cache-control'), 'no-store')
  t.match(gone.text, 'This shipment is no longer shown')
  t.equal((await roll(shop, body.id)).body.reason, 'personal_data_erased')
  t.equal((await open(shop, spare.tracking_url)).status, 200)
})

t.test('whatever is no link gets the same answer in the same time', async (t) => {
  const shop = await service(t)
  const made = await Promise.all(['kept', 'rolled', 'erased', 'off'].map((key) => shop.create(key)))
  const [kept, rolled, erased, off] = made.map(({ body }) => body)
  await roll(shop, rolled.id)
  await shop.call(`/v1/shipments/${erased.id}/erase-personal-data`, { method: 'POST' })
  const alike = (link: string) => `${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}`
  const start = kept.tracking_url.slice(0, -46)
  const texts = ['x', 'a/b', 'z'.repeat(46), 'q'.repeat(2_000), '%00']
  const nowhere = [
    rolled.tracking_url,
    alike(kept.tracking_url),
    ...texts.map((text) => `${start}${text}`),
  ]
  const { store } = shop.parts
  const answers: string[] = []
  for (const link of nowhere) {
    const { status, text, headers } = await open(shop, link)
    t.equal(status, 404, link.slice(0, 80))
    const told = [...headers].filter(
      ([name]) => !['date', 'x-request-id', 'keep-alive'].includes(name),
    )
    answers.push(JSON.stringify({ text, told }))
  }
  t.equal(new Set(answers).size, 1)
  // A look-up that takes as long as this still does not show.
  const read = store.readStream.bind(store)
  store.readStream = async (...asked) => {
    await delay(nowhereAfterMs / 2)
    return read(...asked)
  }
  await shop.call(`/v1/workspaces/${shop.seeded.workspaceId}`, {
    method: 'PATCH',
    body: { tracking_page: { enabled: false } },
  })
  const links = [...nowhere.slice(0, 3), off.tracking_url, erased.tracking_url]
  const times = links.map((): number[] => [])
  for (let round = 0; round < 21; round++) {
    for (const [at, link] of links.entries()) {
      const began = performance.now()
      const { status } = await open(shop, link)
      times[at]?.push(performance.now() - began)
      t.ok(status === 404 || status === 410)
    }
  }
  // A busy machine only adds time.
  const fastest = times.map((some) => Math.min(...some))
  // A timer may be a millisecond early.
  t.ok(Math.min(...fastest) >= nowhereAfterMs - 1)
  const apart = Math.max(...fastest) - Math.min(...fastest)
  t.ok(apart < nowhereAfterMs / 4, `the fastest are ${apart} ms apart`)
})

t.test('a page costs one read of its stream, and when it is opened again no query', async (t) => {
  const shop = await service(t)
  const { body } = await shop.create('reloaded')
  const reads = countedReads(shop.parts.store)
  t.equal((await open(shop, body.tracking_url)).status, 200)
  t.equal(reads(), 1)
  const queries = await countedQueries(shop)
  t.equal((await open(shop, body.tracking_url)).status, 200)
  t.same([reads(), queries()], [2, 0])
})

/** Counts the streams that the pages read. */
function countedReads(store: EventStore): () => number {
  let reads = 0
  const read = store.readStream.bind(store)
  store.readStream = (...asked) => {
    reads += 1
    return read(...asked)
  }
  return () => reads
}

/** Counts the queries of workspaces, which only the pages of real links need. */
async function countedQueries({ parts }: Service): Promise<() => number> {
  let queries = 0
  const query = parts.db.selectFrom.bind(parts.db)
  parts.db.selectFrom = ((table: never) => {
    if (table === 'workspaces') queries += 1
    return query(table)
  }) as typeof parts.db.selectFrom
  return () => queries
}

t.test('a link opens with what a message added behind it', async (t) => {
  const shop = await service(t)
  const { body } = await shop.create('in-a-sentence')
  const { text } = await open(shop, body.tracking_url)
  for (const added of ['/', '.', ')', ',', ').', '.),']) {
    const opened = await open(shop, `${body.tracking_url}${added}`)
    t.same([opened.status, opened.text], [200, text], added)
  }
  for (const added of ['....', '/x', '.x']) {
    t.equal((await open(shop, `${body.tracking_url}${added}`)).status, 404, added)
  }
})

t.test('the day on which a parcel is expected is shown until it is over', async (t) => {
  const shop = await service(t)
  const { id, tracking_url: link } = (await shop.create('expected')).body
  await shop.advance('PT5H')
  t.match((await open(shop, link)).text, 'class="expected"')
  // The courier stops reporting a day that has passed, but does not take it back.
  const { state } = await loadShipment(shop.parts.store, id)
  if (state === null || state.tracking.eta === null) throw new Error('no day is expected')
  const { eta } = state.tracking
  const pageShop = { name: 'Shop', supportUrl: null, accent: null }
  const expectedAt = (now: number) =>
    pageContent(state, { shop: pageShop, agencies: new Map(), now }).expectedAt
  const midnight = Date.parse(`${peruDay(eta)}T24:00:00-05:00`)
  t.equal(expectedAt(midnight - 1), eta)
  t.equal(expectedAt(midnight), null)
})

t.test('an agency is named with its courier, not with the name of the connection', async (t) => {
  const shop = await service(t)
  const { connectionId } = shop.seeded
  await shop.call(`/v1/courier-connections/${connectionId}`, {
    method: 'PATCH',
    body: { display_name: 'Our secret tariff' },
  })
  const { body } = await shop.create('named-courier')
  const { text } = await open(shop, body.tracking_url)
  t.match(text, /<address><strong>[^<]+<\/strong>Simulated courier<br>/)
  t.notMatch(text, 'Our secret tariff')
})

t.test('a parcel that is held, missing or lost says so before anything else', async (t) => {
  const shop = await service(t)
  const held = (await shop.create('held', { scenario: 'delivery_exception' })).body.tracking_url
  const lost = (await shop.create('lost', { scenario: 'lost_parcel' })).body.tracking_url
  const titles = async () => {
    const opened = await Promise.all([held, lost].map((link) => open(shop, `${link}?lang=en`)))
    return opened.map(({ text }) => /<h1>(.*)<\/h1>/.exec(text)?.[1])
  }
  const onItsWay = 'Your parcel is on its way'
  await shop.advance('PT20H30M')
  t.same(await titles(), ['The courier is holding your parcel', onItsWay])
  const { text } = await open(shop, `${held}?lang=en`)
  t.match(text, 'Someone needs to act: ask the shop.')
  t.notMatch(text, /Your parcel is on its way|Wait until/)
  await shop.advance('PT31H')
  t.same(await titles(), ['Your parcel is ready to collect', onItsWay])
  await shop.advance('PT28H30M')
  t.same((await titles())[1], 'The courier is looking for your parcel')
  await shop.advance('P8D')
  t.same((await titles())[1], 'The courier cannot find your parcel')
})

t.test('a shop names itself on the page, or turns it off', async (t) => {
  const shop = await service(t)
  const { body } = await shop.create('named')
  const path = `/v1/workspaces/${shop.seeded.workspaceId}`
  const patch = (page: object) =>
    shop.call(path, { method: 'PATCH', body: { tracking_page: page } })
  const defaults = { enabled: true, shop_name: null, support_url: null, accent: null }
  t.same((await shop.call(path)).body.tracking_page, defaults)
  const named = { shop_name: 'Tienda <Norte>', support_url: 'tel:+5115551234', accent: '#1F6F54' }
  const changed = await patch(named)
  t.same(changed.body.tracking_page, { ...defaults, ...named, accent: '#1f6f54' })
  const { text } = await open(shop, body.tracking_url)
  t.match(text, 'Tienda &#60;Norte&#62;')
  t.match(text, 'href="tel:+5115551234"')
  t.match(text, '--accent:#1f6f54')
  const auditor = await keyOf(shop, shop.seeded.organizationId)
  const acts = await eventually(
    () => shop.call(`/v1/audit-events?action=WorkspaceChanged`, { key: auditor }),
    (answer) => answer.body.data.length === 1,
  )
  t.same(acts.body.data[0].changed_fields, [
    'tracking_page.shop_name',
    'tracking_page.support_url',
    'tracking_page.accent',
  ])
  t.notMatch(JSON.stringify(acts.body.data), 'Norte')
  t.equal((await patch({ shop_name: 'Tienda <Norte>' })).body.version, changed.body.version)
  const off = await patch({ enabled: false })
  t.equal(off.body.tracking_page.enabled, false)
  t.equal((await shop.call(`/v1/shipments/${body.id}`)).body.tracking_url, null)
  await patch({ enabled: true })
  t.equal((await shop.call(`/v1/shipments/${body.id}`)).body.tracking_url, body.tracking_url)
  const kept: readonly [string, string, string][] = [
    ['shop_name', ' ❤️ Cocina de Ana 👩‍🍳 ', '❤️ Cocina de Ana 👩‍🍳'],
    ['support_url', 'HTTPS://Shop.example/Help', 'https://Shop.example/Help'],
    [
      'support_url',
      'MAILTO:help+peru@shop.example?subject=Hi%20there',
      'mailto:help+peru@shop.example?subject=Hi%20there',
    ],
    ['support_url', 'Tel:+51-999-999-999', 'tel:+51-999-999-999'],
  ]
  for (const [field, given, stored] of kept) {
    const { body } = await patch({ [field]: given })
    t.equal(body.tracking_page[field], stored)
  }
  const told: readonly [string, RegExp][] = [
    ['tel:+51 999', /digits .* no spaces/],
    ['mailto:%e2%80%aemoc.elpmaxe@b.example', /one e-mail address as it is written/],
    ['mailto:a@b.example,c@d.example', /one e-mail address/],
    ['https://user:pass@shop.example', /user name or password/],
    ['https://shop example', /an https: address without spaces/],
    ['ftp://shop.example', /begins with https:, mailto: or tel:/],
  ]
  for (const [url, detail] of told) {
    const refused = await patch({ support_url: url })
    t.match(refused.body.errors, [{ pointer: '/tracking_page/support_url', detail }], url)
  }
  for (const name of ['Tienda\u200bNorte', 'Tienda\ufeffNorte', '\u3164', '\u2800', 'a\u00adb']) {
    const refused = await patch({ shop_name: name })
    t.match(refused.body.errors, [{ reason: 'invisible_text' }], JSON.stringify(name))
  }
  const wrong: readonly [string, unknown][] = [
    ['shop_name', ''],
    ['shop_name', 'x'.repeat(81)],
    ['support_url', 'javascript:alert(1)'],
    ['support_url', 'http://shop.example'],
    ['support_url', 'https://user:password@shop.example'],
    ['support_url', `https://shop.example/${'x'.repeat(500)}`],
    ['support_url', 'data:text/html,x'],
    ['accent', 'red'],
    ['accent', '#12345'],
    ['enabled', 'yes'],
    ['color', '#123456'],
  ]
  for (const [field, value] of wrong) {
    const refused = await patch({ [field]: value })
    t.equal(refused.status, 422, `${field} ${String(value).slice(0, 40)}`)
    t.match(refused.body.errors[0].pointer, `/tracking_page/${field}`)
  }
})

t.test('a new workspace may be created with its page, and turned off it has none', async (t) => {
  const shop = await service(t)
  const created = await shop.call('/v1/workspaces', {
    body: { name: 'Shop', external_reference: 'off', tracking_page: { enabled: false } },
  })
  t.equal(created.body.tracking_page.enabled, false)
  const own = await freshShop(shop, 'off')
  const { body } = await own.create('in-the-dark')
  t.equal(body.status, 'created')
  t.equal(body.tracking_url, null)
})

t.test(
  'the tracking and its webhooks have the link of their time, as the shipment does',
  async (t) => {
    const shop = await service(t)
    const { body } = await shop.create('tracked', { scenario: 'happy_path' })
    const refused = await shop.create('unshipped', { scenario: 'courier_rejected' })
    const trackingOf = async (id: string) => (await shop.call(`/v1/shipments/${id}/tracking`)).body
    t.equal((await trackingOf(body.id)).tracking_url, body.tracking_url)
    t.equal((await trackingOf(refused.body.shipment_id)).tracking_url, null, 'there is no guide')
    const enable = (enabled: boolean) =>
      shop.call(`/v1/workspaces/${shop.seeded.workspaceId}`, {
        method: 'PATCH',
        body: { tracking_page: { enabled } },
      })
    /** The links of the webhooks about the parcel's way, newest first, once there are new ones. */
    const linksAfter = async (by: string, known: number) => {
      await shop.advance(by)
      const read = () =>
        shop.call(`/v1/events?shipment_id=${body.id}&type=tracking.updated&limit=100`)
      const { data } = (await eventually(read, (found) => found.body.data.length > known)).body
      return data.map((each: { data: { object: { tracking_url: string | null } } }) => {
        t.ok('tracking_url' in each.data.object)
        return each.data.object.tracking_url
      })
    }
    const first = await linksAfter('PT2H', 0)
    t.same(new Set(first), new Set([body.tracking_url]))
    const rolled = (await roll(shop, body.id)).body.tracking_url
    t.equal((await trackingOf(body.id)).tracking_url, rolled)
    const second = await linksAfter('PT12H', first.length)
    t.equal(second[0], rolled, 'the link that works')
    t.same(second.slice(-first.length), first, 'what was sent stays as it was')
    await enable(false)
    t.equal((await trackingOf(body.id)).tracking_url, null)
    const third = await linksAfter('P1D', second.length)
    t.equal(third[0], null)
    await enable(true)
    await shop.call(`/v1/shipments/${body.id}/erase-personal-data`, { method: 'POST' })
    t.equal((await trackingOf(body.id)).tracking_url, null, 'the person is erased')
  },
)
