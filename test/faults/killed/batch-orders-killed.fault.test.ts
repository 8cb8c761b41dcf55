import t from 'tap'
import { exampleConnectionRequest } from '../../../src/service/http/openapi/examples.ts'
import { type ApiClient, apiClient } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { fleet } from '../../support/processes.ts'

const orderCount = 120
const names = ['one', 'two', 'three']
/** In time on the sandbox clock: longer than any reconciliation takes. */
const untilConcluded = 'PT10M'

const all = await fleet(t)

/** An interrupted attempt is settled after some seconds, and its line is tried again later. */
const endedMs = 120_000

async function connectionOf(api: ApiClient): Promise<string> {
  const { workspaceId } = api.seeded
  return (await api.client.courierConnections.create(exampleConnectionRequest(workspaceId))).id
}

async function send(api: ApiClient, name: string, connection: string): Promise<string> {
  const { courier_connection_id, workspace_id, ...line } = api.bodyOf('any')
  const items = Array.from({ length: orderCount }, (_, n) => ({
    ...line,
    external_reference: `order-${n}${name === 'two' ? '.0' : ''}`,
  }))
  const body = {
    external_reference: name,
    workspace_id,
    courier_connection_id: connection,
    items,
  }
  const answer = await api.call('/v1/batches', { body })
  if (answer.status !== 202) throw new Error(`the batch was answered ${answer.status}`)
  return answer.body.id
}

async function untilEnded(api: ApiClient, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await eventually(
      () => api.call(`/v1/batches/${id}`),
      ({ body }) => body.ended_at !== null && !('unknown_outcome' in body.counts),
      endedMs,
    )
  }
}

/**
 * The number of guides per order in the courier's own record, for the shipments that lines created.
 */
async function guidesByOrder(api: ApiClient): Promise<ReadonlyMap<string, number>> {
  const guides = new Map<string, number>()
  const { workspaceId: workspace_id } = api.seeded
  for await (const each of api.client.shipments.list({ workspace_id, limit: 100 })) {
    const order = each.external_reference.replace(/\.0$/, '')
    guides.set(order, (guides.get(order) ?? 0) + all.record.guidesOf(each.id).length)
  }
  return guides
}

t.test('one order has one guide in three batches over two killed processes', async (t) => {
  const roles = 'api,projector,worker'
  const first = await all.start({ roles })
  let second = await all.start({ roles })
  const connections = await Promise.all(names.map(() => connectionOf(first)))
  const apis = [first, second, first]
  const ids = await Promise.all(
    names.map((name, n) => send(apis[n] as ApiClient, name, String(connections[n]))),
  )
  for (const kill of [1, 2]) {
    await eventually(
      async () => all.record.guideCount(),
      (count) => count >= (orderCount * kill) / 4,
      endedMs,
    )
    second.signal('SIGKILL')
    await second.ended
    second = await all.start({ roles })
  }
  const api = apiClient(first.url, all.seeded)
  await api.advance(untilConcluded)
  await untilEnded(api, ids)
  for (const [order, count] of await guidesByOrder(api)) {
    if (count > 1) t.fail(`${order} has ${count} guides`)
  }
  // A line interrupted before the courier was called created nothing, so its order is free.
  const again = await send(api, 'four', String(connections[0]))
  await api.advance(untilConcluded)
  await untilEnded(api, [again])
  const guides = await guidesByOrder(api)
  t.equal(guides.size, orderCount)
  t.strictSame([...new Set(guides.values())], [1])
  t.equal(all.record.guideCount(), orderCount)
})
