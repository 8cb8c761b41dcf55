import t from 'tap'
import { planLabel } from '../../src/service/processes/labels/fetch-label.ts'
import { eventually } from '../support/eventually.ts'
import { start } from '../support/given.ts'
import { processParts } from '../support/process-parts.ts'

t.test('plans of labels are written in the order in which the follower locks them', async (t) => {
  const { deps, pool, query } = await processParts(t)
  await query(
    `INSERT INTO due (shipment_id, workspace_id, livemode, label_at)
     VALUES ('shp_a', 'ws', false, now()), ('shp_b', 'ws', false, now())`,
  )
  const follower = await pool.connect()
  await follower.query('BEGIN')
  await follower.query("SELECT FROM due WHERE shipment_id = 'shp_a' FOR UPDATE")
  const plan = (shipmentId: string) =>
    planLabel(deps.db, { shipmentId, now: Date.now() + 60_000, nextAt: start })
  const planned = Promise.all([plan('shp_b'), plan('shp_a')])
  await eventually(
    () =>
      query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      ),
    (waiting) => waiting.length === 1,
  )
  await follower.query("SELECT FROM due WHERE shipment_id = 'shp_b' FOR UPDATE NOWAIT")
  await follower.query('COMMIT')
  follower.release()
  await planned
  const rows = await query('SELECT label_at FROM due')
  t.same(rows, [{ label_at: new Date(start) }, { label_at: new Date(start) }])
})
