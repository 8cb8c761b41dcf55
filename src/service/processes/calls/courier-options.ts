import type { CourierCapabilities } from '../../couriers/courier.ts'
import type { CourierMode } from '../../couriers/couriers.ts'
import { type Sums, sumFields } from '../../domain/quote.ts'
import type { ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import { Problem } from '../../errors.ts'
import type { ProcessServices } from '../process-services.ts'

type Deps = Pick<ProcessServices, 'couriers'>

/**
 * The payload as this courier gets it. Throws `not_supported_by_courier` for what the courier cannot
 * do. A phone number and an e-mail address are left out unless it is known to take them.
 */
export async function payloadFor(
  deps: Deps,
  mode: CourierMode,
  body: ShipmentPayload,
): Promise<ShipmentPayload> {
  const { phone, email, ...person } = body.recipient
  const hasContact = phone !== undefined || email !== undefined
  await refuseUnsupported(deps, mode, body)
  if (!hasContact) return body
  const described = await deps.couriers.describe(mode)
  return described?.capabilities.recipient_phone ? body : { ...body, recipient: person }
}

/**
 * Throws `not_supported_by_courier` for sums that only some couriers take. Without the check the
 * courier would do something else than was asked.
 */
export async function refuseUnsupported(
  { couriers }: Deps,
  mode: CourierMode,
  sums: Sums,
): Promise<void> {
  if (!hasSums(sums)) return
  const described = await couriers.describe(mode)
  if (described === null) {
    throw new Problem('courier_unreachable', {
      retryAfterSeconds: 5,
      detail: 'The courier cannot be asked now what it can do.',
    })
  }
  const lacking = unsupported(sums, described.capabilities)
  if (lacking.length === 0) return
  throw new Problem('not_supported_by_courier', {
    errors: lacking.map((field) => ({
      pointer: `/${field}`,
      reason: 'not_supported_by_courier',
      detail: lackingDetail([field]),
    })),
  })
}

export function hasSums(sums: Sums): boolean {
  return sumFields.some((field) => (sums[field] ?? null) !== null)
}

/** The sums that need a capability which the courier does not have. */
export function unsupported(
  sums: Sums,
  capabilities: CourierCapabilities,
): readonly (keyof Sums)[] {
  return sumFields.filter((field) => (sums[field] ?? null) !== null && !capabilities[field])
}

export function lackingDetail(fields: readonly (keyof Sums)[]): string {
  const names = fields.length === 1 ? 'capability' : 'capabilities'
  return `The courier does not have the ${names} ${fields.join(' and ')}.`
}
