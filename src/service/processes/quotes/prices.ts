import type { Consignment, Courier, QuoteAnswer, QuoteCall } from '../../couriers/courier.ts'
import { withSafeRetries } from '../../couriers/safe-retries.ts'
import type { Instant } from '../../domain/decider.ts'
import {
  breakdownCode,
  isSameService,
  quoteErrorReason,
  quoteErrorReasons,
  type Rate,
  type RateError,
  type Service,
  type Sums,
} from '../../domain/quote.ts'
import type { CourierAccount } from '../connections/courier-accounts.ts'

export type Prices = { readonly rates: readonly Rate[]; readonly errors: readonly RateError[] }

/** A request for the prices of one connection. */
export type PriceRequest = {
  readonly requestId: string
  readonly workspaceId: string
  /** Null: of every service. */
  readonly service: Service | null
  readonly sums: Sums
  /** Null in live mode. */
  readonly scenario: string | null
  /** The workspace's clock. */
  readonly now: Instant
  /** When the answer must have arrived (`performance.now()`), if sooner than a call's own limit. */
  readonly endsAtMs?: number
}

type Asked = {
  readonly account: CourierAccount
  readonly courier: Courier
  readonly consignment: Consignment
}

export async function askForPrices(
  { account, courier, consignment }: Asked,
  { requestId, workspaceId, service, sums, scenario, now, endsAtMs }: PriceRequest,
): Promise<QuoteAnswer> {
  const at = new Date(now)
  const call: QuoteCall = {
    requestId,
    organizationId: account.organizationId,
    credentials: account.credentials,
    sandbox:
      scenario === null
        ? null
        : { scenario, attempt: 1, attemptAt: at, now: at, account: account.connectionId },
    workspaceReference: workspaceId,
    ...consignment,
    service,
    sums,
  }
  return await withSafeRetries(
    (answerByMs, attempt) => courier.quote({ ...call, answerByMs, attempt }),
    endsAtMs === undefined ? {} : { endsAtMs },
  )
}

/**
 * Converts the courier's answer: each service once, without its text. A requested service that is
 * missing has no price.
 */
export function pricesOf(
  connectionId: string,
  answer: Extract<QuoteAnswer, { kind: 'quoted' }>,
  asked: Service | null,
): Prices {
  const rates: Rate[] = []
  for (const { service, price, breakdown, transitDays } of answer.rates) {
    if (rates.some((rate) => isSameService(rate.service, service))) continue
    const { min, max } = transitDays
    rates.push({
      courier_connection_id: connectionId,
      service: named(service),
      amount: price.amount,
      currency: price.currency,
      breakdown: breakdown.map(({ code, amount }) => ({ code: breakdownCode(code), amount })),
      transit_days: { min: Math.min(min, max), max: Math.max(min, max) },
    })
  }
  const errors: RateError[] = []
  const isMentioned = (service: Service) =>
    [...rates, ...errors].some((each) => each.service && isSameService(each.service, service))
  const addError = (service: Service, code: string) => {
    const reason = quoteErrorReason(code)
    const detail = quoteErrorReasons[reason]
    errors.push({ courier_connection_id: connectionId, service: named(service), reason, detail })
  }
  for (const { service, reason } of answer.errors) {
    if (!isMentioned(service)) addError(service, reason)
  }
  if (asked !== null && !isMentioned(asked)) addError(asked, 'unavailable')
  return { rates, errors }
}

function named({ mode, payer }: Service): Service {
  return { mode, payer }
}
