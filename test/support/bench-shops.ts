import { openParts } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { simulatedProviderCode } from '../../src/couriers/couriers.ts'
import { runningDatabase } from '../../src/database/open-database.ts'
import type { Parts } from '../../src/parts.ts'
import { createApiKey, defaultScopes } from '../../src/security/api-keys.ts'
import { createOrganization } from '../../src/security/organizations.ts'
import type { BenchService, BenchShop } from './bench-service.ts'
import { noLogger } from './service.ts'
import { newId } from './webhook-tenants.ts'

const by = { actor: { type: 'system', keyId: null }, requestId: null } as const
const insertedAtOnce = 1_000

/**
 * Makes organizations with a key, so many workspaces and as many courier connections each, for a
 * service of the benchmarks. Answers a request of each workspace, as a shop would make it.
 */
export async function benchShops(
  service: BenchService,
  organizations: number,
  workspacesEach: number,
): Promise<readonly BenchShop[]> {
  const found = runningDatabase(service.dataDir, readConfig())
  if (found === undefined) throw new Error('the service is not running')
  const { url: databaseUrl, secrets } = found
  const parts = openParts({ databaseUrl, secrets, simulatorUrl: null, log: noLogger() })
  try {
    const shops: BenchShop[] = []
    for (let n = 0; n < organizations; n++) {
      shops.push(...(await shopsOf(parts, service.body, workspacesEach)))
    }
    return shops
  } finally {
    await parts.close()
  }
}

async function shopsOf(parts: Parts, body: string, count: number): Promise<readonly BenchShop[]> {
  const { id: organizationId } = await createOrganization(
    parts,
    { name: 'Shop', type: 'external' },
    by,
  )
  const order = { organizationId, workspaceId: null, livemode: false, expiresAt: null } as const
  const { key } = await createApiKey(parts, { ...order, scopes: defaultScopes }, by)
  const ids = Array.from({ length: count }, () => ({
    workspaceId: newId('ws'),
    connectionId: newId('ccn'),
  }))
  for (let from = 0; from < count; from += insertedAtOnce) {
    await insert(parts, organizationId, ids.slice(from, from + insertedAtOnce))
  }
  return ids.map(({ workspaceId, connectionId }) => ({
    key,
    body: JSON.stringify({
      ...JSON.parse(body),
      workspace_id: workspaceId,
      courier_connection_id: connectionId,
    }),
  }))
}

async function insert(
  { db, sealer }: Parts,
  organizationId: string,
  ids: readonly { readonly workspaceId: string; readonly connectionId: string }[],
): Promise<void> {
  const now = new Date()
  const common = {
    organization_id: organizationId,
    livemode: false,
    created_at: now,
    updated_at: now,
  }
  const credentials = { username: 'sandbox', password: 'sandbox' }
  await db
    .insertInto('workspaces')
    .values(
      ids.map(({ workspaceId: id }) => ({
        ...{ ...common, id, name: 'Shop', external_reference: id },
        personal_data_retention_days: null,
      })),
    )
    .execute()
  await db
    .insertInto('courier_connections')
    .values(
      ids.map(({ workspaceId, connectionId: id }) => ({
        ...{ ...common, id, workspace_id: workspaceId, provider_code: simulatedProviderCode },
        ...{ display_name: 'Courier', status: 'active' as const },
        credentials: sealer.seal({ organizationId, connectionId: id, credentials }),
      })),
    )
    .execute()
}
