import { z } from 'zod'
import type { thresholdResource } from '../../domain/quota.ts'
import type { AlertSubject, alertToApi } from '../../domain/webhooks/alert.ts'
import { jsonSchemaOptions } from './api-schemas.ts'
import { idOf, livemode, openEnum, timestamp, typeOf, version, workspaceRef } from './schemas.ts'
import type { Schema } from './unions.ts'

/** Objects that only webhooks have. */

const subjects = ['operation', 'webhook_endpoint', 'courier_connection', 'service'] as const

const alertSchema = z
  .object({
    id: idOf('alr').meta({
      description: 'Identifies the alert: the same condition of the same subject has the same id.',
    }),
    object: typeOf('alert'),
    livemode,
    workspace_id: workspaceRef,
    state: openEnum(['firing', 'resolved']).meta({
      description: '`firing`: the condition lasts. `resolved`: it has ended.',
    }),
    subject: z
      .object({
        type: openEnum(subjects satisfies readonly AlertSubject['type'][]).meta({
          description: 'The kind of what it is about. `service`: the whole service.',
        }),
        id: z.string().nullable().meta({
          description: 'The id of what it is about. `null` if it is about the whole service.',
        }),
      })
      .meta({ description: 'What it is about.' }),
    shipment_id: idOf('shp').nullable().meta({
      description: 'The shipment of the operation. `null` if it is not about an operation.',
    }),
    reason: z.string().nullable().meta({
      description:
        'Why a person must decide: the code of `reason_for_review`. `null` if it is not about an operation.',
      example: 'deadline_passed',
    }),
    since: timestamp.meta({ description: 'When the condition began.' }),
    resolved_at: timestamp.nullable().meta({
      description: 'When it ended. `null` while it is firing.',
    }),
    version: version.meta({ description: 'Grows with every change of the alert.' }),
  } satisfies Record<keyof ReturnType<typeof alertToApi>, z.ZodType>)
  .meta({ description: 'A condition that a person should know of.' })

const quotaSchema = z
  .object({
    id: idOf('org').meta({ description: 'The organization.' }),
    object: typeOf('quota'),
    livemode,
    metric: z.string().meta({ description: 'What is counted.', example: 'shipments' }),
    period: z.string().meta({ description: 'The month in UTC.', example: '2026-03' }),
    percent: z.int().meta({ description: 'How much of it is used, in percent.', example: 80 }),
    used: z.int().meta({ description: 'How many are used.', example: 80 }),
    limit: z.int().meta({ description: 'How many the plan has.', example: 100 }),
  } satisfies Record<keyof ReturnType<typeof thresholdResource>, z.ZodType>)
  .meta({ description: "A share of a month's quota that was used." })

const omitted = z.int().meta({
  description: 'How many new scans were left out, because the body would be too large.',
  example: 0,
})

function schemaOf(schema: z.ZodType): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', ...jsonSchemaOptions })
  return json as unknown as Schema
}

/** Made on first use: zod is slow to start. */
export function webhookOnlyObjects() {
  return { alert: schemaOf(alertSchema), quota: schemaOf(quotaSchema), omitted: schemaOf(omitted) }
}
