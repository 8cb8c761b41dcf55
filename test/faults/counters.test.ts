import t, { type Test } from 'tap'
import { countedServer } from '../support/counted-server.ts'
import { type Counted, countCreations } from '../support/creation-counters.ts'

// What `npm run bench -- counters` measures, of creations that share nothing with one another: so much
// and no more. Whoever adds a row or a statement to every creation says so here.

const creations = 25
/** What falls due once for several creations; a row or a statement more for each would be one. */
const besides = 0.6

const insertedMax: Readonly<Record<string, number>> = {
  'ledger.event': 3,
  'public.vault': 1,
  'public.vault_items': 1,
  'public.quota_reservations': 1,
  'public.sandbox_attempts': 1,
  'projections.shipments': 1,
  'projections.timers': 1,
  'projections.tracking': 1,
  'public.polls': 1,
  'public.label_requests': 1,
  'public.claims': 1,
  'public.webhook_events': 1,
}
const updatedMax: Readonly<Record<string, number>> = {
  'public.projections': 4,
  'public.quota_months': 1,
  'public.label_requests': 1,
  'projections.shipments': 1,
  'projections.timers': 1,
  // Leases are renewed by time.
  'public.claims': 1,
}
/** By how they begin. */
const statementsMax: Readonly<Record<string, number>> = {
  'SELECT status, revision, position FROM ledger.append_texts': 2,
  'NOTIFY ledger_committed': 2,
  'WITH quota AS MATERIALIZED': 1,
  'INSERT INTO vault_items': 1,
  'SELECT projection_apply': 4,
  'SELECT position::text, stream_id, revision': 3,
  'SELECT id, workspace_id, event_types, created_at FROM webhook_endpoints': 1,
  // The loops that look for what is due: a little more often where they found something.
  'WITH by_wall AS': 1,
  'SELECT FROM projections.tracking': 1,
  // Looked for more often for ten seconds after each.
  'SELECT * FROM webhook_claim': 2,
  'SELECT FROM webhook_notices': 1,
}
/** A little above what was reached. */
const walBytesMax = 19_600
const idleTransactionsMax = 24

function atMost(
  t: Test,
  what: string,
  counted: readonly Counted[],
  max: Readonly<Record<string, number>>,
): void {
  // The longest that fits: `vault` is also how `vault_items` begins.
  const starts = Object.keys(max).toSorted((a, b) => b.length - a.length)
  const found = new Map(starts.map((start) => [start, 0]))
  for (const { name, count } of counted) {
    const plain = name.replace(/_g\d+$/, '')
    const start = starts.find((each) => plain.startsWith(each)) ?? plain
    found.set(start, (found.get(start) ?? 0) + count)
  }
  for (const [start, count] of found) {
    const allowed = max[start] ?? 0
    t.ok(count <= allowed + besides, `${what}: ${count.toFixed(2)} of ${allowed}: ${start}`)
  }
}

t.test('a creation makes PostgreSQL do so much and no more', async (t) => {
  const server = await countedServer()
  t.teardown(() => server.stop())
  const found = await countCreations(t, server, {
    warmUp: ({ apart }) => apart(5),
    create: ({ apart }) => apart(creations),
    idleSeconds: 8,
  })
  atMost(t, 'statements', found.byStatement, statementsMax)
  atMost(t, 'rows inserted', found.insertedByTable, insertedMax)
  atMost(t, 'rows updated', found.updatedByTable, updatedMax)
  t.ok(found.walBytes <= walBytesMax, `${found.walBytes} bytes of the log`)
  const idle = found.idleTransactionsPerSecond
  t.ok(idle <= idleTransactionsMax, `${idle} transactions a second when nothing happens`)
})
