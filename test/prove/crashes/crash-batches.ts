import { sql } from 'kysely'
import { webhookEventId } from '../../../src/service/domain/webhooks/webhook-event.ts'
import { exampleConnectionRequest } from '../../../src/service/http/openapi/examples.ts'
import type { ApiClient } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import type { Subject } from './crash-subjects.ts'
import type { Work } from './crash-work.ts'

/**
 * An attempt cut off by a kill is settled after twenty seconds, and its line is tried again later.
 */
const endedMs = 120_000

/**
 * A batch of one line, from the lease of its connection until the connection is closed for lack of
 * lines.
 */
export const batchLine: Work = {
  isClaim: (what) => what.includes('UPDATE batch_lanes d SET owner = $'),
  isPart: (what) => /batch|^(BEGIN|COMMIT)/i.test(what),
  isEnd: (what) => what.includes('DELETE FROM batch_lanes'),

  async prepare(shop, subjects) {
    const prepared: Subject[] = []
    for (const subject of subjects) {
      // A connection's lines are processed together, so each case has a connection of its own.
      const { id } = await shop.client.courierConnections.create({
        ...exampleConnectionRequest(shop.seeded.workspaceId),
        display_name: subject.key,
      })
      prepared.push({ ...subject, connectionId: id })
    }
    return prepared
  },

  async leave(shop, subject) {
    const { key, shipmentId } = subject
    const item = { ...shop.bodyOf(key), ...partsOf(subject), idempotency_key: key }
    const body = { external_reference: key, items: [item] }
    const { status, body: batch } = await shop.call('/v1/batches', { body })
    if (status !== 202) throw new Error(`the batch was answered ${status}`)
    return [batch.id, shipmentId, partsOf(subject).courier_connection_id]
  },

  race: async (shop, subject) => {
    const ask = () => shop.create(subject.key, { body: partsOf(subject) })
    return await Promise.all([ask(), ask()])
  },

  keep: ({ parts }, id) =>
    sql`
      UPDATE batch_lanes SET owner = NULL, leased_until = 'infinity'
      WHERE connection_id IN (SELECT connection_id FROM batch_lines WHERE batch_id = ${id})`.execute(
      parts.db,
    ),

  letGo: ({ parts }) =>
    sql`
      UPDATE batch_lanes SET leased_until = NULL WHERE leased_until = 'infinity'`.execute(parts.db),

  async violations(shop, { id, subject, where }) {
    const at = `batch line ${subject.scenario}, ${where}`
    const ended = await untilEnded(shop, id)
    if (!ended) return [`${at}: the batch did not end`]
    const found: string[] = []
    const { body } = await shop.call(`/v1/batches/${id}/items`)
    const shipments = body.data.map((item: { shipment_id: string }) => item.shipment_id).join()
    if (shipments !== subject.shipmentId) found.push(`${at}: its items are of ${shipments}`)
    const told = webhookEventId(`batch:${id}`, shop.seeded.workspaceId, 'batch.completed')
    await eventually(
      () => shop.call(`/v1/events/${told}`),
      ({ status }) => status === 200,
    ).catch(() => found.push(`${at}: no webhook says that it is complete`))
    return found
  },
}

function partsOf({ connectionId, scenario }: Subject) {
  return {
    courier_connection_id: String(connectionId),
    metadata: { sandbox_scenario: scenario },
  }
}

async function untilEnded(shop: ApiClient, id: string): Promise<boolean> {
  const read = () => shop.call(`/v1/batches/${id}`)
  return await eventually(read, ({ body }) => body.ended_at !== null, endedMs).then(
    () => true,
    () => false,
  )
}
