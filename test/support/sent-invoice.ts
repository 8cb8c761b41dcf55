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

export async function comparedInvoice({ call, seeded }: Shop, id: string) {
  const { body } = await eventually(
    () => call(`${path}/${id}`, { key: seeded.operatorKey }),
    (answer) => answer.body.status === 'compared',
  )
  return body
}
