import type { Json } from '../../domain/decider.ts'
import { Problem } from '../../errors.ts'
import type { LineSealer } from '../../security/encryption/own-key.ts'

type Kept = Pick<Problem, 'reason'> &
  Pick<
    Problem['options'],
    'detail' | 'outcome' | 'retryable' | 'operationId' | 'price' | 'errors'
  > & {
    readonly shipmentVersion?: number | null
  }

/** A refusal as it is stored with its line. Title and remedy follow from the reason. */
export function sealRefusal(sealer: LineSealer, line: number, { reason, options }: Problem) {
  const { detail, outcome, retryable, operationId, price, errors } = options
  const shipmentVersion = options.shipment?.version
  const kept = { reason, detail, outcome, retryable, operationId, shipmentVersion, price, errors }
  return { reason, refusal: sealer.seal({ line, what: 'refusal' }, kept as unknown as Json) }
}

/** The refusal of the line with this shipment; null if it was not refused. */
export function openRefusal(
  sealer: LineSealer,
  {
    line,
    refusal,
    shipmentId,
  }: {
    readonly line: number
    readonly refusal: Buffer | null
    readonly shipmentId: string | null
  },
): Problem | null {
  if (refusal === null) return null
  const {
    reason,
    shipmentVersion = null,
    ...options
  } = sealer.open({ line, what: 'refusal' }, refusal) as unknown as Kept
  if (shipmentId === null) return new Problem(reason, options)
  return new Problem(reason, { ...options, shipment: { id: shipmentId, version: shipmentVersion } })
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
