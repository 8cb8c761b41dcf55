import type { Kysely } from 'kysely'
import { customAlphabet } from 'nanoid'
import type { Tables } from '../../projections/tables.ts'
import type { Catalogue } from './couriers/catalogue.ts'
import { simulatedProviderCode } from './couriers/couriers.ts'
import { base62Alphabet, idValueLength, operationIdOf, shipmentIdOf } from './domain/ids.ts'
import type { EventStore } from './event-store/event-store.ts'
import type { Sealer } from './http/api-services.ts'
import { exampleShipmentRequest } from './http/openapi/examples.ts'
import { createApiKey, defaultScopes, type Peppers, scopes } from './security/api-keys.ts'
import { audit } from './security/audit.ts'
import { createOperator } from './security/operators.ts'
import { createOrganization } from './security/organizations.ts'

type SeedDeps = {
  readonly db: Kysely<Tables>
  readonly store: EventStore
  readonly pepper: Peppers
  readonly sealer: Sealer
  readonly catalogue: Catalogue
}

/** What the first start creates, and shows only once. */
export type Seeded = {
  readonly organizationId: string
  readonly workspaceId: string
  readonly connectionId: string
  readonly shopKey: string
  readonly operatorId: string
  readonly operatorKey: string
  readonly originId: string
  readonly destinationId: string
  readonly productId: string
}

const by = { actor: { type: 'system', keyId: null }, requestId: null } as const
const newValue = customAlphabet(base62Alphabet, idValueLength)
const sandboxName = 'Sandbox shop'

/** Creates the sandbox organization. Returns null if a key already exists. */
export async function seedSandbox(services: SeedDeps): Promise<Seeded | null> {
  const { db, store } = services
  const known = await db.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()
  if (known !== undefined) return null
  const organizationId = await sandboxOrganization(services)
  const workspaceId = `ws_${newValue()}`
  const connectionId = `ccn_${newValue()}`
  const now = new Date()
  const common = {
    organization_id: organizationId,
    livemode: false,
    created_at: now,
    updated_at: now,
  }
  const act = { ...by, organizationId, workspaceId, livemode: false }
  await audit(store, { ...act, type: 'WorkspaceCreated', data: { workspace_id: workspaceId } })
  await db
    .insertInto('workspaces')
    .values({
      ...common,
      id: workspaceId,
      name: 'My first shop',
      external_reference: `first-shop-${workspaceId.slice(-6)}`,
      personal_data_retention_days: null,
    })
    .execute()
  await audit(store, {
    ...act,
    type: 'CourierConnectionCreated',
    data: {
      courier_connection_id: connectionId,
      workspace_id: workspaceId,
      provider_code: simulatedProviderCode,
    },
  })
  const credentials = { username: 'sandbox', password: newValue() }
  await db
    .insertInto('courier_connections')
    .values({
      ...common,
      id: connectionId,
      workspace_id: workspaceId,
      provider_code: simulatedProviderCode,
      display_name: 'Simulated courier',
      status: 'active',
      credentials: services.sealer.seal({ organizationId, connectionId, credentials }),
    })
    .execute()
  const order = { organizationId, workspaceId: null, livemode: false, expiresAt: null }
  const person = { organizationId, name: 'Sandbox operator', email: 'operator@sandbox.example' }
  const { id: operatorId } = await createOperator(services, person, by)
  const ofPerson = { name: person.name, role: 'admin', scopes, operatorId } as const
  const operator = await createApiKey(services, { ...order, ...ofPerson }, by)
  const ofShop = { name: sandboxName, scopes: defaultScopes }
  const shop = await createApiKey(services, { ...order, ...ofShop }, by)
  return {
    organizationId,
    workspaceId,
    connectionId,
    shopKey: shop.key,
    operatorId,
    operatorKey: operator.key,
    ...(await firstChoices(services.catalogue)),
  }
}

/** Reuses the organization of a start that was killed while seeding. */
async function sandboxOrganization(services: SeedDeps): Promise<string> {
  const known = await services.db
    .selectFrom('organizations')
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (known !== undefined) return known.id
  return (await createOrganization(services, { name: sandboxName, type: 'external' }, by)).id
}

