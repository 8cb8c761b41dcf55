import type { Dispatcher } from 'undici'
import { connector } from '../../src/service/couriers/connector.ts'
import type {
  CallContext,
  CancelGuide,
  Courier,
  CourierFailure,
  CreateGuide,
  FindGuides,
} from '../../src/service/couriers/courier.ts'
import { type OperationName, operations } from '../../src/service/couriers/protocol.ts'
import type { World } from './virtual-time.ts'

export type Guides = Pick<Courier, 'createGuide' | 'findGuides' | 'cancelGuide'>

type Handler = Dispatcher.DispatchHandler
type Answer = Awaited<ReturnType<Guides[keyof Guides]>>
type Body = {
  readonly credentials: CallContext['credentials']
  readonly client_reference: string
  readonly guide_number?: string
  readonly include_cancelled?: boolean
  readonly not_after: string
  readonly recipient?: { readonly document: string }
}

/**
 * The courier behind a server of the connector protocol: the service gets its answers as bytes,
 * late or cut off, and the adapter has to interpret them.
 */
export function overWire(world: World, courier: Guides, isWild: () => boolean): Guides {
  const server = { world, courier, isWild }
  const dispatch = (options: Dispatcher.DispatchOptions, handler: Handler) => {
    void serve(server, options, handler)
    return true
  }
  const dispatcher = { dispatch } as unknown as Dispatcher
  return connector({ baseUrl: 'http://courier.test', dispatcher })
}

type Server = {
  readonly world: World
  readonly courier: Guides
  /** Whether connections may fail. */
  readonly isWild: () => boolean
}

async function serve(
  { world, courier, isWild }: Server,
  { path, body }: Dispatcher.DispatchOptions,
  handler: Handler,
): Promise<void> {
  const line = controller()
  await world.sleep(world.between(0.5, 30))
  if (isWild() && world.happens(0.05)) {
    if (world.happens(0.5)) await world.sleep(3_000)
    handler.onResponseError?.(line, new Error('nobody listens'))
    return
  }
  handler.onRequestStart?.(line, {})
  if (line.aborted) return
  const name = nameOf(path)
  const answer = await asked(courier, name, JSON.parse(String(body)) as Body)
  if (line.aborted) return
  if (answer.kind === 'unknown' || answer.kind === 'not_sent') {
    if (answer.kind === 'not_sent' && answer.cause === 'too_late') send(handler, line, tooLate)
    else await breakOff(world, handler, line)
    return
  }
  send(handler, line, replyTo(answer))
}

function nameOf(path: string): OperationName {
  const found = Object.entries(operations).find((operation) => operation[1].path === path)
  if (found === undefined) throw new Error(`bug: the simulation has no courier at ${path}`)
  return found[0] as OperationName
}

async function asked(courier: Guides, name: OperationName, body: Body): Promise<Answer> {
  const { credentials, client_reference: clientReference } = body
  // A courier knows only its own clock.
  const notAfter = { at: new Date(body.not_after), endsAtMs: Number.POSITIVE_INFINITY }
  const guideNumber = body.guide_number as string
  const call = { credentials, clientReference, requestId: null, sandbox: null }
  switch (name) {
    case 'createGuide':
      return await courier.createGuide({
        ...call,
        notAfter,
        payload: { recipient: body.recipient },
      } as unknown as CreateGuide)
    case 'cancelGuide':
      return await courier.cancelGuide({ ...call, notAfter, guideNumber } as CancelGuide)
    default:
      return await courier.findGuides({
        ...call,
        includeCancelled: body.include_cancelled === true,
      } as FindGuides)
  }
}

type Reply = { readonly status: number; readonly body: object; readonly retryAfter?: number }

const tooLate: Reply = { status: 412, body: { success: false, code: 'too_late', executed: false } }

type DefiniteAnswer = Exclude<Answer, Extract<CourierFailure, { kind: 'unknown' | 'not_sent' }>>

function replyTo(answer: DefiniteAnswer): Reply {
  switch (answer.kind) {
    case 'created': {
      const { guideNumber, pickupCode, price } = answer.guide
      const guide = { guide_number: guideNumber, pickup_code: pickupCode, price }
      return { status: 201, body: { success: true, guide } }
    }
    case 'found': {
      const guides = answer.guides.map(({ guideNumber, pickupCode, price, status }) => ({
        guide_number: guideNumber,
        pickup_code: pickupCode,
        price,
        status,
      }))
      return { status: 200, body: { success: true, guides } }
    }
    case 'cancelled':
      return { status: 200, body: { success: true } }
    case 'unauthorized':
      return { status: 401, body: { success: false, code: 'unauthorized' } }
    case 'throttled': {
      const retryAfter = Math.ceil((answer.retryAfterMs ?? 0) / 1_000)
      return { status: 429, retryAfter, body: { success: false, code: 'throttled' } }
    }
    case 'rejected':
      return { status: 422, body: { success: false, code: 'no', message: answer.text } }
  }
}

type Line = Dispatcher.DispatchController & { aborted: boolean }

function send(handler: Handler, line: Line, { status, body, retryAfter }: Reply): void {
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  handler.onResponseStart?.(line, status, { 'content-type': 'application/json', ...wait })
  handler.onResponseData?.(line, Buffer.from(JSON.stringify(body)))
  handler.onResponseEnd?.(line, {})
}

/**
 * The call may have been executed, and its answer is lost: a reset, silence, an error page, or half
 * an answer.
 */
async function breakOff(world: World, handler: Handler, line: Line): Promise<void> {
  const kind = world.chance()
  if (kind < 0.3) handler.onResponseError?.(line, new Error('reset'))
  else if (kind < 0.5) send(handler, line, { status: 502, body: { error: 'bad gateway' } })
  else if (kind < 0.7) send(handler, line, { status: 200, body: { success: 'perhaps' } })
  else if (kind < 0.8) {
    handler.onResponseStart?.(line, 201, { 'content-type': 'application/json' })
    handler.onResponseData?.(line, Buffer.from('{"success":true,"gui'))
    await world.sleep(world.between(1, 2_000))
    if (!line.aborted) handler.onResponseError?.(line, new Error('reset'))
  }
}

function controller(): Line {
  const line = {
    aborted: false,
    paused: false,
    reason: null as Error | null,
    abort(reason: Error) {
      line.aborted = true
      line.reason = reason
    },
    pause: () => {},
    resume: () => {},
  }
  return line as Line
}
