import type { Consignment, Courier, CourierFailure } from '../../couriers/courier.ts'
import { yieldToEventLoop } from '../../couriers/slices.ts'
import type { Instant } from '../../domain/decider.ts'
import {
  type ConnectionErrorReason,
  cheapestFirst,
  connectionErrorReasons,
  givenSums,
  type Parcel,
  type QuoteTerms,
  quoteErrorReasons,
  type RateError,
} from '../../domain/quote.ts'
import { Problem } from '../../errors.ts'
import { endedInTime } from '../../pause.ts'
import { hasSums, lackingDetail, unsupported } from '../calls/courier-options.ts'
import { consignmentOf, overLimits } from '../calls/creation-checks.ts'
import type { CourierAccount } from '../connections/courier-accounts.ts'
import type { ProcessServices } from '../process-services.ts'
import { cannotQuote } from './cannot-quote.ts'
import { type NamedIds, type NamedOrNot, namedIds, wrongIds } from './named-ids.ts'
import { askForPrices, type Prices, pricesOf } from './prices.ts'
import type { RatesRequest } from './quote-request.ts'

export type CompareDeps = Pick<
  ProcessServices,
  'accounts' | 'catalogue' | 'couriers' | 'db' | 'log' | 'ratesWithinMs'
>

export type Comparison = Pick<QuoteTerms, 'parcels' | 'rates'> & {
  readonly errors: readonly RateError[]
}

type Asked = {
  readonly organizationId: string
  readonly livemode: boolean
  readonly requestId: string
  readonly body: RatesRequest
  readonly scenario: string | null
  /** The workspace's clock. */
  readonly now: Instant
}

/**
 * Asks the couriers of several connections at once for their prices. A connection that fails, in
 * whatever way, is an error beside the rates of the others, and so is one that has not answered in
 * time: its later answer is dropped. Throws a Problem if the request itself is wrong.
 */
export async function compareRates(deps: CompareDeps, asked: Asked): Promise<Comparison> {
  const endsAtMs = performance.now() + deps.ratesWithinMs
  const accounts = await accountsOf(deps, asked)
  const named = namedByCourier(deps, asked, { accounts, endsAtMs })
  const checked = checkIds(asked.body, named)
  // The couriers' lists are usually at hand: then no courier is asked for a wrong request. One whose
  // list is slow does not hold up the others.
  await Promise.race([checked, yieldToEventLoop()])
  const answers = Promise.all(
    accounts.map((account) => ask(deps, asked, { account, named, endsAtMs })),
  )
  const [outcomes] = await Promise.all([answers, checked])
  return {
    parcels: outcomes.flatMap(({ parcel }) => (parcel === null ? [] : [parcel])),
    rates: cheapestFirst(outcomes.flatMap(({ prices }) => prices.rates)),
    errors: outcomes.flatMap(({ prices }) => prices.errors),
  }
}

/** The owner's connections. Another owner's connection is treated as nonexistent. */
async function accountsOf(
  { accounts }: Pick<CompareDeps, 'accounts'>,
  { organizationId, livemode, body }: Asked,
): Promise<readonly CourierAccount[]> {
  const { workspace_id: workspaceId, courier_connection_ids: ids } = body
  const loaded = await Promise.all(
    ids.map((connectionId) => accounts.load({ organizationId, workspaceId, connectionId })),
  )
  const own = loaded.map((account) => (account?.livemode === livemode ? account : null))
  const unknown = [...own.keys()].filter((index) => own[index] === null)
  if (unknown.length > 0) throw unknownConnections(unknown)
  return own.filter((account) => account !== null)
}

function unknownConnections(indexes: readonly number[]): Problem {
  return new Problem('not_found', {
    errors: indexes.map((index) => ({
      pointer: `/courier_connection_ids/${index}`,
      reason: 'connection_not_found',
      detail: 'No such connection.',
    })),
  })
}

/** By the courier's code. `null`: its lists have not been read in time. */
type NamedByCourier = ReadonlyMap<string, Promise<NamedOrNot | null>>

function namedByCourier(
  { catalogue }: Pick<CompareDeps, 'catalogue'>,
  { livemode, body }: Asked,
  by: { readonly accounts: readonly CourierAccount[]; readonly endsAtMs: number },
): NamedByCourier {
  const codes = new Set(by.accounts.map(({ providerCode }) => providerCode))
  return new Map(
    [...codes].map((providerCode) => [
      providerCode,
      endedInTime(
        namedIds(catalogue, { livemode, providerCode }, body),
        by.endsAtMs - performance.now(),
      ),
    ]),
  )
}

async function checkIds(request: RatesRequest, named: NamedByCourier): Promise<void> {
  const couriers: NamedIds[] = []
  for (const courier of await Promise.all(named.values())) {
    if (courier?.kind === 'named') couriers.push(courier)
  }
  const errors = wrongIds(request, couriers, couriers.length === named.size)
  if (errors.length > 0) throw new Problem('validation_failed', { errors })
}

type Outcome = {
  /** Null if the request names nothing that the courier knows. */
  readonly parcel: Parcel | null
  readonly prices: Prices
}

type Reachable = {
  readonly account: CourierAccount
  readonly named: NamedByCourier
  readonly endsAtMs: number
}

