// A complete connector: translates the courier connector protocol into one courier's own API.
//   COURIER_URL=http://127.0.0.1:4100 CONNECTOR_TOKEN=secret node connector.ts 4000

import { createServer, type IncomingMessage } from 'node:http'

const courierUrl = process.env.COURIER_URL ?? 'http://127.0.0.1:4100'
const token = process.env.CONNECTOR_TOKEN
/** The ledger gives up after 10 s, so the courier gets less. */
const courierMs = 8_000
const bodyMax = 96 * 1024
const currency = 'PEN'

// biome-ignore lint/suspicious/noExplicitAny: both sides are JSON, and each field is used once
type Json = any
type Answer = { readonly status: number; readonly body: object | Uint8Array }

const success = (body = {}): Answer => ({ status: 200, body: { success: true, ...body } })
/** Understood, and certainly not executed. */
const refusal = (code: string, more: object = {}, status = 200): Answer => ({
  status,
  body: { success: false, code, ...more },
})
const tooLate = refusal('too_late', { executed: false }, 412)

/** The courier's refusals, by our codes. A code that is not here is `refused_by_courier`. */
const refusals: Readonly<Record<string, string>> = {
  BAD_OFFICE: 'unknown_agency',
  BAD_BOX: 'unknown_package_product',
  TOO_HEAVY: 'package_exceeds_product',
  NO_ORDER: 'guide_not_found',
}

