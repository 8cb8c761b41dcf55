import { courierRequestIdForm } from '../domain/event-fields.ts'
import type {
  CallContext,
  CourierExchange,
  CourierFailure,
  CredentialField,
  ExchangeFailure,
} from './courier.ts'
import type { ExchangeResult } from './exchange.ts'

/** Stored bytes of a body. A creation's answer that contains a label is longer and is truncated. */
const keptBodyBytesMax = 64 * 1024
const removed = '[removed]'

type Ended = {
  readonly name: CourierExchange['call']
  readonly call: Pick<CallContext, 'credentials'>
  /** What the courier asks for; `null` while that is not known. */
  readonly credentialFields: readonly CredentialField[] | null
  readonly body: object
  readonly sent: ExchangeResult
  /** The answer that was read from it. */
  readonly answer: { readonly kind: string } | CourierFailure
  readonly latencyMs: number
}

/** The record of a request: its body as stored, and its outcome. */
export function courierExchange(ended: Ended): CourierExchange {
  const { name, call, credentialFields, body, sent, answer, latencyMs } = ended
  const isAnswered = sent.kind === 'answered'
  const { requestId = null } = isAnswered ? sent : {}
  return {
    call: name,
    sent: isAnswered ? 'yes' : sent.kind === 'lost' ? 'unknown' : 'no',
    statusCode: isAnswered ? sent.status : null,
    failure: failureIn(answer),
    latencyMs: Math.max(0, Math.round(latencyMs)),
    courierRequestId: requestId !== null && courierRequestIdForm.test(requestId) ? requestId : null,
    request: requestBody(body),
    response:
      isAnswered && sent.body !== null
        ? withoutCredentials(sent.body, call.credentials, credentialFields)
        : null,
  }
}

/** The body of a request without its credentials and without what only the simulator reads. */
export function requestBody(body: object): Buffer {
  const { credentials: _, sandbox: __, ...said } = body as Record<string, unknown>
  return Buffer.from(JSON.stringify(said)).subarray(0, keptBodyBytesMax)
}

/**
 * A courier may repeat the request in its answer. What it does not declare as something else is a
 * secret.
 */
function withoutCredentials(
  body: Buffer,
  credentials: CallContext['credentials'],
  fields: readonly CredentialField[] | null,
): Buffer {
  const isSecret = (name: string) => fields?.find((field) => field.name === name)?.secret ?? true
  let text = body.toString('latin1')
  const remove = (form: string, by: string) => {
    text = text.replaceAll(Buffer.from(form).toString('latin1'), by)
  }
  for (const [name, value] of Object.entries(credentials)) {
    if (value === '') continue
    const quoted = JSON.stringify(value)
    if (isSecret(name)) {
      remove(value, removed)
      remove(quoted.slice(1, -1), removed)
    }
    // A user name may be an ordinary word, so only a whole JSON text that equals it is removed.
    else remove(quoted, JSON.stringify(removed))
  }
  return Buffer.from(text, 'latin1').subarray(0, keptBodyBytesMax)
}

function failureIn(answer: { readonly kind: string } | CourierFailure): ExchangeFailure | null {
  switch (answer.kind) {
    case 'rejected':
      return 'courier_rejected'
    case 'unauthorized':
      return 'connection_needs_reauth'
    case 'throttled':
      return 'courier_throttled'
    case 'not_sent':
      return (answer as NotSent).cause === 'too_late' ? 'too_late' : 'courier_unreachable'
    case 'unknown':
      return (answer as Unknown).cause
    default:
      return null
  }
}

type NotSent = Extract<CourierFailure, { kind: 'not_sent' }>
type Unknown = Extract<CourierFailure, { kind: 'unknown' }>
