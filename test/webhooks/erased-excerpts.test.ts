import { sql } from 'kysely'
import t from 'tap'
import { deliveryRules } from '../../src/service/domain/webhooks/webhook-delivery.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import { erasePersonalData, performErasure } from '../../src/service/processes/erasure/erasure.ts'
import { forgetErasures } from '../../src/service/processes/erasure/erasure-rows.ts'
import { claimThese } from '../../src/service/webhooks/claim-deliveries.ts'
import { type Attempted, recordAttempts } from '../../src/service/webhooks/record-attempts.ts'
import { request, seconds, start } from '../support/given.ts'
import { type Made, processParts } from '../support/process-parts.ts'

const { deps, query, shipment } = await processParts(t)
const now = start + seconds(60)
const endpointId = 'whe_0000000000000000000001'
const url = 'https://shop.example/hooks'
const { organization_id: organizationId, workspace_id: workspaceId } = request
await query(
  `INSERT INTO webhook_endpoints (id, organization_id, workspace_id, livemode, url, event_types,
     status, secret, created_at, updated_at)
   VALUES ($1, $2, $3, false, $4, ARRAY['shipment.*'], 'enabled', '', now(), now())`,
  [endpointId, organizationId, workspaceId, url],
)

const issued = () =>
  shipment({
    kind: 'issued',
    guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null },
  })

/** A pending delivery about the shipment, as a redelivery or a later event leaves it. */
async function pending({ shipmentId }: Made): Promise<string> {
  const deliveryId = `dlv_${shipmentId.slice(4)}`
  const eventId = `evt_${shipmentId.slice(4)}`
  await query(
    `INSERT INTO webhook_events
       (id, organization_id, workspace_id, livemode, type, shipment_id, body, created_at)
     VALUES ($1, $2, $3, false, 'shipment.created', $4, '{}', now())`,
    [eventId, organizationId, workspaceId, shipmentId],
  )
  await query(
    `INSERT INTO webhook_deliveries (id, event_id, endpoint_id, organization_id, workspace_id,
       livemode, event_type, shipment_id, state, next_attempt_at, created_at, updated_at)
     VALUES ($5, $1, $6, $2, $3, false, 'shipment.created', $4, 'pending', now(), now(), now())`,
    [eventId, organizationId, workspaceId, shipmentId, deliveryId, endpointId],
  )
  return deliveryId
}

/** Claims the delivery; the result records an answer. */
async function answered(deliveryId: string): Promise<() => Promise<void>> {
  const { lease, deliveries } = await claimThese(deps.db, deliveryRules, [deliveryId])
  const [claimed] = deliveries
  if (claimed === undefined) throw new Error('the delivery cannot be claimed')
  const at = '2027-01-31T00:00:00.000Z'
  const attempt = { at, status_code: 200, latency_ms: 1, error: null, excerpt: 'sealed' }
  const attempted: Attempted = {
    deliveryId,
    endpointId,
    url,
    lease,
    tries: claimed.tries,
    atOnce: claimed.at_once,
    attempt,
    answer: { statusCode: 200, retryAfterMs: null },
    after: { state: 'delivered' },
    now,
  }
  return async () => {
    await recordAttempts({ ...deps, deliveryRules }, [attempted])
  }
}

async function excerptsOf(deliveryId: string): Promise<readonly (string | null)[]> {
  const rows = await query<{ attempts: readonly { readonly excerpt: string | null }[] }>(
    'SELECT attempts FROM webhook_deliveries WHERE id = $1',
    [deliveryId],
  )
  return rows.flatMap(({ attempts }) => attempts.map(({ excerpt }) => excerpt))
}

async function erase({ shipmentId }: Made): Promise<void> {
  const snapshot = await loadShipment(deps.store, shipmentId)
  const actor = { type: 'api_key', keyId: 'key_a' } as const
  const order = { shipmentId, snapshot, actor, because: 'request', requestId: null, now } as const
  await erasePersonalData(deps, order)
}

t.test('an answer about a shipment that is not erased is kept', async (t) => {
  const delivery = await pending(await issued())
  await (await answered(delivery))()
  t.same(await excerptsOf(delivery), ['sealed'])
})

t.test('no answer about an erased shipment is kept once its erasure is forgotten', async (t) => {
  const made = await issued()
  await erase(made)
  t.equal(await performErasure(deps, made.shipmentId, now), 'done')
  await query(`UPDATE erasures SET ended_at = ended_at - interval '32 days'`)
  t.equal(await forgetErasures(deps.db), 1)
  const delivery = await pending(made)
  await (await answered(delivery))()
  t.same(await excerptsOf(delivery), [null])
})

t.test('an answer that is being recorded during an erasure is not kept', async (t) => {
  const made = await issued()
  const delivery = await pending(made)
  const record = await answered(delivery)
  let isErased = false
  const blocked = async () =>
    (
      await query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    ).length
  const work: Promise<void>[] = []
  await deps.db.transaction().execute(async (tx) => {
    await sql`SELECT FROM webhook_deliveries WHERE id = ${delivery} FOR UPDATE`.execute(tx)
    work.push(record())
    while ((await blocked()) < 1);
    work.push(
      erase(made).then(() => {
        isErased = true
      }),
    )
    while (!isErased && (await blocked()) < 2);
  })
  await Promise.all(work)
  t.ok(isErased)
  t.same(await excerptsOf(delivery), [null])
})
