import t from 'tap'
import { isSource, projectTexts } from '../support/source-files.ts'

/**
 * The files that read the wall clock, and which instant they need: one that is recorded, or
 * exchanged with others. Ages, waits, timeouts and cache freshness are measured with
 * `performance.now()`, which does not move when the clock is set.
 */
const wallClockReaders: Readonly<Record<string, string>> = {
  'src/client/command/forward-webhook.ts': 'signs a webhook now',
  'src/client/transport.ts': 'compares the date of a Retry-After',
  'src/client/verify-webhook.ts': 'compares the time that a delivery is signed with',
  'projections/projection.ts': 'compares recorded times with how long sums by the minute are kept',
  'src/service/ledger/diff/folded-rollups.ts':
    'compares recorded times with how long sums by the minute are kept',
  'src/service/cli/couriers/courier-check-calls.ts': 'tells a courier until when it may execute',
  'src/service/cli/couriers/courier-check.ts': 'tells a courier a deadline that is past',
  'src/service/cli/ledger/recover-command.ts': 'counts the days of asking couriers first from now',
  'src/service/processes/recovery/ledger-guard.ts':
    'compares until when couriers are asked first, which a person has set',
  'src/service/cli/organizations/key-commands.ts': 'compares the expiry that a key is to have',
  'src/console/build/build-pages.ts': 'compares the times of files',
  'src/console/operations/chosen-acts.tsx': 'tells the API until when operations are snoozed',
  'src/console/reading/use-recovery.ts':
    'compares the time that a query failed at, which its library records',
  'src/console/parts/times.tsx': 'shows how long ago a recorded time is',
  'src/console/setup/key-expiry.tsx': 'counts the days of a new key from now',
  'src/console/setup/key.tsx': "compares a key's expiry",
  'src/console/shipments/unanswered-orders.ts': 'records when an order was sent, and compares it',
  'src/service/couriers/deadline.ts': 'tells a courier until when it may execute',
  'src/simulator/replies.ts': 'compares the deadline that a call came with',
  'src/service/event-store/prepared-append.ts':
    "compares an append's notAfter, which the caller names",
  'src/service/http/requests/request-log.ts': 'records when a request was answered',
  'src/service/http/sign-in/sign-in.ts':
    'counts the hours of a session from now, and the minutes since another process began a sign-in',
  'src/service/ledger/evidence/covering-checkpoint.ts': 'compares when a checkpoint was signed',
  'src/service/processes/service-metrics.ts': 'compares a recorded time',
  'src/service/processes/sandbox/workspace-clock.ts':
    'is the clock of the workspaces, which events are recorded by',
  'src/service/security/api-keys.ts': "compares a key's expiry",
  'src/service/security/audit.ts': 'records when something was done',
  'src/service/security/failed-authentications.ts':
    'counts in calendar minutes, which all processes share',
  'src/service/security/rate-limit.ts': 'counts in calendar minutes, which all processes share',
  'src/service/webhooks/deliver.ts':
    'tells receivers when a delivery was signed, by the clock of its workspace',
  'src/service/webhooks/send.ts': 'compares the date of a Retry-After',
}

t.test('only the listed files read the wall clock', async (t) => {
  const readers = [...projectTexts(isSource)]
    .filter(([, text]) => /\bDate\s*\.\s*now\b|new Date\(\)\s*\.\s*(getTime|valueOf)\b/.test(text))
    .map(([file]) => file)
  t.same(readers.sort(), Object.keys(wallClockReaders).sort())
})
