import { reportTotals, runTests, testFiles } from './run-tests.ts'
import { say } from './say.ts'

/** The tests for a real EventStoreDB: the event store contract, then the whole service on it. */
const onTheStore = [
  'test/event-store/eventstoredb.test.ts',
  'test/event-store/beside.test.ts',
  'test/faults/postgres/database-gone.waiting.fault.test.ts',
  'test/faults/erasure.fault.test.ts',
  'test/faults/killed/kill.fault.test.ts',
  'test/faults/ledger/moving.fault.test.ts',
  'test/faults/pause.waiting.fault.test.ts',
  'test/faults/roles.fault.test.ts',
  'test/faults/stampede.fault.test.ts',
  'test/http/organizations/webhooks.test.ts',
  'test/journeys/operations/cancellations.test.ts',
  'test/journeys/operations/creations.test.ts',
  'test/journeys/operations/operation-work.slow.test.ts',
  'test/journeys/evidence/erasures.slow.test.ts',
  'test/journeys/evidence/evidence.test.ts',
  'test/journeys/evidence/evidence-bundles.slow.test.ts',
  'test/journeys/evidence/history.slow.test.ts',
  'test/journeys/evidence/legal-holds.slow.test.ts',
  'test/journeys/evidence/operators.slow.test.ts',
  'test/journeys/evidence/privacy.slow.test.ts',
  'test/faults/ledger/moving-stores.fault.test.ts',
  'test/journeys/operations/one-key-one-guide.test.ts',
  'test/journeys/operations/sandbox-clock.slow.test.ts',
  'test/journeys/operations/scenarios.slow.test.ts',
  'test/journeys/webhooks.slow.test.ts',
  'test/faults/ledger/copy-ledger.fault.test.ts',
  'test/faults/ledger/sealed.fault.test.ts',
  'test/faults/ledger/held-checkpoints.fault.test.ts',
  'test/faults/ledger/stated-exports.fault.test.ts',
  'test/projector/projector.slow.test.ts',
]

/** The server runs on the same cores. */
const fileTimeoutMs = 300_000

await reportTotals(async () => {
  const { EVENT_STORE_URL: url } = process.env
  if (url === undefined || url === '') {
    say('Set EVENT_STORE_URL to an EventStoreDB, such as esdb://127.0.0.1:2113?tls=false.')
    return { passed: 0, failed: 1 }
  }
  return await runTests(await testFiles(onTheStore), fileTimeoutMs)
})
