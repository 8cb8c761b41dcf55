import t from 'tap'
import { runTidying } from '../../src/service/processes/due/run-tidying.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/given.ts'
import { processParts } from '../support/process-parts.ts'
import { storeRow } from '../support/stored-row.ts'

const rows = 1_000

t.test('a worker deletes old orphans page after page, not one page at a time', async (t) => {
  const { deps, pool, query } = await processParts(t)
  const { organization_id: organizationId, workspace_id: workspaceId } = request
  const draft = deps.vault.prepare({ organizationId, workspaceId, shipmentId: 'shp_orphan' }, {})
  await storeRow(pool, draft)
  await query(
    `INSERT INTO vault (ref, organization_id, workspace_id, shipment_id, master_key_id, wrapped_key,
       payload, created_at)
     SELECT gen_random_uuid(), organization_id, workspace_id, shipment_id || n, master_key_id,
       wrapped_key, payload, now() - interval '2 days' - n * interval '1 second'
     FROM vault, generate_series(1, $1) n`,
    [rows],
  )
  const left = async () => {
    const [found] = await query<{ left: number }>('SELECT count(*)::int AS left FROM vault')
    return found?.left
  }
  t.equal(await left(), rows + 1)
  const stop = new AbortController()
  const working = runTidying(deps, pool, stop.signal)
  t.teardown(() => working)
  try {
    await eventually(left, (count) => count === 1)
  } finally {
    stop.abort()
  }
  const [young] = await query<{ ref: string }>('SELECT ref FROM vault')
  t.equal(young?.ref, draft.ref)
})