async function ask(
  deps: CompareDeps,
  asked: Asked,
  { account, named, endsAtMs }: Reachable,
): Promise<Outcome> {
  const fails = (reason: ConnectionErrorReason) => ({
    parcel: null,
    prices: failed(account, reason),
  })
  const { livemode } = asked
  if (account.status === 'disabled') return fails('connection_disabled')
  if (account.status === 'needs_reauth') return fails('connection_needs_reauth')
  const courier = deps.couriers.courierFor({ livemode, providerCode: account.providerCode })
  if (courier === null) return fails('courier_not_available')
  if (await cannotQuote(deps, account, endsAtMs - performance.now())) {
    return fails('quotes_not_supported')
  }
  const ids = await named.get(account.providerCode)
  if (!ids) return fails('courier_timed_out')
  if (ids.kind === 'absent') return fails('courier_not_available')
  if (ids.kind !== 'named') return fails('courier_unreachable')
  const parcel = parcelOf(account, ids, asked.body)
  if (parcel.kind === 'refused') return { parcel: null, prices: parcel.prices }
  const lacking = await unsupportedBy(deps, asked.body, { account, endsAtMs })
  if (lacking !== null) return { parcel: null, prices: lacking }
  const prices = await pricesFrom(deps, asked, {
    account,
    courier,
    consignment: parcel.consignment,
    endsAtMs,
  })
  return { parcel: parcel.parcel, prices }
}

/** Why the courier is not asked about these sums; `null` if it takes them. */
async function unsupportedBy(
  { couriers }: Pick<CompareDeps, 'couriers'>,
  body: RatesRequest,
  { account, endsAtMs }: Pick<Reachable, 'account' | 'endsAtMs'>,
): Promise<Prices | null> {
  if (!hasSums(body)) return null
  const described = await endedInTime(couriers.describe(account), endsAtMs - performance.now())
  if (described === null) {
    return failed(account, isOver(endsAtMs) ? 'courier_timed_out' : 'courier_unreachable')
  }
  const lacking = unsupported(body, described.capabilities)
  if (lacking.length === 0) return null
  return failed(account, 'not_supported_by_courier', lackingDetail(lacking))
}

function failed(
  { connectionId }: CourierAccount,
  reason: ConnectionErrorReason,
  detail: string = connectionErrorReasons[reason],
): Prices & { readonly rates: readonly [] } {
  return {
    rates: [],
    errors: [{ courier_connection_id: connectionId, service: null, reason, detail }],
  }
}

type OwnParcel =
  | { readonly kind: 'own'; readonly parcel: Parcel; readonly consignment: Consignment }
  | { readonly kind: 'refused'; readonly prices: Prices }

/** The request in the ids and codes of the connection's courier. */
function parcelOf(account: CourierAccount, ids: NamedIds, body: RatesRequest): OwnParcel {
  const refused = (reason: ConnectionErrorReason): OwnParcel => ({
    kind: 'refused',
    prices: failed(account, reason),
  })
  const origin = ids.origins.find((agency) => agency !== null)
  const destination = ids.destinations.find((agency) => agency !== null)
  const product = ids.products.find((item) => item !== null)
  if (origin === undefined || destination === undefined) return refused('no_agency')
  if (product === undefined) return refused('no_product')
  const { quantity, weight_kg, height_m, length_m, width_m } = body.package
  const measures = { quantity, weight_kg, height_m, length_m, width_m }
  const over = overLimits(product, measures)
  const { connectionId } = account
  if (over.length > 0) {
    const most = over.map(({ field, max }) => `${max} in ${field}`).join(', ')
    const reason = 'package_not_accepted'
    const detail = `${quoteErrorReasons[reason]} Its product takes at most ${most} per piece.`
    const error = { courier_connection_id: connectionId, service: null, reason, detail } as const
    return { kind: 'refused', prices: { rates: [], errors: [error] } }
  }
  return {
    kind: 'own',
    parcel: {
      courier_connection_id: connectionId,
      origin: { agency_id: origin.id },
      destination: { agency_id: destination.id },
      package: { product_id: product.id, ...measures },
    },
    consignment: consignmentOf({ origin, destination, product }, measures),
  }
}

type Target = {
  readonly account: CourierAccount
  readonly courier: Courier
  readonly consignment: Consignment
  readonly endsAtMs: number
}

async function pricesFrom(deps: CompareDeps, asked: Asked, target: Target): Promise<Prices> {
  const { account, endsAtMs } = target
  const { requestId, scenario, now, body } = asked
  const service = body.service ?? null
  const workspaceId = body.workspace_id
  const answer = await askForPrices(target, {
    requestId,
    workspaceId,
    service,
    sums: givenSums(body),
    scenario,
    now,
    endsAtMs,
  })
  const { connectionId } = account
  deps.log.info({ requestId, connectionId, answer: answer.kind }, 'courier answered a quote')
  if (answer.kind === 'quoted') return pricesOf(connectionId, answer, service)
  if (answer.kind === 'unauthorized') await deps.accounts.park(account)
  return failed(account, await reasonOf(target, answer))
}

/** A timer may fire a few milliseconds early. */
const earlyMs = 5

function isOver(endsAtMs: number): boolean {
  return performance.now() >= endsAtMs - earlyMs
}

async function reasonOf(
  { courier, endsAtMs }: Target,
  failure: CourierFailure,
): Promise<ConnectionErrorReason> {
  const isLate = isOver(endsAtMs)
  switch (failure.kind) {
    case 'rejected':
      return 'courier_rejected'
    case 'unauthorized':
      return 'connection_needs_reauth'
    case 'throttled':
      return 'courier_throttled'
    case 'not_sent':
      return isLate ? 'courier_timed_out' : 'courier_unreachable'
    case 'unknown': {
      if (isLate) return 'courier_timed_out'
      const described = await endedInTime(courier.describe(), endsAtMs - performance.now())
      return described?.capabilities.quote === false ? 'quotes_not_supported' : 'courier_failed'
    }
  }
}
