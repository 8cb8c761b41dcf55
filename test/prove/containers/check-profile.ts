import { type ApiClient, apiClient, freshShop } from '../../support/api-client.ts'
import type { Compose, Secrets } from '../../support/compose-file.ts'
import { say } from '../../support/say.ts'
import { Profile, startOrder } from './profile.ts'

// What both sides of the Compose file must do.

export type Check = (isSo: boolean, what: string) => void

export type Side = {
  readonly compose: Compose
  readonly secrets: Secrets
  readonly image: string
  readonly check: Check
}

export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/** Starts the service and everything that it needs, as Compose does. */
export async function startSide(
  { compose, secrets, image, check }: Side,
  name: string,
): Promise<{ readonly profile: Profile; readonly names: readonly string[] }> {
  const profile = new Profile(compose, secrets, image)
  const names = startOrder(compose, name)
  await profile.prepare(names)
  const beganAt = performance.now()
  await profile.startAll(names, (one, ms) => {
    const isOnce = compose.services[one]?.healthcheck === undefined
    const state = isOnce ? 'ran and exited with 0' : 'is healthy'
    check(true, `${one} ${state} after ${seconds(ms)}`)
  })
  say(`all ready after ${seconds(performance.now() - beganAt)}`)
  return { profile, names }
}

export async function checkRoles(profile: Profile, check: Check, postgres: string): Promise<void> {
  const sql =
    "SELECT rolname, rolsuper FROM pg_roles WHERE rolname LIKE 'shipping_ledger%' ORDER BY 1"
  const rows = await profile.exec(postgres, 'psql', '-X', '-U', 'postgres', '-Atc', sql)
  const wanted = ['shipping_ledger|f', 'shipping_ledger_owner|f'].join('\n')
  check(rows === wanted, 'PostgreSQL has both roles, and neither is a superuser')
}

/** The service runs as the image's user and cannot change what it runs. */
export async function checkProcess(profile: Profile, check: Check, name: string): Promise<void> {
  const script = `
    let written = 'written'
    try { require('node:fs').writeFileSync('/app/x', '') } catch ({ code }) { written = code }
    console.log(process.getuid(), written)`
  const found = await profile.exec(name, 'node', '-e', script)
  check(/^[1-9]\d* (EROFS|EACCES)$/.test(found), `${name} is no root and writes nothing (${found})`)
}

type Product = { readonly max_weight_kg: number; readonly max_height_m: number }

/**
 * Creates an organization by a command in the container `name`, as the head of the Compose file says,
 * and with its key a workspace and a connection.
 */
export async function openShop(
  profile: Profile,
  check: Check,
  { name, url }: { readonly name: string; readonly url: string },
): Promise<ApiClient> {
  const cli = ['node', 'src/service/cli/cli.ts']
  const shop = await profile.exec(name, ...cli, 'org', 'create', '--name', 'A shop', '--json')
  const { organization, api_key } = JSON.parse(shop)
  check(/^org_/.test(organization.id), `org create: ${organization.id} and its key`)
  const seeded = { organizationId: organization.id, shopKey: api_key.key }
  const unknown = { workspaceId: '', connectionId: '', operatorId: '', operatorKey: '' }
  const noIds = { originId: '', destinationId: '', productId: '' }
  const first = await freshShop(apiClient(url, { ...seeded, ...unknown, ...noIds }), 'a-shop')
  const { workspaceId, connectionId } = first.seeded
  const ofConnection = `courier_connection_id=${connectionId}`
  const agencies = await first.call(`/v1/agencies?${ofConnection}`)
  const products = await first.call(`/v1/package-products?${ofConnection}`)
  const [origin, destination] = agencies.body.data
  const ids = {
    originId: origin.id,
    destinationId: destination.id,
    productId: products.body.data.find(
      (one: Product) => one.max_weight_kg >= 1 && one.max_height_m >= 0.1,
    ).id,
  }
  return apiClient(url, { ...seeded, ...unknown, workspaceId, connectionId, ...ids })
}

/** Stops the services as Compose does: dependents first. */
export async function checkStops(
  profile: Profile,
  check: Check,
  names: readonly string[],
): Promise<void> {
  const beganAt = performance.now()
  for (const { name, exitCode, ms } of await profile.stopAll(names)) {
    check(exitCode === 0, `${name} stopped in ${seconds(ms)} and exited with ${exitCode}`)
  }
  say(`all stopped after ${seconds(performance.now() - beganAt)}`)
}
