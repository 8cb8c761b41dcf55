import { z } from 'zod'
import { actorTypes, storedActor } from '../../event-store/codec.ts'
import { createdAt, idOf, livemode, openEnum, timestamp, typeOf } from '../openapi/schemas.ts'

/** An event as auditors see it. The leaf is the digest of all fields but `position` and `leaf`. */
export const ledgerEventSchema = z
  .object({
    id: z.uuid().meta({ description: 'Identifies the event and never changes.' }),
    object: typeOf('ledger_event'),
    livemode,
    created_at: createdAt.meta({ description: 'The same as `recorded_at`.' }),
    type: z.string().meta({ description: 'What happened.', example: 'GuideIssued' }),
    schema: z
      .int()
      .meta({ description: 'The version of the schema of `data`, from 1.', example: 1 }),
    shipment_id: idOf('shp').nullable().meta({
      description: 'The shipment whose history it belongs to. `null` for an administrative act.',
    }),
    revision: z
      .int()
      .meta({ description: 'The number of the event in its stream, from 0.', example: 2 }),
    recorded_at: timestamp.meta({ description: 'When it was recorded, in real time.' }),
    occurred_at: timestamp.meta({ description: "When it happened, on the workspace's clock." }),
    workspace_id: idOf('ws').nullable().meta({
      description: 'The workspace that it is about. `null` if it is about none.',
    }),
    actor: z
      .object({
        ...storedActor,
        type: openEnum(actorTypes).meta({
          description:
            'What kind of actor. `operator`: a person; `cli`: a command without one; `reconciliation`, `poller` and `system`: the service itself.',
        }),
        key_id: storedActor.key_id.meta({
          description: 'The key that was used. `null` if there was none.',
        }),
        operator_id: storedActor.operator_id.meta({
          description: 'The operator. As in the leaf, absent unless an operator did it.',
        }),
        system_user: storedActor.system_user.meta({
          description:
            'The user of the operating system. Absent unless a command without an operator did it.',
        }),
      })
      .meta({ description: 'Who acted, and with which key.' }),
    request_id: z.string().nullable().meta({
      description: 'The request that caused it. `null` if no request did.',
    }),
    causation_id: z.string().nullable().meta({
      description: 'The event that caused it. `null` if no other event did.',
    }),
    correlation_id: z.string().meta({ description: 'The id of the first event of its stream.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description: 'The recorded data, in the schema of the event type.',
    }),
    position: z.string().meta({
      description: 'The position in the ledger: `GET /v1/ledger/proof/{position}` proves it.',
      example: '00000000000000000042',
    }),
    leaf: z.string().meta({
      description:
        'The digest that the ledger is sealed with: hexadecimal SHA-256 over the RFC 8785 form of all other members except `position`.',
    }),
  })
  .meta({
    id: 'LedgerEvent',
    description:
      'An event as recorded in the ledger, for good and unchanged. It contains no personal data.',
  })
