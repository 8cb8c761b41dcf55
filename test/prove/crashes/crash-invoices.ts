import { sql } from 'kysely'
import type { ApiClient } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import type { Work } from './crash-work.ts'

/** Longer than the looks take that conclude that nothing was created. */
const untilConcluded = 'PT10M'
const endedMs = 60_000
/** After the import, and once more. */
const comparisons = 2
const findings = ['nothing_created', 'unknown_guide', 'billed_twice']
const isEnqueuing = /INSERT INTO webhook_(events|deliveries)/

/**
 * A comparison that includes a look, from the lease of the invoice until its webhook is enqueued.
 */
export const comparison: Work = {
  isClaim: (what) => what.includes('UPDATE courier_invoices d SET owner = $'),
  isPart: (what) => /courier_invoice|^(BEGIN|COMMIT)/i.test(what) || isEnqueuing.test(what),
  isEnd: (what, before) => /^COMMIT/i.test(what) && isEnqueuing.test(before),

  async prepare(shop, subjects) {
    for (const { key, scenario } of subjects) await shop.create(key, { scenario })
    await shop.advance(untilConcluded)
    const ids: string[] = []
    for (const { shipmentId } of subjects) ids.push(await importInvoice(shop, shipmentId))
    for (const id of ids) await untilCompared(shop, id)
    return subjects
  },

  async leave(shop, { shipmentId }) {
    const id = await importInvoice(shop, shipmentId)
    const asked = await asOperator(shop, `/v1/courier-invoices/${id}/compare`, { method: 'POST' })
    if (asked.status !== 202) throw new Error(`comparing was answered ${asked.status}`)
    return [id, shipmentId]
  },

  keep: ({ parts }, id) =>
    sql`
      UPDATE courier_invoices SET owner = NULL, leased_until = 'infinity'
      WHERE id = ${id} AND state = 'comparing'`.execute(parts.db),

  letGo: ({ parts }) =>
    sql`
      UPDATE courier_invoices SET leased_until = NULL WHERE leased_until = 'infinity'`.execute(
      parts.db,
    ),

  async violations(shop, { id, subject, where }) {
    const at = `comparison ${subject.scenario}, ${where}`
    const totals = await untilCompared(shop, id).catch(() => null)
    if (totals === null) return [`${at}: it was not compared`]
    const counted = totals.map(({ finding, lines }) => `${finding} ${lines}`).toSorted()
    const wanted = findings.map((finding) => `${finding} 1`).toSorted()
    const found = counted.join() === wanted.join() ? [] : [`${at}: found ${counted.join()}`]
    const told = await timesTold(shop, id)
    return told === comparisons
      ? found
      : [...found, `${at}: told ${told} times that it is compared`]
  },
}

type Total = { readonly finding: string; readonly lines: number }

/**
 * The same invoice each time: a line for the shipment, one for an unknown guide, and the first line
 * again.
 */
async function importInvoice(shop: ApiClient, shipmentId: string): Promise<string> {
  const line = { amount: 1_450, currency: 'PEN' }
  const stranger = { ...line, guide_number: `STRANGER-${shipmentId}` }
  const body = {
    courier_connection_id: shop.seeded.connectionId,
    reference: `of-${shipmentId}`,
    lines: [
      { ...line, guide_number: `NEVER-${shipmentId}`, client_reference: shipmentId },
      stranger,
      stranger,
    ],
  }
  const imported = await asOperator(shop, '/v1/courier-invoices', { body })
  if (imported.status !== 202) throw new Error(`the invoice was answered ${imported.status}`)
  return imported.body.id
}

async function untilCompared(shop: ApiClient, id: string): Promise<readonly Total[]> {
  const { body } = await eventually(
    () => asOperator(shop, `/v1/courier-invoices/${id}`),
    ({ body: shown }) => shown.status === 'compared',
    endedMs,
  )
  return body.totals
}

/** How many webhooks its comparison has caused, once there are enough. */
async function timesTold(shop: ApiClient, id: string): Promise<number> {
  const { workspaceId } = shop.seeded
  const path = `/v1/events?workspace_id=${workspaceId}&type=courier_invoice.compared&limit=100`
  const count = async () => {
    let told = 0
    for (let cursor = ''; ; ) {
      const { body } = await shop.call(path + cursor)
      told += body.data.filter((event: Event) => event.data.object.id === id).length
      if (!body.has_more) return told
      cursor = `&cursor=${body.next_cursor}`
    }
  }
  await eventually(count, (told) => told >= comparisons, endedMs).catch(() => undefined)
  return await count()
}

type Event = { readonly data: { readonly object: { readonly id: string } } }

function asOperator(shop: ApiClient, path: string, options: Parameters<ApiClient['call']>[1] = {}) {
  return shop.call(path, { ...options, key: shop.seeded.operatorKey })
}
