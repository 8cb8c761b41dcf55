import type { CourierFailure, InvoiceCall } from '../../couriers/courier.ts'
import { withSafeRetries } from '../../couriers/safe-retries.ts'
import { defaultScenario } from '../../couriers/scenarios/scenarios.ts'
import { forEachInSlices, yieldToEventLoop } from '../../couriers/slices.ts'
import { Problem } from '../../errors.ts'
import type { ConnectionPlace } from '../connections/courier-accounts.ts'
import type { ProcessServices } from '../process-services.ts'
import { readClock } from '../sandbox/workspace-clock.ts'
import type { NewInvoiceLine } from './stored-invoice-line.ts'

type FetchDeps = Pick<ProcessServices, 'accounts' | 'couriers' | 'db' | 'log'>

type RequestedMonth = {
  readonly connection: ConnectionPlace
  /** A calendar month in UTC, such as 2026-02. */
  readonly month: string
  readonly requestId: string
}

type Fetched =
  | {
      readonly kind: 'fetched'
      readonly reference: string
      readonly lines: readonly NewInvoiceLine[]
    }
  | { readonly kind: 'failed'; readonly failure: CourierFailure }

/**
 * Requests from the courier of a connection what it bills for a month. A disabled connection works
 * too: what was shipped with it is still billed. Stores nothing and is safe to repeat. Throws a
 * Problem if the courier may not be queried.
 */
export async function fetchInvoice(deps: FetchDeps, requested: RequestedMonth): Promise<Fetched> {
  const account = await deps.accounts.load(requested.connection)
  if (account === null) throw new Problem('not_found')
  if (account.status === 'needs_reauth') throw new Problem('connection_needs_reauth')
  const { livemode, providerCode, workspaceId, connectionId, credentials, organizationId } = account
  const courier = deps.couriers.courierFor({ livemode, providerCode })
  if (courier === null) throw new Problem('courier_not_available')
  const described = await courier.describe()
  if (described?.capabilities.invoices === false) throw noInvoices()
  const { month, requestId } = requested
  const call: InvoiceCall = { requestId, organizationId, credentials, sandbox: null, month }
  const { now } = await readClock(deps.db, { workspaceId, livemode })
  const at = new Date(now)
  const scene = {
    scenario: defaultScenario,
    attempt: 1,
    attemptAt: at,
    now: at,
    account: connectionId,
  }
  const sandbox = livemode ? null : scene
  const answer = await withSafeRetries((answerByMs) =>
    courier.invoice({ ...call, sandbox, answerByMs }),
  )
  deps.log.info({ requestId, answer: answer.kind }, 'courier answered for an invoice')
  if (answer.kind === 'unauthorized') await deps.accounts.park(account)
  if (answer.kind !== 'billed') return { kind: 'failed', failure: answer }
  const lines: NewInvoiceLine[] = []
  await forEachInSlices(
    answer.lines,
    ({ weightKg, ...line }, index) => {
      const weightGrams = weightKg === null ? null : Math.round(weightKg * 1_000)
      lines.push({ ...line, line: index + 1, weightGrams })
    },
    yieldToEventLoop,
  )
  return { kind: 'fetched', reference: answer.reference, lines }
}

function noInvoices(): Problem {
  const detail = 'Its courier cannot be asked for invoices. Import the invoice instead.'
  return new Problem('validation_failed', {
    errors: [{ pointer: '/courier_connection_id', reason: 'no_invoices', detail }],
  })
}
