import type { Json } from '../../domain/decider.ts'
import { Problem } from '../../errors.ts'
import type { LineSealer } from '../../security/encryption/own-key.ts'

type Kept = Pick<Problem, 'reason'> &
  Pick<
    Problem['options'],
    'detail' | 'outcome' | 'retryable' | 'operationId' | 'price' | 'errors'
  > & {
    readonly shipmentVersion?: number | null
    /** The order of a line that was refused when it was read. */
    readonly reference?: string
  }

/** A refusal as it is stored with its line. Title and remedy follow from the reason. */
export function sealRefusal(
  sealer: LineSealer,
  line: number,
  { reason, options }: Problem,
  reference?: string,
) {
  const { detail, outcome, retryable, operationId, price, errors } = options
  const shipmentVersion = options.shipment?.version
  const shown = { detail, outcome, retryable, operationId, shipmentVersion, price, errors }
  const kept = { reason, ...shown, reference }
  return { reason, refusal: sealer.seal({ line, what: 'refusal' }, kept as unknown as Json) }
}

type Refused = {
  readonly line: number
  readonly refusal: Buffer | null
  readonly shipmentId: string | null
}

/** Why the line with this shipment was refused, and its order, as far as known. */
type Refusal = { readonly problem: Problem; readonly reference: string | null }

/** The refusal of a line; null if it was not refused. */
export function openRefusal(
  sealer: LineSealer,
  { line, refusal, shipmentId }: Refused,
): Refusal | null {
  if (refusal === null) return null
  const {
    reason,
    shipmentVersion = null,
    reference = null,
    ...options
  } = sealer.open({ line, what: 'refusal' }, refusal) as unknown as Kept
  const shipment =
    shipmentId === null ? {} : { shipment: { id: shipmentId, version: shipmentVersion } }
  return { problem: new Problem(reason, { ...options, ...shipment }), reference }
}

/** Advises a key of the line's own for another parcel of the order. `found` is a sentence. */
export function orderHasGuide(found: string): Problem {
  const detail = `${found} For another parcel, give this line its own idempotency_key.`
  const pointer = '/external_reference'
  return new Problem('validation_failed', {
    errors: [{ pointer, reason: 'order_has_guide', detail }],
  })
}

export function foundShipment(shipmentId: string): string {
  return `Shipment ${shipmentId} of the same order has a guide, or may have one, under another key.`
}
