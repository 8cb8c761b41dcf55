import type { CourierFailure } from '../../couriers/courier.ts'
import { givenSums, type Parcel, quoteTimes } from '../../domain/quote.ts'
import { refuseUnsupported } from '../calls/courier-options.ts'
import { type CheckedRequest, checkParcel } from '../calls/creation-checks.ts'
import { beforeExecution } from '../calls/not-executed.ts'
import { readClock } from '../sandbox/workspace-clock.ts'
import { cannotQuote, quotesNotSupported } from './cannot-quote.ts'
import { type CompareDeps, type Comparison, compareRates } from './compare-rates.ts'
import { askForPrices, pricesOf } from './prices.ts'
import type { QuoteRequest } from './quote-request.ts'
import { keepQuote, type Quote } from './quote-rows.ts'

/** A client's request for the price of a parcel. */
type RequestedQuote = {
  readonly quoteId: string
  readonly organizationId: string
  readonly livemode: boolean
  readonly requestId: string
  readonly body: QuoteRequest
  /** Null in live mode. */
  readonly scenario: string | null
}

type QuoteMade =
  | { readonly kind: 'quoted'; readonly quote: Quote }
  /** The only courier returned no price. */
  | { readonly kind: 'failed'; readonly failure: CourierFailure }

/**
 * Requests prices from the couriers and stores the answers. A lost answer does no harm: a quote
 * reserves nothing, so a failed request may be repeated. Throws a Problem if the request is
 * invalid.
 */
export async function makeQuote(deps: CompareDeps, requested: RequestedQuote): Promise<QuoteMade> {
  try {
    const { body } = requested
    if ('courier_connection_id' in body) return await ofOne(deps, requested, body)
    const { now } = await readClock(deps.db, ownerOf(requested))
    const compared = await compareRates(deps, { ...requested, body, now })
    return await stored(deps, requested, { ...compared, now })
  } catch (error) {
    throw beforeExecution(error)
  }
}

function ownerOf({ organizationId, livemode, body }: RequestedQuote) {
  return { organizationId, livemode, workspaceId: body.workspace_id }
}

async function ofOne(
  deps: CompareDeps,
  requested: RequestedQuote,
  body: Extract<QuoteRequest, Parcel>,
): Promise<QuoteMade> {
  const owner = ownerOf(requested)
  const checked = await checkParcel(deps, owner, body)
  if (await cannotQuote(deps, checked.account)) throw quotesNotSupported()
  await refuseUnsupported(deps, checked.account, body)
  const { now } = await readClock(deps.db, owner)
  const service = body.service ?? null
  const { requestId, scenario } = requested
  const { workspaceId } = owner
  const asked = { requestId, workspaceId, service, sums: givenSums(body), scenario, now }
  const answer = await askForPrices(checked, asked)
  deps.log.info({ requestId, answer: answer.kind }, 'courier answered a quote')
  if (answer.kind === 'unauthorized') await deps.accounts.park(checked.account)
  if (answer.kind !== 'quoted') return { kind: 'failed', failure: await explained(checked, answer) }
  const { courier_connection_id, origin, destination, package: parcel } = body
  return await stored(deps, requested, {
    parcels: [{ courier_connection_id, origin, destination, package: parcel }],
    ...pricesOf(courier_connection_id, answer, service),
    now,
  })
}

async function stored(
  deps: CompareDeps,
  requested: RequestedQuote,
  { parcels, rates, errors, now }: Comparison & { readonly now: number },
): Promise<QuoteMade> {
  const quote: Quote = {
    ...ownerOf(requested),
    id: requested.quoteId,
    request: requested.body,
    sums: givenSums(requested.body),
    parcels,
    rates,
    errors,
    scenario: requested.scenario,
    createdAt: now,
    expiresAt: now + quoteTimes.validMs,
  }
  await keepQuote(deps.db, quote)
  return { kind: 'quoted', quote }
}

/** A courier that has not said it before may say now that it has no quotes. */
async function explained(
  { courier }: CheckedRequest,
  failure: CourierFailure,
): Promise<CourierFailure> {
  if (failure.kind !== 'unknown') return failure
  const described = await courier.describe()
  if (described?.capabilities.quote === false) throw quotesNotSupported()
  return failure
}
