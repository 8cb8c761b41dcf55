import type { CourierFailure, QuoteAnswer, QuoteCall } from '../../couriers/courier.ts'
import { withSafeRetries } from '../../couriers/safe-retries.ts'
import type { Instant } from '../../domain/decider.ts'
import {
  breakdownCode,
  isSameService,
  type Parcel,
  quoteErrorReason,
  quoteErrorReasons,
  quoteTimes,
  type Rate,
  type RateError,
  type Service,
} from '../../domain/quote.ts'
import { type CheckedRequest, checkParcel } from '../calls/creation-checks.ts'
import { beforeExecution } from '../calls/not-executed.ts'
import type { ProcessServices } from '../process-services.ts'
import { readClock } from '../sandbox/workspace-clock.ts'
import { keepQuote, type Quote } from './quote-rows.ts'

/** A client's request for the price of a parcel. */
type RequestedQuote = {
  readonly quoteId: string
  readonly organizationId: string
  readonly livemode: boolean
  readonly requestId: string
  readonly body: Parcel & {
    readonly workspace_id: string
    readonly service?: Service | null | undefined
  }
  /** Null in live mode. */
  readonly scenario: string | null
}

type QuoteMade =
  | { readonly kind: 'quoted'; readonly quote: Quote }
  /** The courier returned no price. */
  | { readonly kind: 'failed'; readonly failure: CourierFailure }

type QuoteDeps = Pick<ProcessServices, 'accounts' | 'catalogue' | 'couriers' | 'db' | 'log'>

type Quoted = Extract<QuoteAnswer, { kind: 'quoted' }>

/**
 * Requests prices from the courier and stores the answer. A lost answer does no harm: a quote
 * reserves nothing, so a failed request may be repeated. Throws a Problem if the request is
 * invalid.
 */
export async function makeQuote(deps: QuoteDeps, requested: RequestedQuote): Promise<QuoteMade> {
  try {
    return await make(deps, requested)
  } catch (error) {
    throw beforeExecution(error)
  }
}

async function make(deps: QuoteDeps, requested: RequestedQuote): Promise<QuoteMade> {
  const { body, organizationId, livemode, scenario } = requested
  const owner = { organizationId, livemode, workspaceId: body.workspace_id }
  const checked = await checkParcel(deps, owner, body)
  const { now } = await readClock(deps.db, owner)
  const answer = await ask(checked, requested, now)
  deps.log.info({ requestId: requested.requestId, answer: answer.kind }, 'courier answered a quote')
  if (answer.kind === 'unauthorized') await deps.accounts.park(checked.account)
  if (answer.kind !== 'quoted') return { kind: 'failed', failure: await explained(checked, answer) }
  const service = body.service ?? null
  const { courier_connection_id, origin, destination, package: parcel } = body
  const quote: Quote = {
    ...owner,
    id: requested.quoteId,
    parcel: { courier_connection_id, origin, destination, package: parcel },
    service,
    ...pricesOf(answer, service),
    scenario,
    createdAt: now,
    expiresAt: now + quoteTimes.validMs,
  }
  await keepQuote(deps.db, quote)
  return { kind: 'quoted', quote }
}

async function ask(
  { account, courier, consignment }: CheckedRequest,
  requested: RequestedQuote,
  now: Instant,
): Promise<QuoteAnswer> {
  const { body, scenario } = requested
  const at = new Date(now)
  const call: QuoteCall = {
    requestId: requested.requestId,
    organizationId: account.organizationId,
    credentials: account.credentials,
    sandbox:
      scenario === null
        ? null
        : { scenario, attempt: 1, attemptAt: at, now: at, account: account.connectionId },
    workspaceReference: body.workspace_id,
    ...consignment,
    service: body.service ?? null,
  }
  return await withSafeRetries((answerByMs, attempt) =>
    courier.quote({ ...call, answerByMs, attempt }),
  )
}

/** A courier without the quotes capability refuses every request, whatever its answer was. */
async function explained(
  { courier }: CheckedRequest,
  failure: CourierFailure,
): Promise<CourierFailure> {
  if (failure.kind !== 'unknown') return failure
  const capabilities = await courier.capabilities()
  if (capabilities?.quote !== false) return failure
  return { kind: 'rejected', code: null, text: null, newPrice: null }
}

/**
 * Converts the courier's answer: each service once, without its text. A requested service that is
 * missing has no price.
 */
function pricesOf(
  answer: Quoted,
  asked: Service | null,
): { readonly rates: readonly Rate[]; readonly errors: readonly RateError[] } {
  const rates: Rate[] = []
  for (const { service, price, breakdown, transitDays } of answer.rates) {
    if (rates.some((rate) => isSameService(rate.service, service))) continue
    const { min, max } = transitDays
    rates.push({
      service: named(service),
      amount: price.amount,
      currency: price.currency,
      breakdown: breakdown.map(({ code, amount }) => ({ code: breakdownCode(code), amount })),
      transit_days: { min: Math.min(min, max), max: Math.max(min, max) },
    })
  }
  const errors: RateError[] = []
  const isMentioned = (service: Service) =>
    [...rates, ...errors].some((each) => isSameService(each.service, service))
  for (const { service, reason } of answer.errors) {
    if (!isMentioned(service)) errors.push(rateError(service, reason))
  }
  if (asked !== null && !isMentioned(asked)) errors.push(rateError(asked, 'unavailable'))
  return { rates, errors }
}

function rateError(service: Service, code: string): RateError {
  const reason = quoteErrorReason(code)
  return { service: named(service), reason, detail: quoteErrorReasons[reason] }
}

function named({ mode, payer }: Service): Service {
  return { mode, payer }
}
