import { customAlphabet } from 'nanoid'
import { base62Alphabet, idValueLength } from '../domain/ids.ts'

const newValue = customAlphabet(base62Alphabet, idValueLength)

export function newWorkspaceId(): string {
  return `ws_${newValue()}`
}

export function newQuoteId(): string {
  return `quo_${newValue()}`
}

export function newConnectionId(): string {
  return `ccn_${newValue()}`
}

export function newWebhookEndpointId(): string {
  return `whe_${newValue()}`
}

export function newBatchId(): string {
  return `bat_${newValue()}`
}

export function newInvoiceId(): string {
  return `inv_${newValue()}`
}

export function newCommentId(): string {
  return `cmt_${newValue()}`
}

/** The id of a webhook event that nothing caused. The other ids are derived from the cause. */
export function newWebhookEventId(): string {
  return `evt_${newValue()}`
}
