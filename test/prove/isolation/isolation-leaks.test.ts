import t from 'tap'
import { logLeaks, webhookLeaks } from './isolation-leaks.ts'
import { nobody, type Reach } from './isolation-worlds.ts'

const own = { ...nobody, workspace: 'ws_own' }
const victim = {
  ...nobody,
  workspace: 'ws_victim',
  shipment: 'shp_victim',
  key: 'canary-key',
  reference: 'canary-reference',
  guide: 'SG123',
  person: 'Canariensis',
  secrets: ['canary-password'],
}
const reach: Reach = {
  name: 'foreign',
  apiKey: 'svc_test_caller',
  own,
  victims: [victim],
  cursors: [],
  guarded: { organizationId: null, workspaceIds: [] },
}
const served = '{"level":30,"msg":"request served"}'

t.test('a log with fewer lines than requests is reported', async (t) => {
  t.same(logLeaks([reach], 2, [served, served]), [])
  t.match(logLeaks([reach], 2, [served]), [{ what: '1 lines of 2 requests' }])
  t.match(logLeaks([reach], 2, []), [{ what: '0 lines of 2 requests' }])
})

t.test("a victim's data or an API key in a log is found", async (t) => {
  const { key, reference, guide, person } = victim
  for (const text of [key, reference, guide, person, 'canary-password', 'svc_test_caller']) {
    const [seen] = logLeaks([reach], 1, [served, `{"reason":"${text}"}`])
    t.match(seen, { ask: 'log', what: `tells ${text} as it is` })
  }
  t.same(logLeaks([reach], 1, [served, '{"shipmentId":"shp_victim"}']), [], 'an id may be there')
})

t.test("a victim's data is found only in webhooks of other workspaces", async (t) => {
  const mine = { ws_own: '{"id":"shp_mine"}' }
  t.same(webhookLeaks(reach, { ...mine, ws_victim: 'shp_victim' }), [])
  t.match(webhookLeaks(reach, { ws_own: 'of shp_victim' }), [{ what: 'tell shp_victim' }])
  t.match(webhookLeaks(reach, { ...mine, ws_third: 'Canariensis' }), [{ what: 'tell Canariensis' }])
  t.match(webhookLeaks(reach, {}), [{ what: 'nothing to search' }])
})
