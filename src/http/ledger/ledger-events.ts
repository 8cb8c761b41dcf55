import { z } from 'zod'
import { actorTypes, storedActor } from '../../event-store/codec.ts'
import { idOf, openEnum, timestamp } from '../openapi/schemas.ts'

/** An event as auditors see it. The leaf is the digest of all fields but `position` and `leaf`. */
export const ledgerEventSchema = z
  .object({
    id: z.uuid(),
    object: z.literal('ledger_event'),
    livemode: z.boolean(),
    created_at: timestamp,
    type: z.string(),
    schema: z.int(),
    shipment_id: idOf('shp').nullable(),
    revision: z.int().meta({ description: 'Counts the events of the stream from 0' }),
    recorded_at: timestamp,
    occurred_at: timestamp,
    workspace_id: idOf('ws').nullable(),
    actor: z.object({
      ...storedActor,
      type: openEnum(actorTypes),
      operator_id: storedActor.operator_id.meta({
        description: 'Only for what an operator did; otherwise left out, as it is in the leaf',
      }),
      system_user: storedActor.system_user.meta({
        description: 'Only for a command without an operator: the user of the operating system',
      }),
    }),
    request_id: z.string().nullable(),
    causation_id: z.string().nullable(),
    correlation_id: z.string(),
    data: z.record(z.string(), z.unknown()),
    position: z.string(),
    leaf: z.string().meta({ description: 'SHA-256 over the RFC 8785 form, hexadecimal' }),
  })
  .meta({ id: 'LedgerEvent' })
