import type { CallContext, Courier, Guide as CourierGuide } from '../../couriers/courier.ts'
import type { Instant } from '../../domain/decider.ts'
import type { Guide } from '../../domain/operation/machine.ts'
import { currentAttempt, type Shipment } from '../../domain/shipment/shipment.ts'
import type { ItemWriter } from '../../security/vault/vault.ts'
import { type CourierAccount, connectionOf } from '../connections/courier-accounts.ts'
import type { ProcessServices } from '../process-services.ts'

export type CourierAtHand =
  | {
      readonly kind: 'ready'
      readonly courier: Courier
      readonly account: CourierAccount
      readonly context: CallContext
    }
  /**
   * The connection is parked, or its courier is gone: deferred, not counted. A disabled connection
   * still answers.
   */
  | { readonly kind: 'deferred' }

/** The courier of a shipment and the context for calls about an existing guide. */
export async function courierOf(
  deps: Pick<ProcessServices, 'accounts' | 'couriers'>,
  state: Shipment,
  now: Instant,
  requestId: string | null = null,
): Promise<CourierAtHand> {
  const { request } = state
  const account = await deps.accounts.loadForReads(connectionOf(state))
  if (account === null || account.status === 'needs_reauth') return { kind: 'deferred' }
  const mode = { livemode: request.livemode, providerCode: request.provider_code }
  const courier = deps.couriers.courierFor(mode)
  if (courier === null) return { kind: 'deferred' }
  return { kind: 'ready', courier, account, context: callContext(state, account, now, requestId) }
}

/** The context of a call about a shipment's guide; its scenario clock starts at the creation. */
export function callContext(
  state: Shipment,
  account: CourierAccount,
  now: Instant,
  requestId: string | null,
): CallContext {
  const { request } = state
  const { number, requestedAt } = currentAttempt(state)
  return attemptContext({ request, account, now, requestId, number, requestedAt })
}

/** The context of a call for an attempt that may not be recorded yet. */
export function attemptContext({
  request,
  account,
  now,
  requestId,
  number,
  requestedAt,
}: {
  readonly request: Pick<
    Shipment['request'],
    'courier_connection_id' | 'livemode' | 'sandbox_scenario'
  >
  readonly account: CourierAccount
  readonly now: Instant
  readonly requestId: string | null
  /** The number of the attempt, from 1. */
  readonly number: number
  readonly requestedAt: Instant
}): CallContext {
  const sandbox = request.livemode
    ? null
    : {
        scenario: request.sandbox_scenario ?? 'happy_path',
        attempt: number,
        attemptAt: new Date(requestedAt),
        now: new Date(now),
        account: request.courier_connection_id,
      }
  const { organizationId, credentials } = account
  return { requestId, organizationId, credentials, sandbox }
}

/**
 * Whether the outcome of a call can be looked up. True for a courier that does not answer now,
 * because it is queried later; false only for a courier without look-ups.
 */
export async function canBeAsked(courier: Courier | null): Promise<boolean> {
  const described = await courier?.describe().catch(() => null)
  return described?.capabilities.find ?? true
}

/** Stores the pickup codes of listed guides in the vault. */
export function sealGuides(writer: ItemWriter, listed: readonly CourierGuide[]): readonly Guide[] {
  return listed.map(({ guideNumber, price, pickupCode }) => {
    const pickupCodeRef = pickupCode === null ? null : writer.write({ pickup_code: pickupCode })
    return { guideNumber, price, pickupCodeRef }
  })
}
