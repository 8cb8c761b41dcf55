import t from 'tap'
import {
  UnreadableLabels,
  type UnreadableWhy,
} from '../../../src/service/processes/labels/unreadable-labels.ts'
import { noLog } from '../../support/no-log.ts'
import { processParts } from '../../support/process-parts.ts'

const parts = await processParts(t)
const counted: UnreadableWhy[] = []
const logged: object[] = []
const log = { ...noLog, warn: (line: object) => void logged.push(line) }
const labels = new UnreadableLabels({
  db: parts.deps.db,
  log,
  counted: (why) => void counted.push(why),
})

t.test('a label that cannot be read is remembered, counted and logged once', async (t) => {
  const label = { shipmentId: 'shp_1', organizationId: 'org_1', labelRef: 'ref_1' } as const
  await labels.note({ ...label, why: 'ended_printer' })
  await labels.note({ ...label, why: 'ended_printer' })
  t.strictSame(counted, ['ended_printer'])
  const line = { shipmentId: 'shp_1', organizationId: 'org_1', reason: 'ended_printer' }
  t.strictSame(logged, [line])
  t.strictSame([...(await labels.among(['shp_0', 'shp_1']))], [['shp_1', 'ref_1']])
  t.equal(await labels.has('shp_1', 'ref_1'), true)
  t.equal(await labels.has('shp_1', 'ref_2'), false, 'another label of the shipment is tried')
  t.equal(await labels.has('shp_0', null), false)
  await labels.note({ ...label, labelRef: null, why: 'not_a_pdf' })
  t.equal(await labels.has('shp_1', null), true)
  t.strictSame(counted, ['ended_printer', 'not_a_pdf'])
})

t.test('of each organization the newest thousand are remembered', async (t) => {
  await parts.query(`
    INSERT INTO unreadable_labels (shipment_id, organization_id, why, noted_at)
    SELECT 'shp_old_' || n, 'org_' || n % 2, 'too_complex', now() - n * interval '1 hour'
    FROM generate_series(1, 2000) AS n`)
  await labels.note({
    shipmentId: 'shp_new',
    organizationId: 'org_0',
    labelRef: null,
    why: 'not_a_pdf',
  })
  const rows = await parts.query<{ organization_id: string; count: number }>(`
    SELECT organization_id, count(*)::int AS count FROM unreadable_labels
    WHERE shipment_id LIKE 'shp_old%' GROUP BY 1 ORDER BY 1`)
  t.strictSame(
    rows.map(({ organization_id: id, count }) => [id, count]),
    [
      ['org_0', 999],
      ['org_1', 1_000],
    ],
  )
  t.equal(await labels.has('shp_old_2000', null), false, 'the oldest is forgotten')
  t.equal(await labels.has('shp_new', null), true)
})