async function firstChoices(
  catalogue: Catalogue,
): Promise<Pick<Seeded, 'originId' | 'destinationId' | 'productId'>> {
  const mode = { livemode: false, providerCode: simulatedProviderCode }
  const [agencies, products] = await Promise.all([
    catalogue.agencies(mode),
    catalogue.packageProducts(mode),
  ])
  const found = agencies.kind === 'listed' ? agencies.index.items : []
  const fitting =
    products.kind === 'listed'
      ? products.items.find(
          (product) =>
            product.maxWeightKg >= 1 && product.maxLengthM >= 0.2 && product.maxHeightM >= 0.1,
        )
      : undefined
  const [origin, destination] = found
  return {
    originId: origin?.id ?? '<origin_agency_id>',
    destinationId: destination?.id ?? '<destination_agency_id>',
    productId: fitting?.id ?? '<product_id>',
  }
}

/** The text for the person who starts the service, printed when everything is ready. */
export function bannerOf(url: string, seeded: Seeded | null, warning: string | null): string {
  const ready = [
    `shipping-ledger is ready on ${url}`,
    ...(warning === null ? [] : [`Warning: ${warning}`]),
  ]
  const another = [
    'Create another key:',
    `  npm run --silent ledger -- key create --org ${seeded?.organizationId ?? '<org id>'} --mode test`,
  ]
  if (seeded === null) {
    return [
      ...ready,
      `Documentation: ${url}/docs`,
      `Console: ${url}/console`,
      'List the organizations: npm run --silent ledger -- org list',
      ...another,
    ].join('\n')
  }
  return [
    ...ready,
    `Documentation: ${url}/docs (its quick start runs with the shop key)`,
    `Console: ${url}/console (sign in with the operator key)`,
    '',
    'Keys, shown only once:',
    `  shop      ${seeded.shopKey}`,
    `  operator  ${seeded.operatorKey}  (may decide operations, as ${seeded.operatorId})`,
    ...another,
    '',
    'Try it: paste any of these lines, even twice.',
    '',
    ...walkthrough(url, seeded),
  ].join('\n')
}

/** The lines of the banner: commands, and `#` comments between them. */
function walkthrough(url: string, seeded: Seeded): readonly string[] {
  const { workspaceId, organizationId } = seeded
  const idOf = (idempotencyKey: string) =>
    shipmentIdOf({ organizationId, workspaceId, livemode: false, idempotencyKey })
  const curl = `curl -sS -H 'Authorization: Bearer ${seeded.shopKey}'`
  const json = `-H 'Content-Type: application/json'`
  const create = (key: string, scenario: string) =>
    `${curl} ${json} -H 'Idempotency-Key: ${key}' -H 'Sandbox-Scenario: ${scenario}' -w '\\n%{http_code}\\n' '${url}/v1/shipments' -d '${bodyOf(seeded, key)}'`
  const first = idOf('order-1001')
  const lost = idOf('order-1002')
  const get = (path: string) => `${curl} -w '\\n%{http_code}\\n' '${url}${path}'`
  return [
    '# One key, one guide: 201, and the same shipment if you paste it again.',
    create('order-1001', 'happy_path'),
    '# Its label, as a PDF in a file, and its tracking: registered.',
    `${curl} -o label.pdf -w '%{http_code} label.pdf\\n' '${url}/v1/shipments/${first}/documents/label'`,
    get(`/v1/shipments/${first}/tracking`),
    "# The courier's answer is lost: 409 unknown_outcome with an operation (201 if you paste it again) ...",
    create('order-1002', 'lost_response_guide_created'),
    '# ... the operation finds the guide within seconds,',
    `sleep 4; ${get(`/v1/operations/${operationIdOf(lost, 1)}`)}`,
    '# and the same key answers 201.',
    create('order-1002', 'lost_response_guide_created'),
    '# Two days pass on the sandbox clock: delivered.',
    `${curl} ${json} -w '\\n%{http_code}\\n' '${url}/v1/sandbox/clock/advance' -d '{"workspace_id":"${workspaceId}","by":"P2D"}'`,
    get(`/v1/shipments/${first}/tracking`),
  ]
}

function bodyOf(seeded: Seeded, reference: string): string {
  return JSON.stringify(exampleShipmentRequest(reference, seeded))
}
