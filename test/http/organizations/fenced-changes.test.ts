import { sql } from 'kysely'
import t from 'tap'
import {
  aConnection,
  aKey,
  anOrganization,
  aWorkspace,
  client,
  serverUnderTest,
} from '../server-under-test.ts'

const server = await serverUnderTest(t)
const { db } = server
type Table = 'workspaces' | 'courier_connections' | 'webhook_endpoints'

const { key } = await aKey(server, await anOrganization(server))
const call = client(server.app, key)
const workspaceId = await aWorkspace(call, 'fenced')

async function anEndpoint(): Promise<string> {
  const made = await call('POST', '/v1/webhook-endpoints', {
    workspace_id: workspaceId,
    url: 'https://receiver.example/hooks',
    event_types: ['shipment.*'],
  })
  return String(made.body.id)
}

const resources: readonly {
  readonly table: Table
  readonly path: string
  readonly field: string
  readonly make: () => Promise<string>
}[] = [
  { table: 'workspaces', path: '/v1/workspaces', field: 'name', make: async () => workspaceId },
  {
    table: 'courier_connections',
    path: '/v1/courier-connections',
    field: 'display_name',
    make: () => aConnection(call, workspaceId),
  },
  {
    table: 'webhook_endpoints',
    path: '/v1/webhook-endpoints',
    field: 'description',
    make: anEndpoint,
  },
]

async function waitingForALock(): Promise<number> {
  const { rows } = await sql`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

/** Sends the request, and changes the row between its read and its write. */
async function overtaken<T>(table: Table, id: string, send: () => Promise<T>): Promise<T> {
  const sent: Promise<T>[] = []
  let isAnswered = false
  await db.transaction().execute(async (tx) => {
    await sql`UPDATE ${sql.table(table)} SET version = version + 1 WHERE id = ${id}`.execute(tx)
    sent.push(
      send().finally(() => {
        isAnswered = true
      }),
    )
    while (!isAnswered && (await waitingForALock()) === 0);
  })
  return sent[0] as Promise<T>
}

for (const { table, path, field, make } of resources) {
  t.test(`a change of ${table} overtaken after it was compared is compared again`, async (t) => {
    const id = await make()
    const one = `${path}/${id}`
    const { etag } = (await call('GET', one)).headers
    const based = await overtaken(table, id, () =>
      call('PATCH', one, { [field]: 'Based on an old version' }, { 'if-match': String(etag) }),
    )
    t.equal(based.status, 412)
    t.match(based.body, { reason: 'precondition_failed', outcome: 'not_executed' })
    const after = await call('GET', one)
    t.equal(after.body.version, 2)
    t.not(after.body[field], 'Based on an old version')

    const anyway = await overtaken(table, id, () => call('PATCH', one, { [field]: 'Anyway' }))
    t.equal(anyway.status, 200)
    t.match(anyway.body, { [field]: 'Anyway', version: 4 })
  })
}

t.test('a connection or endpoint changed after it was compared is not deleted', async (t) => {
  for (const { table, path, make } of resources.slice(1)) {
    const id = await make()
    const one = `${path}/${id}`
    const { etag } = (await call('GET', one)).headers
    const based = await overtaken(table, id, () =>
      call('DELETE', one, undefined, { 'if-match': String(etag) }),
    )
    t.equal(based.status, 412, table)
    t.equal((await call('GET', one)).status, 200)
    t.equal((await call('DELETE', one)).status, 204)
  }
})
