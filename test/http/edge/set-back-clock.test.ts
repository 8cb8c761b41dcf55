import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { revokeApiKey } from '../../../src/service/security/api-keys.ts'
import { setPlan, suspend } from '../../../src/service/security/organizations.ts'
import { createPlan } from '../../../src/service/security/plans.ts'
import { clocks } from '../../support/clocks.ts'
import { aKey, anOrganization, aWorkspace, client, serverUnderTest } from '../server-under-test.ts'

// A change by one process applies in every other within 5 s, whatever their wall clocks do.

// The real measurement would take the jumps of this test's clock for an overloaded process.
const onTime = { read: () => 0, stop: () => undefined }
const server = await serverUnderTest(t, { lateness: onTime })
const { app } = server
const { setWall, pass } = clocks(t)

/** Sets the service's clock back by an hour and lets five seconds pass. */
function stepBack(): void {
  setWall(-3_600_000)
  pass(5_000)
}

t.test('a revoked key stops working even if the clock is set back', async (t) => {
  const { id, key } = await aKey(server, await anOrganization(server))
  const call = client(app, key)
  t.equal((await call('GET', '/v1/workspaces')).status, 200)
  await revokeApiKey(server, id, byCli)
  t.equal((await call('GET', '/v1/workspaces')).status, 200, 'it is remembered for some seconds')
  stepBack()
  t.equal((await call('GET', '/v1/workspaces')).status, 401)
})

t.test('a suspension begins and ends even if the clock is set back', async (t) => {
  const organizationId = await anOrganization(server)
  const call = client(app, (await aKey(server, organizationId)).key)
  const workspace = await aWorkspace(call, 'shop')
  const rename = async () =>
    (await call('PATCH', `/v1/workspaces/${workspace}`, { name: 'New' })).status
  for (const [isSuspended, status] of [
    [true, 403],
    [false, 200],
  ] as const) {
    await suspend(server, organizationId, isSuspended, byCli)
    stepBack()
    t.equal(await rename(), status)
  }
})

t.test('a new plan takes effect even if the clock is set back', async (t) => {
  const organizationId = await anOrganization(server)
  const call = client(app, (await aKey(server, organizationId)).key)
  t.equal((await call('GET', '/v1/workspaces')).status, 200)
  const unlimited = { workspaces: null, courier_connections: null, webhook_endpoints: null }
  const limits = { ...unlimited, shipments_per_month: null, requests_per_minute: 7 }
  await createPlan(server, { name: 'slow', ...limits }, byCli)
  await setPlan(server, organizationId, 'slow', byCli)
  stepBack()
  const { headers } = await call('GET', '/v1/workspaces')
  t.match(JSON.stringify(headers), /"ratelimit-limit":"?7\b/)
})
