import { spawnSync } from 'node:child_process'
import { type Answer, apiClient, freshShop } from '../../support/api-client.ts'
import { createSecrets, readCompose } from '../../support/compose-file.ts'
import { say } from '../../support/say.ts'
import { removeAll } from './podman.ts'
import { Profile, startOrder } from './profile.ts'
import { buildStages } from './stages.ts'

// The Dockerfile is built as it is, and the single node of docker-compose.yml runs on podman:
// `npm run prove:containers`. It needs podman 4 and, for images that are not there yet, their
// registry. The images stay, for the next run; everything else is removed.

if (spawnSync('podman', ['--version']).status !== 0) {
  say('containers: skipped: podman is not installed')
  process.exit(0)
}

let passed = 0
let failed = 0

function check(isSo: boolean, what: string): void {
  if (isSo) passed += 1
  else failed += 1
  say(`${isSo ? 'ok ' : 'NOT'} ${what}`)
}

type Product = { readonly max_weight_kg: number; readonly max_height_m: number }

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/** Creates an organization in the container, as the head of the Compose file says, and uses its key. */
async function createsShipment(profile: Profile): Promise<Answer> {
  const cli = ['node', 'src/service/cli/cli.ts']
  const shop = await profile.exec('app', ...cli, 'org', 'create', '--name', 'A shop', '--json')
  const { organization, api_key } = JSON.parse(shop)
  check(/^org_/.test(organization.id), `org create: ${organization.id} and its key`)
  const seeded = { organizationId: organization.id, shopKey: api_key.key }
  const unknown = { workspaceId: '', connectionId: '', operatorId: '', operatorKey: '' }
  const noIds = { originId: '', destinationId: '', productId: '' }
  const url = await profile.url('app', 3000)
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
  const ready = { ...seeded, ...unknown, workspaceId, connectionId, ...ids }
  return await apiClient(url, ready).create('order-5001')
}

async function checkRoles(profile: Profile): Promise<void> {
  const sql =
    "SELECT rolname, rolsuper FROM pg_roles WHERE rolname LIKE 'shipping_ledger%' ORDER BY 1"
  const rows = await profile.exec('postgres', 'psql', '-X', '-U', 'postgres', '-Atc', sql)
  const wanted = ['shipping_ledger|f', 'shipping_ledger_owner|f'].join('\n')
  check(rows === wanted, 'PostgreSQL has both roles, and neither is a superuser')
}

/** The service runs as the image's user and cannot change what it runs. */
async function checkProcess(profile: Profile, name: string): Promise<void> {
  const script = `
    let written = 'written'
    try { require('node:fs').writeFileSync('/app/x', '') } catch ({ code }) { written = code }
    console.log(process.getuid(), written)`
  const found = await profile.exec(name, 'node', '-e', script)
  check(/^[1-9]\d* (EROFS|EACCES)$/.test(found), `${name} is no root and writes nothing (${found})`)
}

/** Stops the services as Compose does: dependents first. */
async function checkStops(profile: Profile, order: readonly string[]): Promise<void> {
  const beganAt = performance.now()
  for (const name of order.toReversed()) {
    const { exitCode, ms } = await profile.stop(name)
    check(exitCode === 0, `${name} stopped in ${seconds(ms)} and exited with ${exitCode}`)
  }
  say(`all stopped after ${seconds(performance.now() - beganAt)}`)
}

/** The single node of the Compose file, from its first start to its stop. */
async function checkProfile(image: string): Promise<void> {
  const compose = readCompose()
  const profile = new Profile(compose, createSecrets(), image)
  const order = startOrder(compose, 'app')
  await profile.prepare(order)
  const beganAt = performance.now()
  for (const name of order) {
    const startedAt = performance.now()
    await profile.start(name)
    const isOnce = compose.services[name]?.healthcheck === undefined
    const state = isOnce ? 'ran and exited with 0' : 'is healthy'
    check(true, `${name} ${state} after ${seconds(performance.now() - startedAt)}`)
  }
  say(`all ready after ${seconds(performance.now() - beganAt)}`)
  await checkRoles(profile)
  await checkProcess(profile, 'app')
  const { status, body } = await createsShipment(profile)
  check(status === 201, `a creation is answered 201 (${status}, guide ${body.guide_number})`)
  await checkStops(profile, order)
}

await removeAll()
try {
  const image = await buildStages((stage, ms) => {
    check(true, `stage ${stage} of the Dockerfile built in ${seconds(ms)}`)
  })
  await checkProfile(image)
} catch (error) {
  check(false, error instanceof Error ? error.message : String(error))
} finally {
  await removeAll()
}
say(`containers: ${passed} checks, ${failed} violations`)
if (failed > 0) process.exitCode = 1
