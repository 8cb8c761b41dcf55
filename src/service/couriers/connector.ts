import { type Dispatcher, Pool } from 'undici'
import { FairSemaphore, type FairSemaphoreLimits } from '../fair-semaphore.ts'
import {
  failureOf,
  foundGuideOf,
  guideOf,
  isPdf,
  read,
  readList,
  trackedOf,
} from './connector-answers.ts'
import {
  contextBody,
  createBody,
  createGuideBody,
  guideBody,
  quoteBody,
} from './connector-bodies.ts'
import type {
  CallContext,
  CatalogueAnswer,
  Courier,
  CourierDescription,
  CourierExchange,
  CredentialField,
  FindGuides,
  FindGuidesAnswer,
  InvoiceAnswer,
  NativeAgency,
  NativePackageProduct,
} from './courier.ts'
import { courierTimes } from './courier.ts'
import { courierExchange, requestBody } from './courier-exchange.ts'
import { shortened } from './courier-text.ts'
import type { Deadline } from './deadline.ts'
import { type ExchangeResult, exchange } from './exchange.ts'
import { lists, type OperationName, operations, tolerantAnswers } from './protocol.ts'
import { connectorLimits } from './protocol-codes.ts'

export type ConnectorOptions = {
  /** Where the connector serves the protocol, with or without a path prefix. */
  readonly baseUrl: string
  /**
   * The connector's own token, sent as `Authorization: Bearer`. Not a credential of the courier
   * account.
   */
  readonly token?: string
  /** Default: a pool of the connector's own. It must not retry. */
  readonly dispatcher?: Dispatcher
  readonly callMs?: number
  readonly connectMs?: number
  /** Called after each request, for the metrics. It must not throw. */
  readonly onCall?: ((made: ConnectorCall) => void) | undefined
  /** The running span's `traceparent`, sent with each request; null without a span. */
  readonly traceparent?: (() => string | null) | undefined
}

/** `outcome`: a class of status codes such as `2xx`, `lost` or `not_sent`. */
export type ConnectorCall = {
  readonly operation: OperationName
  readonly outcome: string
  readonly seconds: number
}

export type Connector = Courier & {
  /** Aborts calls in flight (their outcome is then unknown) and releases the sockets. */
  close(): Promise<void>
}

/** Sockets to one connector: more would only move the queue to the courier. */
const connectionsMax = 64
/**
 * Each call in flight has a socket. One organization can use most of the sockets, but never all,
 * and at most half of the queue: 15 waiting calls for each socket are 10 s of calls.
 */
const callLimits: FairSemaphoreLimits = {
  atOnceMax: connectionsMax,
  ofOrganizationMax: 48,
  waitingMax: 960,
  ofOrganizationWaitingMax: 480,
  waitMs: courierTimes.callMs,
}
/** Calls for a courier's catalogue and capabilities belong to no organization. */
const ofNoOrganization = ''

type Send = {
  readonly organizationId: string
  readonly notAfter?: Deadline
  readonly answerByMs?: number | undefined
  readonly requestId?: string | null
  readonly bodyBytesMax?: number
  readonly body?: object
}

const notSent: ExchangeResult = { kind: 'not_sent', cause: 'unreachable' }

