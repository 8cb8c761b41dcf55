import { type FollowOptions, followOperation } from './follow-operation.ts'
import type { Answered, CallOptions, Methods, Operation, Schemas, Shipment } from './methods.ts'
import { ShippingLedgerError } from './shipping-ledger-error.ts'

export type ShipmentRequest = Schemas['ShipmentRequest']

/**
 * The result of a creation. Ship the order with another key only after `nothing_created`. With
 * `human_review` or `reconciling` the timeout has passed: the guide may exist and may have to be
 * paid for. Calling again with the same key continues to follow.
 */
export type CreationResult =
  | { readonly kind: 'guide_exists'; readonly shipment: Answered<Shipment> }
  | { readonly kind: 'nothing_created'; readonly operation: Operation }
  | { readonly kind: 'human_review'; readonly operation: Operation }
  | { readonly kind: 'reconciling'; readonly operation: Operation }

export type CreateShipment = {
  /** Follows the operation if the outcome is unknown, and returns the result of the creation. */
  (
    request: ShipmentRequest,
    options: CallOptions & { readonly follow: FollowOptions },
  ): Promise<CreationResult>
  /** Returns the shipment or throws. After `unknown_outcome`, follow the error's `operationId`. */
  (request: ShipmentRequest, options?: CallOptions): Promise<Answered<Shipment>>
}

type FollowedCall = CallOptions & { readonly follow?: FollowOptions }

/** Wraps the plain call. It never creates again once the outcome is unknown. */
export function createShipment(methods: Methods): CreateShipment {
  const { shipments, operations } = methods
  async function create(request: ShipmentRequest, { follow, ...options }: FollowedCall = {}) {
    if (follow === undefined) return await shipments.create(request, options)
    try {
      return { kind: 'guide_exists', shipment: await shipments.create(request, options) }
    } catch (error) {
      const id = followable(error)
      if (id === null) throw error
      const signal = follow.signal ?? options.signal
      const until = { ...follow, ...(signal === undefined ? {} : { signal }) }
      const read = (operationId: string) => operations.get({ id: operationId }, signalOf(until))
      return await resultOf(methods, await followOperation(read, id, until), signalOf(until))
    }
  }
  return create as CreateShipment
}

function signalOf({ signal }: FollowOptions): CallOptions {
  return signal === undefined ? {} : { signal }
}

/** The operation of a creation that is unresolved or ended without a guide. */
function followable(error: unknown): string | null {
  if (!(error instanceof ShippingLedgerError)) return null
  const says = error.reason === 'unknown_outcome' || error.reason === 'nothing_created'
  return says ? error.operationId : null
}

async function resultOf(
  { shipments }: Methods,
  { kind, operation }: Awaited<ReturnType<typeof followOperation>>,
  options: CallOptions,
): Promise<CreationResult> {
  switch (kind) {
    // The guide existed and was being cancelled; `status` shows the outcome.
    case 'cancelled':
    case 'not_cancelled':
    case 'guide_exists':
      return {
        kind: 'guide_exists',
        shipment: await shipments.get({ id: operation.shipment_id }, options),
      }
    case 'nothing_created':
    case 'human_review':
    case 'reconciling':
      return { kind, operation }
    default:
      // A result that this client does not know, so nothing can be concluded.
      return { kind: 'human_review', operation }
  }
}
