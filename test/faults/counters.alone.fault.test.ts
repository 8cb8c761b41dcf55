import t, { type Test } from 'tap'
import { countedServer } from '../bench/support/counted-server.ts'
import { type Counted, countCreations } from '../bench/support/creation-counters.ts'

// Limits for what `npm run bench -- counters` measures, for creations that share no work. A change
// that adds a row or a statement to every creation must raise the limit here.

const creations = 25
/** For work shared by several creations; one more row or statement per creation would add 1. */
const tolerance = 0.6

const insertedMax: Readonly<Record<string, number>> = {
  'ledger.event': 3,
  'public.vault': 1,
  'public.vault_items': 1,
  'public.quota_reservations': 1,
  // One row per answered request, below 20 requests a second.
  'public.request_log': 1,
  'public.due': 1,
  'public.webhook_events': 1,
  'projections.shipments': 1,
}
const updatedMax: Readonly<Record<string, number>> = {
  // The checkpoints of shipments, audit events, due work and webhooks, for the request and for its
  // outcome: on a slow machine the two are never applied together.
  'public.projections': 8,
  'public.quota_months': 1,
  // A look is scheduled for the end of the call and cancelled; a label is claimed and rescheduled.
  'public.due': 3,
  'projections.shipments': 1,
  // Sums per minute, shared by creations that end within one batch.
  'projections.statistics': 1,
  // Leases are renewed by time: one renewal more or less may fall into the measured period.
  'public.claims': 1,
}
/** Limits by the beginning of the statement. */
const statementsMax: Readonly<Record<string, number>> = {
  // Once before the call to the courier, once after it.
  'SELECT status, revision, position, stored_at': 2,
  'NOTIFY ledger_committed': 2,
  'WITH held AS MATERIALIZED': 2,
  'SELECT position::text, stream_id, revision': 3,
  'SELECT id, workspace_id, event_types, created_at FROM webhook_endpoints': 1,
  // Due work is queried as soon as the next label is due.
  'SELECT (SELECT (extract': 1,
  'WITH by_wall AS': 1,
  'UPDATE due d SET owner': 2,
  // Polled more often for ten seconds after each creation.
  'SELECT * FROM webhook_claim': 2,
  'SELECT FROM quota_thresholds': 1,
  // Labels that are due together are fetched together; on a slow machine each is due alone.
  'SELECT n::int': 1,
  'WITH locked AS MATERIALIZED': 2,
  // At most one per second; here creations are made one by one.
  'INSERT INTO request_log': 1,
  // Of the sealer and of tidying, which run by time: a slow machine has more of them for each creation.
  BEGIN: 1,
  COMMIT: 1,
}
/** A little above the measured value, which is 11,400 where labels are fetched together, and else 13,800. */
const walBytesMax = 14_500
/** Some of them run once a minute. */
const idleStatementsMax = 5

function atMost(
  t: Test,
  what: string,
  counted: readonly Counted[],
  max: Readonly<Record<string, number>>,
): void {
  // The longest match first, because `vault_items` also begins with `vault`.
  const starts = Object.keys(max).toSorted((a, b) => b.length - a.length)
  const found = new Map(starts.map((start) => [start, 0]))
  for (const { name, count } of counted) {
    const plain = name.replace(/_g\d+$/, '')
    const start = starts.find((each) => plain.startsWith(each)) ?? plain
    found.set(start, (found.get(start) ?? 0) + count)
  }
  for (const [start, count] of found) {
    const allowed = max[start] ?? 0
    t.ok(count <= allowed + tolerance, `${what}: ${count.toFixed(2)} of ${allowed}: ${start}`)
  }
}

t.test('a creation stays within its limits of rows, statements and WAL bytes', async (t) => {
  const server = await countedServer()
  t.teardown(() => server.stop())
  const found = await countCreations(t, server, {
    warmUp: ({ apart }) => apart(5),
    create: ({ apart }) => apart(creations),
    idleSeconds: 20,
  })
  atMost(t, 'statements', found.byStatement, statementsMax)
  atMost(t, 'rows inserted', found.insertedByTable, insertedMax)
  atMost(t, 'rows updated', found.updatedByTable, updatedMax)
  t.ok(found.walBytes <= walBytesMax, `${found.walBytes} bytes of the log`)
  const idle = found.idleStatementsPerSecond
  t.ok(idle <= idleStatementsMax, `${idle} statements a second when nothing happens`)
})