const refused = (answer: Answer) => Object.assign(new Error('refused'), { answer })
/** Only after these calls it may be unknown what the courier did: a plain error, which is 500. */
const executing = new Set(['place', 'void'])
async function courier(path: string, body: object = {}, key = ''): Promise<Json> {
  const response = await fetch(`${courierUrl}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(courierMs),
  }).catch((error) => unanswered(path, error))
  if (response.headers.get('content-type') === 'application/pdf') {
    return new Uint8Array(await response.arrayBuffer())
  }
  const answer: Json = await response.json().catch((error) => unanswered(path, error))
  if (response.ok) return answer
  if (response.status === 403) throw refused(refusal('credentials_refused', {}, 401))
  const isRefusal = response.status === 404 || response.status === 422
  if (isRefusal) throw refused(refusal(refusals[answer.error] ?? 'refused_by_courier'))
  return unanswered(path, new Error(`the courier answered ${response.status}`))
}

function unanswered(path: string, error: unknown): never {
  throw executing.has(path) ? error : refused(refusal('courier_unavailable', {}, 429))
}

/** The courier's own order, if it is under this reference. */
async function ownOrder({ client_reference, guide_number }: Json, key: string): Promise<Json> {
  const { orders } = await courier('search', { ref: client_reference }, key)
  const own = orders.find(({ order }: Json) => order === guide_number)
  if (own === undefined) throw refused(refusal('guide_not_found'))
  return own
}

/** The amount to collect from the recipient, for which the courier charges. */
function collectOf({ cash_on_delivery: cash }: Json): number | undefined {
  if (cash === undefined || cash.currency === currency) return cash?.amount
  const message = `We collect ${currency} only.`
  throw refused(refusal('currency_not_accepted', { message }))
}
const parcelOf = ({ origin, destination, package: parcel, ...more }: Json) => ({
  from: origin.agency_code,
  to: destination.agency_code,
  sku: parcel.product_code,
  kilos: parcel.weight_kg * parcel.quantity,
  collect: collectOf(more),
})
const money = (amount: number) => ({ amount, currency })
const guideOf = ({ order: guide_number, pin: pickup_code, cents, state }: Json) => ({
  guide_number,
  pickup_code,
  price: money(cents),
  status: state === 'OPEN' ? 'active' : 'cancelled',
})
/** Ask just before the call that executes: nothing may be made after `not_after`. */
const isLate = ({ not_after }: Json) => Date.now() > Date.parse(not_after)
const base = { find: true, cancel: true, tracking: true, label: true, quote: true }
const capabilities = { ...base, cash_on_delivery: true, recipient_phone: true }
const credential_fields = [{ name: 'api_key', label: 'API key', secret: true, required: true }]
const description = { protocol: 'v1', name: 'Example courier', capabilities, credential_fields }
const service = { mode: 'terrestrial', payer: 'sender' }
const isOurs = ({ mode, payer }: Json) => mode === service.mode && payer === service.payer
const trackingCodes: Readonly<Record<string, string>> = { PLACED: 'registered' }

const routes: Readonly<Record<string, (body: Json, key: string) => Promise<Answer>>> = {
  'GET /': async () => ({ status: 200, body: description }),
  'GET /agencies': async () => {
    const { offices } = await courier('offices')
    const agencies = offices.map(
      ({ office: code, title: name, street: address, ...place }: Json) => {
        return { code, name, address, ...place, capabilities: ['drop_off', 'pickup'] }
      },
    )
    return success({ agencies })
  },
  'GET /package-products': async () => {
    const { boxes } = await courier('boxes')
    const package_products = boxes.map(({ sku: code, label: name, kilos, cm }: Json) => {
      const [max_length_m, max_width_m, max_height_m] = cm.map((length: number) => length / 100)
      return { code, name, max_weight_kg: kilos, max_length_m, max_width_m, max_height_m }
    })
    return success({ package_products })
  },
  'POST /credentials/verify': async (_, key) => success(await courier('account', {}, key)),
  'POST /quotes': async (body, key) => {
    const asked = body.service ?? service
    const unserved = { service: asked, reason: 'not_served', text: null }
    if (!isOurs(asked)) return success({ rates: [], errors: [unserved] })
    const { cents, days } = await courier('price', parcelOf(body), key)
    const transit_days = { min: days[0], max: days[1] }
    const breakdown = [{ code: 'freight', amount: cents }]
    const rates = [{ service, price: money(cents), breakdown, transit_days }]
    return success({ rates, errors: [] })
  },
  'POST /guides': async (body, key) => {
    if (!isOurs(body.service)) return refusal('unknown_service')
    const parcel = parcelOf(body)
    const { cents } = await courier('price', parcel, key)
    const quoted = body.quoted_amount ?? money(cents)
    if (quoted.amount !== cents || quoted.currency !== currency) {
      return refusal('quote_price_changed', { price: money(cents) })
    }
    const { first_name, last_name, document, phone: mobile } = body.recipient
    const contents = body.declared_content
    const to = { name: `${first_name} ${last_name}`, document, mobile, contents }
    if (isLate(body)) return tooLate
    const order = await courier('place', { ...parcel, ...to, ref: body.client_reference }, key)
    return success({ guide: guideOf(order) })
  },
  'POST /guides/find': async ({ client_reference: ref, include_cancelled: all = false }, key) => {
    if (typeof ref !== 'string') return refusal('invalid_request')
    const { orders } = await courier('search', { ref }, key)
    return success({
      guides: orders.filter(({ state }: Json) => all || state === 'OPEN').map(guideOf),
    })
  },
  'POST /guides/cancel': async (body, key) => {
    const { order } = await ownOrder(body, key)
    if (isLate(body)) return tooLate
    await courier('void', { order }, key)
    return success()
  },
  'POST /guides/tracking': async (body, key) => {
    const { order } = await ownOrder(body, key)
    const { scans } = await courier('history', { order }, key)
    const events = scans.map(({ what: text, when: occurred_at }: Json) => {
      const code = trackingCodes[text] ?? text.toLowerCase()
      return { id: null, code, occurred_at, agency_code: null, text, action_required: false }
    })
    return success({ eta: null, events })
  },
  'POST /guides/label': async (body, key) => {
    const { order } = await ownOrder(body, key)
    return { status: 200, body: await courier('label', { order }, key) }
  },
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > bodyMax) throw refused(refusal('invalid_request'))
  }
  return await new Response(text || '{}').json().catch(() => {
    throw refused(refusal('invalid_request'))
  })
}

async function answerTo(request: IncomingMessage): Promise<Answer> {
  if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
    return refusal('not_allowed', {}, 403)
  }
  const route = routes[`${request.method} ${request.url}`]
  const body = await bodyOf(request)
  return (await route?.(body, body.credentials?.api_key)) ?? refusal('invalid_request')
}

const server = createServer(async (request, response) => {
  const { status, body } = await answerTo(request).catch((error: Json): Answer => {
    // Log nothing of the request: it holds credentials and a person's data.
    if (error.answer === undefined) console.error(`${request.url}: ${error}`)
    return error.answer ?? { status: 500, body: { success: false } }
  })
  const isFile = body instanceof Uint8Array
  response.writeHead(status, { 'content-type': isFile ? 'application/pdf' : 'application/json' })
  response.end(isFile ? body : JSON.stringify(body))
})
const port = Number(process.argv[2] ?? 4_000)
server.listen(port, '127.0.0.1', () => console.log('connector ready', server.address()))
