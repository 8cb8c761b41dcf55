import type { Socket } from 'node:net'
import { type Connector, connector } from '../../../src/service/couriers/connector.ts'
import { deadlineIn } from '../../../src/service/couriers/deadline.ts'
import { webhookSender } from '../../../src/service/webhooks/send.ts'
import { createCall, credentials, httpAnswer, rawServer } from '../../couriers/support.ts'
import { receiver } from '../../webhooks/receiver.ts'
import { type Chance, chance, nearly, spoiled, texts } from './hostile.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }
export type FuzzedAnswers = {
  readonly answers: number
  readonly kinds: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}
type Options = { readonly seed: number; readonly answers: number }

const guide = { guide_number: 'G1', pickup_code: '1234', price: { amount: 1_200, currency: 'PEN' } }
const event = { id: 'e1', code: 'delivered', occurred_at: '2030-01-01T00:00:00Z', text: 'x' }
const billed = {
  guide_number: 'G1',
  amount: 1_200,
  currency: 'PEN',
  weight_kg: 0.5,
  date: '2030-01-01',
  client_reference: null,
}
/** Valid courier answers, from which the fuzzing starts. */
const sound: readonly unknown[] = [
  { success: true, guide },
  { success: true, guides: [guide, { ...guide, status: 'cancelled' }] },
  { success: true, events: [event], eta: null },
  { success: false, code: 'no_such_place', message: 'No.' },
  { success: true, rates: [], errors: [] },
  { success: true, reference: 'F1', lines: [billed] },
  { success: true },
]
const statuses = [200, 200, 200, 201, 202, 204, 301, 400, 401, 404, 409, 412, 422, 429, 500, 503]
const types = ['application/json', 'application/json', 'text/html', 'application/pdf', '']

/** The bytes of one answer: valid, nearly valid, or garbage. */
function answerBytes(by: Chance): Buffer {
  const value = by.is(0.2) ? by.one(sound) : nearly(by.one(sound), by)
  const text = JSON.stringify(value) ?? ''
  const body = by.is(0.25) ? spoiled(text, by) : Buffer.from(text)
  const whole = httpAnswer(by.one(statuses), body, {
    'content-type': by.one(types),
    ...(by.is(0.1) ? { 'content-length': String(body.length + by.below(20)) } : {}),
    ...(by.is(0.1) ? { 'retry-after': by.one(['1', '-1', '999999999999', 'soon', '']) } : {}),
    ...(by.is(0.05) ? { 'content-encoding': by.one(['gzip', 'br', 'x']) } : {}),
    ...(by.is(0.05) ? { 'transfer-encoding': 'chunked' } : {}),
    ...(by.is(0.02) ? { 'x-large': 'x'.repeat(40_000) } : {}),
  })
  if (by.is(0.05)) return Buffer.concat([whole, whole])
  if (by.is(0.05)) return spoiled(by.one(texts), by)
  return by.is(0.08) ? whole.subarray(0, by.below(whole.length + 1)) : whole
}

/** Sends the bytes whole or in pieces, and sometimes closes the connection, cleanly or not. */
function say(socket: Socket, by: Chance): void {
  const bytes = answerBytes(by)
  const cut = by.below(bytes.length + 1)
  const ending = by.below(10)
  socket.write(bytes.subarray(0, cut))
  setImmediate(() => {
    socket.write(bytes.subarray(cut))
    if (ending === 0) socket.resetAndDestroy()
    // A client that expects more bytes than there are would wait until its timeout.
    else socket.end()
  })
}

const calls: readonly ((
  courier: Connector,
) => Promise<{ readonly kind: string } | object | null>)[] = [
  (courier) => courier.createGuide(createCall()),
  (courier) => courier.findGuides({ ...context, clientReference: 'shp_1' }),
  (courier) => courier.cancelGuide({ ...named, notAfter: deadlineIn(9_000) }),
  (courier) => courier.track(named),
  (courier) => courier.label({ ...named, size: 'a6' }),
  (courier) => courier.verifyCredentials(context),
  (courier) => courier.agencies(),
  (courier) => courier.packageProducts(),
  (courier) => courier.invoice({ ...context, month: '2030-01' }),
  (courier) => courier.describe(),
]
const context = {
  requestId: null,
  organizationId: 'org_0000000000000000000001',
  credentials,
  sandbox: null,
}
const named = { ...context, clientReference: 'shp_1', guideNumber: 'G1' }

/** A result that claims more than the bytes contain; null if it does not. */
function falseClaim(answer: object | null): string | null {
  if (answer === null || !('kind' in answer)) return null
  if (answer.kind === 'created') {
    const { guide: made } = answer as unknown as { guide?: { guideNumber?: unknown } }
    const number = made?.guideNumber
    return typeof number === 'string' && number !== '' ? null : 'created without a guide number'
  }
  if (answer.kind === 'label') {
    const { pdf } = answer as unknown as { pdf: Uint8Array }
    return Buffer.from(pdf).toString('latin1', 0, 5) === '%PDF-' ? null : 'a label that is no PDF'
  }
  return null
}

async function counted(
  options: Options,
  atOnce: number,
  once: (by: Chance) => Promise<{ readonly kind: string; readonly fault: string | null }>,
): Promise<FuzzedAnswers> {
  const by = chance(options.seed)
  const kinds: Record<string, number> = {}
  const violations: string[] = []
  let done = 0
  const work = async () => {
    while (done < options.answers) {
      done += 1
      const { kind, fault } = await once(by).catch((error: unknown) => ({
        kind: 'thrown',
        fault: `thrown: ${String(error)}`,
      }))
      kinds[kind] = (kinds[kind] ?? 0) + 1
      if (fault !== null) violations.push(fault)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { answers: done, kinds, violations }
}

/**
 * A connector that answers anything: the adapter must not throw, and must claim nothing that is not
 * there.
 */
export async function fuzzCouriers(test: Test, options: Options): Promise<FuzzedAnswers> {
  const answering = chance(options.seed + 1)
  const server = await rawServer(
    (end) => test.teardown(end),
    (socket) => say(socket, answering),
  )
  const courier = connector({ baseUrl: server.url, callMs: 5_000 })
  test.teardown(() => courier.close())
  return await counted(options, 8, async (by) => {
    const answer = await by.one(calls)(courier)
    const kind = answer !== null && 'kind' in answer ? String(answer.kind) : 'capabilities'
    return { kind, fault: falseClaim(answer) }
  })
}

/**
 * Receivers that answer anything: the sender must not throw, and keeps at most 2 KiB of the answer.
 */
export async function fuzzReceivers(test: Test, options: Options): Promise<FuzzedAnswers> {
  const answering = chance(options.seed + 2)
  const there = await receiver(test as never, (socket) => say(socket, answering))
  const sender = webhookSender({ times: { totalMs: 5_000, bodyMs: 2_000 } })
  test.teardown(() => sender.close())
  const body = Buffer.from('{}')
  const headers = { 'webhook-id': 'evt_1' }
  const post = { headers, body, livemode: false, allowPrivate: true, url: there.url } as const
  return await counted(options, 8, async () => {
    const { statusCode, error, excerpt } = await sender.send(post)
    const isEither = (statusCode === null) !== (error === null)
    const isShort = excerpt === null || Buffer.byteLength(excerpt) <= 3 * 2_048
    const fault = isEither && isShort ? null : `status ${statusCode}, ${error}, ${excerpt?.length}`
    return { kind: error ?? `${Math.trunc(Number(statusCode) / 100)}xx`, fault }
  })
}
