import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { operations } from '../../../src/service/couriers/protocol.ts'
import { agencyAt, box, refusal, success } from '../../support/connector-replies.ts'
import { portOf } from './ports.ts'

type CourierGuide = {
  readonly guideNumber: string
  /** The ledger's reference, and the parcel's declared content, which names the shop's order. */
  readonly reference: string
  readonly order: string
  /** Null for a guide that nobody asked for. */
  readonly recipient: object | null
  readonly at: number
  status: 'active' | 'cancelled'
}

export type CourierCall = {
  readonly route: 'create' | 'find' | 'cancel' | 'other'
  readonly reference: string
  /** When it arrived and when its answer was sent, by `performance.now()`; null if unanswered. */
  readonly at: number
  answeredAt: number | null
}

/** A courier with a connector of its own that records every call and every guide. */
export type RecordingCourier = {
  readonly url: string
  readonly calls: readonly CourierCall[]
  readonly guides: readonly CourierGuide[]
  /** How long it takes to answer a call after executing it. */
  answerAfterMs: () => number
  /** Whether it can be queried for guides, as it declares at registration. */
  canFind: boolean
  /** Adds a guide that no client requested. */
  plant(guide: Pick<CourierGuide, 'guideNumber' | 'reference' | 'order'>): void
  /** Refuses connections until `back`. */
  away(): Promise<void>
  back(): Promise<void>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of several routes, each field used once
type Body = any

const places = ['Lima', 'Cusco', 'Piura']
const agencies = places.map((name, number) => agencyAt(`A${number}`, name))
const service = { mode: 'terrestrial', payer: 'sender' }
const price = { amount: 1_000, currency: 'PEN' }
const kinds: Readonly<Record<string, CourierCall['route']>> = {
  [operations.createGuide.path]: 'create',
  [operations.findGuides.path]: 'find',
  [operations.cancelGuide.path]: 'cancel',
}

export async function recordingCourier(): Promise<RecordingCourier> {
  const calls: CourierCall[] = []
  const guides: CourierGuide[] = []
  const open = new Set<Socket>()
  const shown = ({ guideNumber, status }: CourierGuide) => ({
    guide_number: guideNumber,
    pickup_code: null,
    price,
    status,
  })
  const isLate = ({ not_after }: Body) => Date.now() > Date.parse(not_after)
  const tooLate = { status: 412, body: { success: false, code: 'too_late', executed: false } }
  const ownGuide = ({ client_reference, guide_number }: Body) =>
    guides.find(
      (guide) => guide.reference === client_reference && guide.guideNumber === guide_number,
    )
  const routes: Readonly<Record<string, (body: Body) => { status: number; body: object }>> = {
    [operations.describe.path]: () => ({
      status: 200,
      body: {
        protocol: 'v1',
        name: 'Recording courier',
        capabilities: {
          find: courier.canFind,
          cancel: true,
          tracking: true,
          label: true,
          quote: true,
        },
      },
    }),
    [operations.agencies.path]: () => success({ agencies }),
    [operations.packageProducts.path]: () => success({ package_products: [box] }),
    [operations.verifyCredentials.path]: () => success(),
    [operations.quote.path]: () =>
      success({
        rates: [{ service, price, breakdown: [], transit_days: { min: 1, max: 2 } }],
        errors: [],
      }),
    [operations.createGuide.path]: (body) => {
      if (isLate(body)) return tooLate
      const guide: CourierGuide = {
        guideNumber: `R${String(guides.length + 1).padStart(8, '0')}`,
        reference: body.client_reference,
        order: body.declared_content,
        recipient: body.recipient,
        at: performance.now(),
        status: 'active',
      }
      guides.push(guide)
      return success({ guide: shown(guide) })
    },
    [operations.findGuides.path]: (body) => {
      if (!courier.canFind) return refusal('invalid_request')
      const found = guides.filter(
        (guide) =>
          guide.reference === body.client_reference &&
          (body.guide_number === undefined || guide.guideNumber === body.guide_number) &&
          (body.include_cancelled === true || guide.status === 'active'),
      )
      return success({ guides: found.map(shown) })
    },
    [operations.cancelGuide.path]: (body) => {
      if (isLate(body)) return tooLate
      const guide = ownGuide(body)
      if (guide === undefined) return refusal('guide_not_found')
      guide.status = 'cancelled'
      return success()
    },
    [operations.track.path]: (body) =>
      ownGuide(body) === undefined
        ? refusal('guide_not_found')
        : success({ eta: null, events: [] }),
    [operations.label.path]: () => refusal('label_not_ready', 409),
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    const body: Body = request.method === 'POST' ? await json(request) : {}
    const route = kinds[path] ?? 'other'
    const { client_reference: reference = '' } = body
    const call: CourierCall = { route, reference, at: performance.now(), answeredAt: null }
    calls.push(call)
    const said = routes[path]?.(body) ?? refusal('invalid_request')
    if (route !== 'other') await delay(courier.answerAfterMs())
    response.writeHead(said.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(said.body))
    call.answeredAt = performance.now()
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const port = portOf(server)
  const stop = async () => {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of open) socket.destroy()
    await closed
  }
  const courier: RecordingCourier = {
    url: `http://127.0.0.1:${port}`,
    calls,
    guides,
    answerAfterMs: () => 0,
    canFind: true,
    plant: (guide) =>
      void guides.push({ ...guide, recipient: null, at: performance.now(), status: 'active' }),
    away: stop,
    back: () => listen(port),
    close: stop,
  }
  return courier
}
