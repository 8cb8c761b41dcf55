import t, { type Test } from 'tap'
import { auditStream, platform } from '../../src/service/domain/ids.ts'
import { EventStoreUnavailable } from '../../src/service/event-store/event-store.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import {
  addressPrefix,
  FailedAuthentications,
  type KeyOwner,
} from '../../src/service/security/failed-authentications.ts'
import { noLog } from '../support/no-log.ts'

const organizationId = `org_${'1'.repeat(22)}`
const minuteMs = 60_000
const noon = Date.parse('2026-03-01T12:00:00.000Z')

function keyOf(n: number, more: Partial<KeyOwner> = {}): KeyOwner {
  return { keyId: `key_${n}`, organizationId, workspaceId: null, livemode: false, ...more }
}

function counting(t: Test, at = { now: noon }) {
  const store = memoryEventStore()
  const failures = new FailedAuthentications({ store, log: noLog, now: () => at.now })
  t.teardown(async () => {
    await failures.close()
    await store.close()
  })
  const recorded = async (owner: string) =>
    (await store.readStream(auditStream(owner))).map(({ data, metadata }) => ({ data, metadata }))
  return { store, failures, recorded }
}

t.test('an address is only known by its network', async (t) => {
  const cases = {
    '203.0.113.77': '203.0.113.0/24',
    '::ffff:203.0.113.77': '203.0.113.0/24',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1::/48',
    '::1': '::/48',
    'fe80::1%eth0': 'fe80::/48',
    'not an address': null,
    '': null,
  }
  for (const [address, prefix] of Object.entries(cases)) {
    t.equal(addressPrefix(address), prefix, address)
  }
})

t.test('a thousand failures of a minute become one event an owner', async (t) => {
  const { failures, recorded } = counting(t)
  for (let n = 0; n < 1_000; n++) {
    failures.count(`203.0.113.${n % 250}`, null)
    failures.count('2001:db8:1::7', keyOf(1))
  }
  await failures.record()
  await failures.record()
  const minute = '2026-03-01T12:00:00.000Z'
  t.match(await recorded(platform), [
    {
      data: {
        minute,
        counts: [{ key_id: null, address_prefix: '203.0.113.0/24', count: 1_000 }],
        others: 0,
      },
      metadata: { actor: { type: 'system', key_id: null }, organization_id: platform },
    },
  ])
  t.equal((await recorded(platform)).length, 1)
  t.match(await recorded(organizationId), [
    {
      data: {
        minute,
        counts: [{ key_id: 'key_1', address_prefix: '2001:db8:1::/48', count: 1_000 }],
        others: 0,
      },
      metadata: { organization_id: organizationId, livemode: false, workspace_id: null },
    },
  ])
})

t.test('failures from ever new networks and keys are summed up beyond a bound', async (t) => {
  const { failures, recorded } = counting(t)
  const networks = 5_000
  for (let n = 0; n < networks; n++) failures.count(`10.${n % 256}.${n >> 8}.1`, null)
  for (let n = 0; n < 300; n++) {
    failures.count('10.0.0.1', keyOf(n, { organizationId: `org_${n}` }))
  }
  for (let n = 0; n < 150; n++) failures.count('10.0.0.1', keyOf(n, { organizationId: 'org_0' }))
  await failures.record()
  const [event, ...more] = await recorded(platform)
  t.same(more, [])
  type Data = { readonly counts: readonly { readonly count: number }[]; readonly others: number }
  const { counts, others } = (event as { data: unknown }).data as Data
  t.equal(counts.length, 100)
  const sum = others + counts.reduce((all, { count }) => all + count, 0)
  t.equal(sum, networks + 300 - 99, 'no failure is lost: 99 other owners had room')
  const [first] = await recorded('org_0')
  const own = (first as { data: unknown }).data as Data
  t.match([own.others, own.counts.length], [50, 100])
})

t.test('each minute, mode and workspace has its own event', async (t) => {
  const at = { now: noon }
  const { failures, recorded } = counting(t, at)
  failures.count('10.0.0.1', keyOf(1))
  failures.count('10.0.0.1', keyOf(2, { livemode: true, workspaceId: 'ws_1' }))
  at.now += minuteMs + 30_000
  failures.count('10.0.0.1', keyOf(1))
  await failures.record()
  const events = await recorded(organizationId)
  t.match(events, [
    { data: { minute: '2026-03-01T12:00:00.000Z' }, metadata: { livemode: false } },
    { metadata: { livemode: true, workspace_id: 'ws_1' } },
    { data: { minute: '2026-03-01T12:01:00.000Z', counts: [{ count: 1 }] } },
  ])
  t.equal(events.length, 3)
})

t.test('what could not be recorded is recorded later, and once', async (t) => {
  const { store, failures, recorded } = counting(t)
  const append = store.append.bind(store)
  failures.count('10.0.0.1', null)
  failures.count('10.0.0.1', keyOf(1))
  store.append = async () => {
    throw new EventStoreUnavailable('refused by the test')
  }
  await failures.record()
  store.append = append
  await failures.record()
  await failures.record()
  t.equal((await recorded(platform)).length, 1)
  t.equal((await recorded(organizationId)).length, 1)
})

t.test('closing records what is left', async (t) => {
  const { failures, recorded } = counting(t)
  failures.count('10.0.0.1', keyOf(1))
  await failures.close()
  t.equal((await recorded(organizationId)).length, 1)
})
