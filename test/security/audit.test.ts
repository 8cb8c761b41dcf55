import t from 'tap'
import { auditStream } from '../../src/service/domain/ids.ts'
import { leafHolds, metadataOf } from '../../src/service/event-store/codec.ts'
import { AppendUnknown, type EventStore } from '../../src/service/event-store/event-store.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { type AuditEntry, audit } from '../../src/service/security/audit.ts'

const organizationId = `org_${'1'.repeat(22)}`

function act(n: number): AuditEntry {
  return {
    organizationId,
    workspaceId: `ws_${n}`,
    livemode: false,
    actor: { type: 'api_key', keyId: 'key_1' },
    requestId: `req_${n}`,
    type: 'WorkspaceCreated',
    data: { workspace_id: `ws_${n}` },
  }
}

/** The same store behind another adapter, which may lose answers. */
function through(store: EventStore, append?: EventStore['append']): EventStore {
  return {
    append: append ?? ((...args) => store.append(...args)),
    readStream: (...args) => store.readStream(...args),
    readAll: (...args) => store.readAll(...args),
    eventAt: (position) => store.eventAt(position),
    subscribe: (...args) => store.subscribe(...args),
    head: () => store.head(),
    end: () => store.end(),
    close: () => store.close(),
  }
}

t.test('fifty concurrent audit entries become fifty events with valid leaves', async (t) => {
  const store = memoryEventStore()
  t.teardown(() => store.close())
  await Promise.all(Array.from({ length: 50 }, (_, n) => audit(store, act(n))))
  const events = await store.readStream(auditStream(organizationId))
  t.equal(events.length, 50)
  t.equal(new Set(events.map((event) => event.data.workspace_id)).size, 50)
  t.ok(events.every((event) => leafHolds(event)))
  t.match(metadataOf(events[0]!), {
    organization_id: organizationId,
    actor: { type: 'api_key', key_id: 'key_1' },
    request_id: /^req_/,
  })
})

t.test('concurrent writers of an audit stream lose no entry', async (t) => {
  const store = memoryEventStore()
  t.teardown(() => store.close())
  await audit(store, act(1))
  // A second adapter for the same store does not know where the stream ends.
  const other = through(store)
  await audit(other, act(2))
  await audit(store, act(3))
  await audit(other, act(4))
  const events = await store.readStream(auditStream(organizationId))
  t.same(
    events.map((event) => event.data.workspace_id),
    ['ws_1', 'ws_2', 'ws_3', 'ws_4'],
  )
})

t.test('an audit append whose answer was lost is repeated and written once', async (t) => {
  const store = memoryEventStore()
  t.teardown(() => store.close())
  let lost = 0
  const lossy = through(store, async (...args) => {
    const outcome = await store.append(...args)
    if (lost++ === 0) throw new AppendUnknown('the answer was lost')
    return outcome
  })
  await audit(lossy, act(1))
  t.equal((await store.readStream(auditStream(organizationId))).length, 1)
  t.equal(lost, 2)
})

t.test('an audit event with a forbidden field is refused before it is written', async (t) => {
  const store = memoryEventStore()
  t.teardown(() => store.close())
  const named = {
    ...act(1),
    data: { workspace_id: 'ws_1', name: 'Somebody' },
  } as unknown as AuditEntry
  await t.rejects(audit(store, named))
  t.equal(await store.head(), null)
})
