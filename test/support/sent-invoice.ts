import type { ApiClient } from './api-client.ts'
import { eventually } from './eventually.ts'

type Shop = Pick<ApiClient, 'call' | 'seeded'>
const path = '/v1/courier-invoices'

/** Sends an invoice over the API, and waits until it is compared. */
export async function sendInvoice(
  { call, seeded }: Shop,
  reference: string,
  lines: readonly object[],
) {
  const body = { courier_connection_id: seeded.connectionId, reference, lines }
  const { body: sent } = await call(path, { body, key: seeded.operatorKey })
  return await comparedInvoice({ call, seeded }, sent.id)
}

/** Sends an invoice as a CSV, with a query string. */
export async function postInvoiceCsv({ url, seeded }: ApiClient, query: string, text: string) {
  const response = await fetch(`${url}${path}?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.operatorKey}`, 'content-type': 'text/csv' },
    body: text,
  })
  const replayed = response.headers.get('idempotent-replayed') === 'true'
  // biome-ignore lint/suspicious/noExplicitAny: an answer is checked field by field
  return { status: response.status, replayed, body: (await response.json()) as any }
}

export async function comparedInvoice({ call, seeded }: Shop, id: string) {
  const { body } = await eventually(
    () => call(`${path}/${id}`, { key: seeded.operatorKey }),
    (answer) => answer.body.status === 'compared',
  )
  return body
}
