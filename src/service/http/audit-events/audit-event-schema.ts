import { z } from 'zod'
import type { AuditContent } from '../../../../projections/audit-events.ts'
import type { ReadModels } from '../../../../projections/tables.ts'
import { actResourceTypes } from '../../domain/ledger/administrative-act.ts'
import { type AuditEventType, auditEventSchemas } from '../../domain/ledger/audit-event.ts'
import { actorTypes } from '../../event-store/codec.ts'
import { createdAt, idOf, knownValues, livemode, time, typeOf } from '../openapi/schemas.ts'

export const auditActions = Object.keys(auditEventSchemas) as [AuditEventType, ...AuditEventType[]]

const values = z.record(z.string(), z.unknown())

const workspace = 'ws_0n3kXQe7RzVb2LmYcD8pTa'

export const exampleAuditEvent = {
  id: '0b1f3c1e-6d0f-4a86-9b5e-3a2f1c7d9e40',
  object: 'audit_event',
  livemode: false,
  workspace_id: workspace,
  action: 'WorkspaceChanged',
  actor: { type: 'api_key', key_id: 'key_5Tn8wQ1rYkZs4VbXcE7mJd', operator_id: null },
  resource: { type: 'workspace', id: workspace },
  changed_fields: ['name', 'personal_data_retention_days'],
  before: { personal_data_retention_days: null },
  after: { personal_data_retention_days: 90 },
  data: {
    workspace_id: workspace,
    fields: ['name', 'personal_data_retention_days'],
    changes: { personal_data_retention_days: { before: null, after: 90 } },
  },
  request_id: 'req_2Hs9vLq4NxWc6RtYbF3kPg',
  position: '00000000000000000042',
  created_at: '2026-03-01T12:00:00.000Z',
}

/** An administrative act. Its `id` is the id of its event in the ledger. */
export const auditEventSchema = z
  .object({
    id: z.uuid().meta({ description: 'Identifies its event in the ledger, as in an export.' }),
    object: typeOf('audit_event'),
    livemode: livemode.meta({
      description:
        'The mode that it belongs to. `false` also for an act on the organization as a whole, which belongs to no mode.',
    }),
    workspace_id: idOf('ws').nullable().meta({
      description: 'The workspace that it is about. `null` if it is about none.',
    }),
    action: knownValues(auditActions).meta({
      description: 'What was done: the type of its event.',
    }),
    actor: z
      .object({
        type: knownValues(actorTypes).meta({
          description:
            'What kind of actor. `operator`: a person; `cli`: a command without one; `system`: the service itself.',
        }),
        key_id: z
          .string()
          .nullable()
          .meta({ description: 'The key that was used. `null` if there was none.' }),
        operator_id: z
          .string()
          .nullable()
          .meta({ description: 'The operator. `null` if there was none.' }),
      })
      .meta({ description: 'Who acted, and with which key.' }),
    resource: z
      .object({
        type: knownValues(actResourceTypes).meta({ description: 'What kind of resource.' }),
        id: z.string().nullable().meta({ description: 'Its id. `null` if there were several.' }),
      })
      .meta({ description: 'The resource that was changed or read.' }),
    changed_fields: z.array(z.string()).meta({
      description: 'Every field that changed, including those whose values are not recorded.',
    }),
    before: values.meta({
      description:
        'The recorded values of the changed fields before the change. Names, descriptions, secrets and webhook URLs are never recorded, and older events lack some values.',
    }),
    after: values.meta({
      description: 'The recorded values of the changed fields after the change.',
    }),
    data: values.meta({ description: 'The data of the event, as recorded in the ledger.' }),
    request_id: z.string().nullable().meta({
      description: 'The request that did it. `null` if a command or the service did.',
    }),
    position: z.string().meta({
      description:
        'The position of the event in the ledger: `GET /v1/ledger/proof/{position}` proves it.',
    }),
    created_at: createdAt.meta({ description: 'When it was done.' }),
  })
  .meta({
    id: 'AuditEvent',
    description:
      'An administrative act: a change of a resource other than a shipment, and who made it.',
    examples: [exampleAuditEvent],
  })

export type AuditEventRow = ReadModels['projections.audit_events']

export function auditEventObject(row: AuditEventRow): z.infer<typeof auditEventSchema> {
  const content = JSON.parse(row.content) as AuditContent
  return {
    id: row.event_id,
    object: 'audit_event',
    livemode: row.livemode,
    workspace_id: row.workspace_id,
    action: row.action,
    actor: { type: row.actor_type, key_id: row.key_id, operator_id: row.operator_id },
    resource: { type: row.resource_type, id: row.resource_id },
    changed_fields: [...content.changed_fields],
    before: { ...content.before },
    after: { ...content.after },
    data: { ...content.data },
    request_id: row.request_id,
    position: row.position,
    created_at: time(row.created_at),
  }
}
