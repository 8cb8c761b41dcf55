import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { base62 } from '../../../src/service/domain/ids.ts'
import { masterKeys } from '../../../src/service/security/encryption/master-keys.ts'
import { webhookSealer } from '../../../src/service/security/encryption/webhook-secrets.ts'
import { newSecret, secretText } from '../../../src/service/webhooks/sign.ts'
import type { TestDatabase } from '../../support/test-database.ts'

export type Tenant = {
  readonly organizationId: string
  readonly workspaceId: string
  readonly endpointId: string
  /** The secret that its receiver has. */
  readonly secret: string
}

function newId(prefix: string): string {
  return `${prefix}_${base62(randomBytes(17), 22)}`
}

/** Organizations with a test workspace and an endpoint each, subscribed to all events. */
export async function webhookTenants(
  database: TestDatabase,
  secretsKey: string,
  urls: readonly string[],
): Promise<readonly Tenant[]> {
  const sealer = webhookSealer(masterKeys(secretsKey, []))
  const client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  const tenants: Tenant[] = []
  for (const url of urls) {
    const [organizationId, workspaceId, endpointId] = [newId('org'), newId('ws'), newId('whe')]
    const secret = newSecret()
    await client.query(`INSERT INTO organizations VALUES ($1, 'Test', 'external', now())`, [
      organizationId,
    ])
    await client.query(
      `INSERT INTO workspaces (id, organization_id, livemode, name, external_reference, created_at, updated_at)
       VALUES ($2, $1, false, 'Shop', 'shop', now(), now())`,
      [organizationId, workspaceId],
    )
    await client.query(
      `INSERT INTO webhook_endpoints (id, organization_id, workspace_id, livemode, url, event_types,
         status, secret, created_at, updated_at)
       VALUES ($1, $2, $3, false, $4, $5, 'enabled', $6, now() - interval '1 day', now())`,
      [
        endpointId,
        organizationId,
        workspaceId,
        url,
        ['shipment.*', 'label.*', 'tracking.*'],
        sealer.sealSecret({ organizationId, endpointId }, secret),
      ],
    )
    tenants.push({ organizationId, workspaceId, endpointId, secret: secretText(secret) })
  }
  await client.end()
  return tenants
}

/**
 * Inserts events that wait for their first attempt at the tenant's endpoint, as the outbox would.
 */
export async function pendingDeliveries(
  database: TestDatabase,
  { organizationId, workspaceId, endpointId }: Tenant,
  count: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  await client.query(
    `WITH told AS (
       INSERT INTO webhook_events (id, organization_id, workspace_id, livemode, type, body, created_at)
       SELECT 'evt_' || substr(md5($2 || n), 1, 22), $1, $2, false, 'shipment.created',
         json_build_object('id', 'evt_' || substr(md5($2 || n), 1, 22), 'type', 'shipment.created',
           'data', json_build_object('object', repeat('x', 1500))), now()
       FROM generate_series(1, $4::int) n RETURNING *
     )
     INSERT INTO webhook_deliveries (id, event_id, endpoint_id, organization_id, workspace_id,
       livemode, event_type, state, next_attempt_at, created_at, updated_at)
     SELECT 'dlv_' || substr(id, 5), id, $3, organization_id, workspace_id, livemode, type,
       'pending', now(), created_at, created_at FROM told`,
    [organizationId, workspaceId, endpointId, count],
  )
  await client.query('ANALYZE webhook_events, webhook_deliveries, webhook_lanes')
  await client.end()
}
