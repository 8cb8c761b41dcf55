import { type FollowOptions, followOperation } from './follow-operation.ts'
import type { Answered, CallOptions, Methods, Operation, Schemas, Shipment } from './methods.ts'
import { ShippingLedgerError } from './shipping-ledger-error.ts'

export type ShipmentRequest = Schemas['ShipmentRequest']

/**
 * How a creation ended. Ship the order with another key only after `nothing_created`. After
 * `human_review` and `reconciling` the time was up: the guide may exist and may have to be paid for.
 * The same call again follows on.
 */
export type CreationResult =
  | { readonly kind: 'guide_exists'; readonly shipment: Answered<Shipment> }
  | { readonly kind: 'nothing_created'; readonly operation: Operation }
  | { readonly kind: 'human_review'; readonly operation: Operation }
  | { readonly kind: 'reconciling'; readonly operation: Operation }

export type CreateShipment = {
  /** Follows the operation when the outcome is unknown, and returns how the creation ended. */
  (
    request: ShipmentRequest,
    options: CallOptions & { readonly follow: FollowOptions },
  ): Promise<CreationResult>
  /** Returns the shipment or throws; after `unknown_outcome` follow the error's `operationId`. */
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

/** The operation of a creation that is open, or that ended without a guide. */
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
      // This client does not know the result, so it concludes nothing from it.
      return { kind: 'human_review', operation }
  }
}
