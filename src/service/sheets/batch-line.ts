import { z } from 'zod'
import { shipmentPayload } from '../domain/shipment/shipment-payload.ts'

const keyLengthMax = 255

/** A line of a batch. It is validated on its own, so that a bad line never affects the others. */
export const batchLine = z.strictObject({
  idempotency_key: z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: 'Expected visible ASCII characters.' })
    .max(keyLengthMax)
    .optional()
    .meta({
      description:
        "The line's key, like the header of a single creation: 1 to 255 visible ASCII characters. The default is derived from the `external_reference` of the batch and that of the line, wherever the line stands.",
      example: 'order-5001',
    }),
  ...shipmentPayload.shape,
})
export type BatchLine = z.infer<typeof batchLine>
