import type { CourierMode } from '../../couriers/couriers.ts'
import type { ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import { Problem } from '../../errors.ts'
import type { ProcessServices } from '../process-services.ts'

/** What only some couriers do. Without it they would do something else than was asked. */
const refusable = ['declared_value', 'cash_on_delivery'] as const

/**
 * The payload as this courier gets it. Throws `not_supported_by_courier` for what the courier cannot
 * do. A phone number and an e-mail address are left out unless it is known to take them.
 */
export async function payloadFor(
  { couriers }: Pick<ProcessServices, 'couriers'>,
  mode: CourierMode,
  body: ShipmentPayload,
): Promise<ShipmentPayload> {
  const { phone, email, ...person } = body.recipient
  const hasContact = phone !== undefined || email !== undefined
  const asked = refusable.filter((field) => (body[field] ?? null) !== null)
  if (asked.length === 0 && !hasContact) return body
  const described = await couriers.describe(mode)
  const withoutContact = { ...body, recipient: person }
  if (described === null) {
    if (asked.length === 0) return withoutContact
    throw new Problem('courier_unreachable', {
      retryAfterSeconds: 5,
      detail: 'The courier cannot be asked now what it can do.',
    })
  }
  const { capabilities } = described
  const lacking = asked.filter((field) => !capabilities[field])
  if (lacking.length > 0) {
    throw new Problem('not_supported_by_courier', {
      errors: lacking.map((field) => ({
        pointer: `/${field}`,
        reason: 'not_supported_by_courier',
        detail: `The courier does not have the capability ${field}.`,
      })),
    })
  }
  return capabilities.recipient_phone ? body : withoutContact
}