/** A courier behind a server of the connector protocol. It never retries and never throws. */
export function connector(options: ConnectorOptions): Connector {
  const base = new URL(options.baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  const callMs = options.callMs ?? courierTimes.callMs
  const pool = options.dispatcher ?? poolFor(base.origin, options)
  let isClosed = false
  const semaphore = new FairSemaphore(callLimits, () => new Error('too many calls of one courier'))

  const send = async (operation: OperationName, what: Send): Promise<ExchangeResult> => {
    const { method, path } = operations[operation]
    const limits = [what.notAfter?.endsAtMs, what.answerByMs].filter((end) => end !== undefined)
    const endsAtMs = Math.min(performance.now() + callMs, ...limits)
    const wait = { waitMs: endsAtMs - performance.now() }
    const end = await semaphore.acquire(what.organizationId, wait).catch(() => null)
    if (end === null) return notSent
    if (isClosed) {
      end()
      return notSent
    }
    const startedAt = performance.now()
    try {
      const sent = await exchange(pool, {
        origin: base.origin,
        method,
        path: prefix + path,
        headers: headersOf(options, what),
        body: what.body === undefined ? null : JSON.stringify(what.body),
        bodyBytesMax: what.bodyBytesMax ?? connectorLimits.bodyBytesMax,
        notAfter: what.notAfter ?? null,
        endsAtMs,
      })
      const outcome = sent.kind === 'answered' ? `${Math.floor(sent.status / 100)}xx` : sent.kind
      options.onCall?.({ operation, outcome, seconds: (performance.now() - startedAt) / 1_000 })
      return sent
    } finally {
      end()
    }
  }

  const close = async () => {
    isClosed = true
    // A dispatcher that was passed in belongs to the caller.
    if (options.dispatcher === undefined) await pool.destroy()
  }
  let fields: readonly CredentialField[] | null = null
  return {
    ...guideCalls(send, () => fields),
    ...accountCalls(send),
    async describe() {
      const description = await describe(send)
      if (description !== null) fields = description.credentialFields
      return description
    },
    close,
  }
}

function poolFor(origin: string, options: ConnectorOptions): Pool {
  return new Pool(origin, {
    connections: connectionsMax,
    pipelining: 1,
    connectTimeout: options.connectMs ?? courierTimes.connectMs,
    maxHeaderSize: connectorLimits.headerBytesMax,
    // HTTP/2 would share one socket among calls, and one reset would lose many answers.
    allowH2: false,
  })
}

/** What the courier asks for, as it last said; `null` before that. */
type KnownFields = () => readonly CredentialField[] | null

type ReportedCall = {
  readonly fields: KnownFields
  readonly name: CourierExchange['call']
  readonly call: CallContext
  readonly body: object
}

/** Sends one request and calls `onExchange` before it returns. */
async function reported<Answer extends { readonly kind: string }>(
  { fields, name, call, body }: ReportedCall,
  ask: () => Promise<ExchangeResult>,
  meaning: (sent: ExchangeResult) => Answer,
): Promise<Answer> {
  const startedAt = performance.now()
  const sent = await ask()
  const latencyMs = performance.now() - startedAt
  const answer = meaning(sent)
  const about = { name, call, credentialFields: fields(), body, sent, answer, latencyMs }
  call.onExchange?.(courierExchange(about))
  return answer
}

type Sender = (operation: OperationName, what: Send) => Promise<ExchangeResult>

function guideCalls(
  send: Sender,
  fields: KnownFields,
): Pick<
  Courier,
  'createGuide' | 'createGuideBody' | 'findGuides' | 'cancelGuide' | 'track' | 'label'
> {
  return {
    createGuide(call) {
      const body = createBody(call)
      return reported(
        { fields, name: 'create', call, body },
        () => send('createGuide', { ...context(call), notAfter: call.notAfter, body }),
        (sent) =>
          read(sent, tolerantAnswers.createGuide, ({ guide }) => ({
            kind: 'created' as const,
            guide: guideOf(guide),
          })),
      )
    },
    createGuideBody(call) {
      return requestBody(createGuideBody(call))
    },
    findGuides: (call) => findGuides(send, fields, call),
    async cancelGuide(call) {
      const body = { ...guideBody(call), not_after: call.notAfter.at.toISOString() }
      return await reported(
        { fields, name: 'cancel', call, body },
        () => send('cancelGuide', { ...context(call), notAfter: call.notAfter, body }),
        (sent) => read(sent, tolerantAnswers.cancelGuide, () => ({ kind: 'cancelled' as const })),
      )
    },
    async track(call) {
      const sent = await send('track', { ...context(call), body: guideBody(call) })
      return read(sent, tolerantAnswers.track, trackedOf)
    },
    async label(call) {
      const sent = await send('label', {
        ...context(call),
        body: { ...guideBody(call), size: call.size },
        bodyBytesMax: connectorLimits.labelBytesMax,
      })
      if (sent.kind === 'answered' && sent.status === 202) return { kind: 'not_ready' }
      if (sent.kind === 'answered' && sent.status === 200) {
        if (!isPdf(sent)) return { kind: 'not_a_pdf' }
        return { kind: 'label', pdf: new Uint8Array(sent.body ?? []) }
      }
      const failure = failureOf(sent)
      const waits = failure.kind === 'rejected' && failure.code === 'label_not_ready'
      return waits ? { kind: 'not_ready' } : failure
    },
  }
}

async function findGuides(
  send: Sender,
  fields: KnownFields,
  call: FindGuides,
): Promise<FindGuidesAnswer> {
  const body = {
    ...contextBody(call),
    client_reference: call.clientReference,
    ...(call.guideNumber === undefined ? {} : { guide_number: call.guideNumber }),
    ...(call.includeCancelled ? { include_cancelled: true } : {}),
  }
  return await reported(
    { fields, name: 'look', call, body },
    () => send('findGuides', { ...context(call), body }),
    (sent) => {
      const answer = read(sent, tolerantAnswers.findGuides, ({ guides }) => ({
        kind: 'found' as const,
        guides: guides
          .map(foundGuideOf)
          .filter(({ status }) => call.includeCancelled || status !== 'cancelled'),
      }))
      const isFailure = answer.kind !== 'found' && sent.kind === 'answered'
      return isFailure ? { ...answer, statusCode: sent.status } : answer
    },
  )
}

function accountCalls(
  send: Sender,
): Pick<Courier, 'quote' | 'verifyCredentials' | 'agencies' | 'packageProducts' | 'invoice'> {
  const catalogue = {
    organizationId: ofNoOrganization,
    bodyBytesMax: connectorLimits.catalogueBytesMax,
  }
  return {
    async quote(call) {
      const sent = await send('quote', { ...context(call), body: quoteBody(call) })
      return read(sent, tolerantAnswers.quote, ({ rates, errors }) => ({
        kind: 'quoted',
        rates: rates.map(({ transit_days, ...rate }) => ({ ...rate, transitDays: transit_days })),
        errors: errors.map((error) => ({ ...error, text: shortened(error.text) })),
      }))
    },
    async verifyCredentials(call) {
      const sent = await send('verifyCredentials', { ...context(call), body: contextBody(call) })
      return read(sent, tolerantAnswers.verifyCredentials, () => ({ kind: 'accepted' }))
    },
    async agencies(): Promise<CatalogueAnswer<NativeAgency>> {
      const sent = await send('agencies', catalogue)
      return await readList(sent, lists.agencies, ({ items }) => ({ kind: 'listed', items }))
    },
    async packageProducts(): Promise<CatalogueAnswer<NativePackageProduct>> {
      const sent = await send('packageProducts', catalogue)
      return await readList(sent, lists.packageProducts, ({ items }) => ({
        kind: 'listed',
        items: items.map((product) => ({
          code: product.code,
          name: product.name,
          maxWeightKg: product.max_weight_kg,
          maxLengthM: product.max_length_m,
          maxWidthM: product.max_width_m,
          maxHeightM: product.max_height_m,
        })),
      }))
    },
    async invoice(call): Promise<InvoiceAnswer> {
      const sent = await send('invoice', {
        ...context(call),
        body: { ...contextBody(call), month: call.month },
        bodyBytesMax: connectorLimits.invoiceBytesMax,
      })
      return await readList(sent, lists.invoice, ({ items, envelope }) => ({
        kind: 'billed',
        reference: envelope.reference,
        lines: items,
      }))
    },
  }
}

async function describe(send: Sender): Promise<CourierDescription | null> {
  const sent = await send('describe', { organizationId: ofNoOrganization })
  const answer = read(sent, tolerantAnswers.describe, ({ capabilities, credential_fields }) => ({
    kind: 'described' as const,
    description: { capabilities, credentialFields: credential_fields },
  }))
  return answer.kind === 'described' ? answer.description : null
}

function headersOf(
  { token, traceparent: running }: Pick<ConnectorOptions, 'token' | 'traceparent'>,
  what: Send,
): Record<string, string> {
  const traceparent = running?.() ?? null
  return {
    accept: 'application/json, application/pdf',
    'accept-encoding': 'identity',
    ...(what.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(what.requestId ? { 'x-request-id': what.requestId } : {}),
    ...(traceparent === null ? {} : { traceparent }),
  }
}

function context(call: CallContext): Pick<Send, 'organizationId' | 'requestId' | 'answerByMs'> {
  const { organizationId, requestId, answerByMs } = call
  return { organizationId, requestId, answerByMs }
}
