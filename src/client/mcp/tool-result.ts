import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { errorTexts } from '../generated/error-texts.ts'
import { type Action, ShippingLedgerError } from '../shipping-ledger-error.ts'
import { hasQuotation, type Quoted, quotationNote, quoted } from './shown.ts'

/** A refusal of this server, without a call of the API. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal'
  readonly reason: string
  readonly action: Action
  constructor(reason: string, action: Action, message: string) {
    super(message)
    this.reason = reason
    this.action = action
  }
}

type ErrorShown = {
  readonly reason: string
  readonly action: Action
  readonly what_to_do: string
  readonly outcome: string | null
  readonly retryable: boolean
  readonly detail?: Quoted
  readonly operation_id?: string
  readonly shipment_id?: string
  readonly fields?: readonly { readonly pointer: Quoted; readonly detail: Quoted }[]
}

const fieldsMax = 5

const whatToDo: Readonly<Record<Action, string>> = {
  same_key: 'Call the tool again with exactly the same input.',
  follow: 'The guide may exist. Create nothing; use explain_operation until it is resolved.',
  new_key: 'It is certain that nothing was created. Ask the user before another attempt.',
  fix: 'Correct the input. Ask the user if you do not know how.',
  person: 'Tell the user. Do not try again by yourself.',
}

export const errorSchema = {
  type: 'object',
  description: 'Only if the call failed.',
  properties: {
    reason: { type: 'string' },
    action: { type: 'string', enum: Object.keys(whatToDo) },
    what_to_do: { type: 'string' },
    outcome: { type: ['string', 'null'] },
    retryable: { type: 'boolean' },
  },
  required: ['reason', 'action', 'what_to_do', 'outcome', 'retryable'],
}

/** A result as structured content, and as the same JSON for clients that only show text. */
export function toolResult(fields: Readonly<Record<string, unknown>>): CallToolResult {
  const structuredContent = hasQuotation(fields)
    ? { note: quotationNote, ...fields }
    : { ...fields }
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
}

/** An error as a result. It never contains a stack or a key. */
export function toolError(error: unknown): CallToolResult {
  return { ...toolResult({ error: errorShown(error) }), isError: true }
}

function errorShown(error: unknown): ErrorShown {
  if (error instanceof ToolRefusal) {
    const { reason, action, message } = error
    const outcome = 'not_executed'
    return {
      reason,
      action,
      what_to_do: `${message} ${whatToDo[action]}`,
      outcome,
      retryable: false,
    }
  }
  if (!(error instanceof ShippingLedgerError)) {
    const rest = { action: 'person', outcome: null, retryable: false } as const
    return { reason: 'internal_error', what_to_do: whatToDo.person, ...rest }
  }
  const { reason, action, outcome, retryable, operationId, shipmentId, errors } = error
  const known = textsOf(reason)
  const fields = errors.slice(0, fieldsMax).map(({ pointer, detail }) => ({
    pointer: quoted(pointer),
    detail: quoted(detail),
  }))
  return {
    reason,
    action,
    what_to_do: [known?.title, whatToDo[action]].filter(Boolean).join('. '),
    outcome,
    retryable,
    detail: quoted(error.message.replace(`${reason}: `, '')),
    ...(operationId === null ? {} : { operation_id: operationId }),
    ...(shipmentId === null ? {} : { shipment_id: shipmentId }),
    ...(fields.length === 0 ? {} : { fields }),
  }
}

/** Null for a reason that this client does not know. */
export function textsOf(reason: string) {
  return Object.hasOwn(errorTexts, reason) ? errorTexts[reason as keyof typeof errorTexts] : null
}
