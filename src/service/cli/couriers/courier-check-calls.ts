import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { z } from 'zod'
import { createGuideBody } from '../../couriers/connector-bodies.ts'
import { type CourierCapabilities, type Credentials, courierTimes } from '../../couriers/courier.ts'
import { answers, type OperationName, operations } from '../../couriers/protocol.ts'
import { connectorLimits, notBilledCode } from '../../couriers/protocol-codes.ts'
import { type Sums, sumFields } from '../../domain/quote.ts'
import { exampleShipmentRequest } from '../../http/openapi/examples.ts'

/** The connector under test and the courier account to use. */
export type Checked = {
  readonly url: string
  readonly token?: string
  readonly credentials: Credentials
}

/** Fails the check that is running. */
export function must(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise)
}

/** The guides that are found under a reference. */
export async function found(
  checked: Checked,
  client_reference: string,
  more: { readonly include_cancelled?: boolean; readonly guide_number?: string } = {},
) {
  const { credentials } = checked
  const answer = await ask(checked, 'findGuides', { credentials, client_reference, ...more })
  const code = refusalCodeIn(answer)
  must(code === null, `it refuses with "${code}" instead of listing what it finds`)
  return shaped(answer, answers.findGuides).guides
}

export function isRefusal(answer: Answer): boolean {
  return refusalCodeIn(answer) !== null
}

/** Cancels the guide of a creation that should have been refused, if the courier can. */
export async function cancelIfCreated(
  checked: Checked,
  client_reference: string,
  { body }: Answer,
): Promise<void> {
  try {
    const { guide } = answers.createGuide.parse(JSON.parse(body.toString()))
    await ask(checked, 'cancelGuide', {
      credentials: checked.credentials,
      client_reference,
      guide_number: guide.guide_number,
      not_after: soon().toISOString(),
    })
  } catch {
    // It was refused, or the courier cannot cancel.
  }
}

function refusalCodeIn(answer: Answer): string | null {
  try {
    return answers.refusal.safeParse(jsonOf(answer)).data?.code ?? null
  } catch {
    return null
  }
}

/** Checks that nothing is found under the reference, also when asked twice. */
export async function mustFindNone(
  checked: Checked,
  client_reference: string,
  more: { readonly guide_number?: string } = {},
): Promise<void> {
  must((await found(checked, client_reference, more)).length === 0, 'it finds one')
  must((await found(checked, client_reference, more)).length === 0, 'it finds one when asked again')
}

/** The account's invoice for a month; null if there is no invoice yet. */
export async function invoiceOf(checked: Checked, month: string) {
  const { credentials } = checked
  const answer = await ask(checked, 'invoice', { credentials, month })
  const isAnswered = answer.status === 200 && !answers.refusal.safeParse(jsonOf(answer)).success
  if (isAnswered) return shaped(answer, answers.invoice)
  const { code } = refused(answer, [200, 404, 409, 422])
  must(code === notBilledCode, `the code is "${code}", not "${notBilledCode}"`)
  return null
}

/** The month this many months from now, such as 2026-02. */
export function monthAhead(count: number): string {
  const at = new Date()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + count)
  return at.toISOString().slice(0, 7)
}

type Answer = { readonly status: number; readonly contentType: string; readonly body: Buffer }

export async function ask(
  checked: Checked,
  operation: OperationName,
  body: object | null,
): Promise<Answer> {
  const { method, path } = operations[operation]
  const base = new URL(checked.url)
  const answer = await request(`${base.origin}${base.pathname.replace(/\/+$/, '')}${path}`, {
    method,
    headers: {
      'accept-encoding': 'identity',
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(checked.token === undefined ? {} : { authorization: `Bearer ${checked.token}` }),
    },
    body: body === null ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(courierTimes.callMs),
    reset: true,
  })
  const limit = limitOf(operation)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer.body) {
    bytes += chunk.length
    if (bytes > limit) throw new Error(`the body is longer than ${limit} bytes`)
    chunks.push(chunk)
  }
  const contentType = String(answer.headers['content-type'] ?? '')
  return { status: answer.statusCode, contentType, body: Buffer.concat(chunks) }
}

