import t, { type Test } from 'tap'
import { countedServer } from '../bench/support/counted-server.ts'
import { type Counted, countCreations } from '../bench/support/creation-counters.ts'

// Limits for what `npm run bench -- counters` measures, for creations that share nothing with each other. A
// change that adds a row or a statement to every creation must raise the limit here.

const creations = 25
/** For work shared by several creations; one more row or statement for each would add 1. */
const tolerance = 0.6

const insertedMax: Readonly<Record<string, number>> = {
  'ledger.event': 3,
  'public.vault': 1,
  'public.vault_items': 1,
  'public.quota_reservations': 1,
  // Each answered request below 20 a second.
  'public.request_log': 1,
  'public.due': 1,
  'public.webhook_events': 1,
  'projections.shipments': 1,
}
const updatedMax: Readonly<Record<string, number>> = {
  // Three checkpoints each, for the request and for its outcome.
  'public.projections': 6,
  'public.quota_months': 1,
  // A look is scheduled for the end of the call and cancelled; a label is claimed and rescheduled.
  'public.due': 3,
  'projections.shipments': 1,
  // Sums of the minute; creations that end within one batch share it.
  'projections.statistics': 1,
  // Leases are renewed as time passes: one renewal more or fewer may fall into the time counted.
  'public.claims': 1,
}
/** Statements by their beginning. */
const statementsMax: Readonly<Record<string, number>> = {
  'SELECT status, revision, position FROM ledger.append_texts': 2,
  'NOTIFY ledger_committed': 2,
  'WITH quota AS MATERIALIZED': 1,
  'INSERT INTO vault_items': 1,
  'WITH held AS MATERIALIZED': 2,
  'SELECT position::text, stream_id, revision': 3,
  'SELECT id, workspace_id, event_types, created_at FROM webhook_endpoints': 1,
  // Due work is queried as soon as the next label is due.
  'SELECT (SELECT (extract': 1,
  'WITH by_wall AS': 1,
  'UPDATE due d SET owner': 2,
  // Polled more often for ten seconds after each creation.
  'SELECT * FROM webhook_claim': 2,
  'SELECT FROM webhook_notices': 1,
  // At most one a second, and creations here are made one by one.
  'INSERT INTO request_log': 1,
}
/** A little above the measured value. */
const walBytesMax = 13_000
/** Some of them come once a minute. */
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
    idleSeconds: 8,
  })
  atMost(t, 'statements', found.byStatement, statementsMax)
  atMost(t, 'rows inserted', found.insertedByTable, insertedMax)
  atMost(t, 'rows updated', found.updatedByTable, updatedMax)
  t.ok(found.walBytes <= walBytesMax, `${found.walBytes} bytes of the log`)
  const idle = found.idleStatementsPerSecond
  t.ok(idle <= idleStatementsMax, `${idle} statements a second when nothing happens`)
})
