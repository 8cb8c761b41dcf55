import { reportTotals, runTests, testFiles } from './run-tests.ts'
import { say } from './say.ts'

/** The tests for a real EventStoreDB: the event store contract, then the whole service on it. */
const onTheStore = [
  'test/event-store/eventstoredb.test.ts',
  'test/faults/postgres/database-gone.test.ts',
  'test/faults/erasure.test.ts',
  'test/faults/killed/kill.test.ts',
  'test/faults/ledger/moving.test.ts',
  'test/faults/pause.test.ts',
  'test/faults/roles.test.ts',
  'test/faults/stampede.test.ts',
  'test/http/organizations/webhooks.test.ts',
  'test/journeys/operations/cancellations.test.ts',
  'test/journeys/operations/creations.test.ts',
  'test/journeys/operations/operation-work.test.ts',
  'test/journeys/evidence/erasures.test.ts',
  'test/journeys/evidence/evidence.test.ts',
  'test/journeys/evidence/evidence-bundles.test.ts',
  'test/journeys/evidence/history.test.ts',
  'test/journeys/evidence/legal-holds.test.ts',
  'test/journeys/evidence/operators.test.ts',
  'test/journeys/evidence/privacy.test.ts',
  'test/faults/ledger/moving-stores.test.ts',
  'test/journeys/operations/one-key-one-guide.test.ts',
  'test/journeys/operations/sandbox-clock.test.ts',
  'test/journeys/operations/scenarios.test.ts',
  'test/journeys/webhooks.test.ts',
  'test/faults/ledger/copy-ledger.test.ts',
  'test/faults/ledger/sealed.test.ts',
  'test/faults/ledger/held-checkpoints.test.ts',
  'test/faults/ledger/stated-exports.test.ts',
  'test/projections/projector.test.ts',
]

/** The server uses the same cores. */
const fileTimeoutMs = 300_000

await reportTotals(async () => {
  const { EVENT_STORE_URL: url } = process.env
  if (url === undefined || url === '') {
    say('Set EVENT_STORE_URL to an EventStoreDB, such as esdb://127.0.0.1:2113?tls=false.')
    return { passed: 0, failed: 1 }
  }
  return await runTests(await testFiles(onTheStore), fileTimeoutMs)
})
