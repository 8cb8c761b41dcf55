import t, { type Test } from 'tap'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { eventually } from '../support/eventually.ts'
import { receiver } from '../support/receiver.ts'
import { clientCommand, runClientCommand, runProcess } from '../support/run-process.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const url = shop.url
const { shopKey: key, workspaceId } = shop.seeded
const asShop = ['--key', key, '--url', url]

/** The shipments in order of creation. */
const made: string[] = []

/** The command in a process of its own, without a database. */
async function listening(t: Test, ...more: readonly string[]) {
  const started = runProcess(clientCommand, {
    arguments: ['listen', ...asShop, ...more],
  })
  t.teardown(async () => {
    started.child.kill('SIGKILL')
    await started.ended
  })
  const [, secret] = await started.said(/signed with (whsec_\S+)/)
  return {
    secret: String(secret),
    said: started.said,
    async stopped() {
      started.child.kill('SIGINT')
      return await started.ended
    },
  }
}

t.test('an unknown scenario, a live key or an invalid address is refused', async (t) => {
  for (const [sentence, ...words] of [
    ['There is no scenario "none".', 'trigger', 'none', ...asShop],
    ['--key must be a test key', 'trigger', 'happy_path', '--key', 'svc_live_x', '--url', url],
    ['--url is not an address', 'listen', '--key', key, '--url', 'here'],
    ['--forward is not an address', 'listen', ...asShop, '--forward', 'here'],
    ['--secret must be whsec_', 'listen', ...asShop, '--secret', 'abc'],
    ['--replay must be a time', 'listen', ...asShop, '--replay', 'yesterday'],
  ]) {
    const { stderr, code } = await runClientCommand({}, ...words)
    t.equal(code, 64, String(sentence))
    t.match(stderr, String(sentence))
  }
  const unknown = `svc_test_${'0'.repeat(49)}`
  const refused = await runClientCommand({}, 'listen', '--key', unknown, '--url', url)
  t.equal(refused.code, 1)
  t.match(refused.stderr, 'unauthenticated')
})

t.test('listen forwards each new webhook once, signed, with the bytes of a delivery', async (t) => {
  const direct = await receiver(t)
  await shop.client.webhookEndpoints.create({
    workspace_id: workspaceId,
    url: direct.url,
    event_types: ['shipment.*'],
  })
  const local = await receiver(t)
  const { secret, stopped } = await listening(t, '--forward', local.url, '--type', 'shipment.*')
  const { body } = await shop.create('listened')
  made.push(body.id)
  await eventually(
    () => local.received.length + direct.received.length,
    (count) => count >= 2,
  )
  const [forwarded] = local.received
  const [delivered] = direct.received
  if (forwarded === undefined || delivered === undefined) throw new Error('nothing came')
  t.equal(forwarded.body.toString(), delivered.body.toString())
  const event = await verifyWebhook(forwarded.body, forwarded.headers, secret)
  t.match(event, { type: 'shipment.created', resource: { id: body.id } })
  made.push((await shop.create('listened-2')).body.id)
  await eventually(
    () => local.received.length,
    (count) => count === 2,
  )
  const { stdout, code } = await stopped()
  t.match(stdout, /2 events, 0 not accepted\./)
  t.equal(code, 0)
})

t.test('a replay sends earlier webhooks, oldest first, and reports refused ones', async (t) => {
  const refusing = await receiver(t, () => ({ status: 500 }))
  const { said, stopped } = await listening(
    t,
    ...['--forward', refusing.url, '--replay', '2020-01-01', '--type', 'shipment.created'],
  )
  await said(/shipment\.created {2}evt_\w+ {2}500\n.*shipment\.created {2}evt_\w+ {2}500/)
  const { stdout, code } = await stopped()
  t.match(stdout, /2 events, 2 not accepted\./)
  t.equal(code, 1)
  t.same(
    refusing.received.map(({ event }) => event.resource.id),
    made,
  )
})

// Last, because the webhooks of the recovered shipment come whenever the courier is asked.
t.test('trigger plays a scenario with nothing but a test key', async (t) => {
  const lost = 'lost_response_guide_created'
  const { stdout, code } = await runClientCommand({}, 'trigger', lost, ...asShop, '--json')
  t.equal(code, 0)
  const play = JSON.parse(stdout)
  t.match(play, {
    object: 'play',
    scenario: lost,
    workspace_id: workspaceId,
    answers: [{ call: 'POST /v1/shipments', status: 409, reason: 'unknown_outcome' }],
  })
  const { body } = await shop.call(`/v1/operations/${play.operation_id}`, {
    key: shop.seeded.operatorKey,
  })
  t.equal(body.shipment_id, play.shipment_id)
})

t.test(
  'a play is in the workspace of its connection, and one of nothing known fails',
  async (t) => {
    const { id: connectionId, workspace_id } =
      (await shop.client.courierConnections.list({})).data.at(-1) ?? {}
    const reference = 'a newer workspace'
    const newer = await shop.client.workspaces.create({
      name: reference,
      external_reference: reference,
    })
    t.not(newer.id, workspace_id)
    const named = ['--connection', String(connectionId)]
    const play = await runClientCommand({}, 'trigger', 'happy_path', ...asShop, ...named, '--json')
    t.match(JSON.parse(play.stdout), { workspace_id, answers: [{ status: 201 }] })
    const elsewhere = ['--workspace', newer.id]
    const words = ['trigger', 'cancel_response_lost', ...asShop, ...named, ...elsewhere]
    const refused = await runClientCommand({}, ...words)
    t.equal(refused.code, 1)
    t.match(refused.stdout, 'not_found')
  },
)