function limitOf(operation: OperationName): number {
  if (operation === 'label') return connectorLimits.labelBytesMax
  if (operation === 'invoice') return connectorLimits.invoiceBytesMax
  const catalogue = operation === 'agencies' || operation === 'packageProducts'
  return catalogue ? connectorLimits.catalogueBytesMax : connectorLimits.bodyBytesMax
}

function jsonOf({ contentType, body }: Answer): unknown {
  must(/^application\/json\s*(;|$)/i.test(contentType), `the content type is "${contentType}"`)
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
}

export function shaped<S extends z.ZodType>(answer: Answer, schema: S): z.infer<S> {
  must(answer.status === 200, `the status is ${answer.status}, not 200`)
  const parsed = schema.safeParse(jsonOf(answer))
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll('\n', ' '))
  return parsed.data
}

export function refused(
  answer: Answer,
  statuses: readonly number[],
): z.infer<typeof answers.refusal> {
  must(
    statuses.includes(answer.status),
    `the status is ${answer.status}, not ${statuses.join(' or ')}`,
  )
  const parsed = answers.refusal.safeParse(jsonOf(answer))
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll('\n', ' '))
  return parsed.data
}

type Service = { readonly mode: string; readonly payer: string }

type Sample = {
  readonly origin: string
  readonly destination: string
  readonly product: string
}

/** Two agencies and a product for a test shipment. The checks of the lists report missing ones. */
export async function sampleOf(checked: Checked): Promise<Sample> {
  try {
    const { agencies } = shaped(await ask(checked, 'agencies', null), answers.agencies)
    const answer = await ask(checked, 'packageProducts', null)
    const products = shaped(answer, answers.packageProducts).package_products
    const origin = agencies.find(({ capabilities }) => capabilities.includes('drop_off'))?.code
    const destination = agencies.find(
      ({ capabilities, code }) => capabilities.includes('pickup') && code !== origin,
    )?.code
    const product = products.find(({ max_weight_kg }) => max_weight_kg >= 0.1)?.code
    return { origin: origin ?? '?', destination: destination ?? '?', product: product ?? '?' }
  } catch {
    return { origin: '?', destination: '?', product: '?' }
  }
}

/** The body that the service would send, with every optional field. */
export function createBody(
  checked: Checked,
  sample: Sample,
  clientReference: string,
  notAfter: Date,
) {
  const payload = {
    ...exampleShipmentRequest(clientReference),
    declared_content: 'Conformance check',
    recipient: {
      document_type: 'DNI' as const,
      document: '00000000',
      first_name: 'Conformance',
      last_name: 'Check',
    },
  }
  const body = createGuideBody({
    clientReference,
    notAfter: { at: notAfter, endsAtMs: Number.POSITIVE_INFINITY },
    origin: { code: sample.origin },
    destination: { code: sample.destination },
    package: {
      productCode: sample.product,
      quantity: 1,
      weightKg: 0.1,
      heightM: 0.01,
      lengthM: 0.05,
      widthM: 0.05,
    },
    payload,
    quotedAmount: null,
  })
  return { credentials: checked.credentials, ...body }
}

/** A quote for the same parcel, for one service or for every service. */
export function quoteBody(checked: Checked, sample: Sample, service: Service | null): object {
  const { origin, destination, package: parcel } = createBody(checked, sample, 'none', soon())
  const { credentials } = checked
  return {
    credentials,
    workspace_reference: reference(),
    origin,
    destination,
    package: parcel,
    service,
  }
}

/** The same creation with everything that the connector declares. */
export function withOptions(body: ReturnType<typeof createBody>, can: CourierCapabilities): object {
  const contacts = { phone: '+51900000000', email: 'conformance@example.com' }
  return {
    ...body,
    ...(can.recipient_phone ? { recipient: { ...body.recipient, ...contacts } } : {}),
    ...declaredSums(can),
  }
}

/** The sums that the connector declares. */
export function declaredSums(can: CourierCapabilities): Sums {
  const money = { amount: 1_000, currency: 'PEN' }
  return Object.fromEntries(sumFields.flatMap((field) => (can[field] ? [[field, money]] : [])))
}

/** A reference with upper-case and lower-case letters, as shipment ids have. */
export function reference(): string {
  return `Check_${randomUUID()}`
}

export function soon(): Date {
  return new Date(Date.now() + courierTimes.callDeadlineMs)
}
