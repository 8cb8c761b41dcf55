import { z } from 'zod'
import type { Principal } from '../../security/api-keys.ts'
import {
  type Operator,
  operatorEmailForm,
  operatorEmailMax,
  operatorNameMax,
  operatorStatuses,
} from '../../security/operators.ts'
import { exampleOperator, exampleOperatorRequest } from '../openapi/examples.ts'
import { idOf, openEnum, text, time, timestamp } from '../openapi/schemas.ts'
import { administered } from '../rules/resources/administered.ts'
import type { RouteDeps } from '../server-deps.ts'

/** It has no `livemode`: a person is the same one in both modes. */
export const operatorSchema = z
  .object({
    id: idOf('opr'),
    object: z.literal('operator'),
    organization_id: idOf('org'),
    name: z.string(),
    email: z.string().nullable().meta({
      description: '`null` for a key that is restricted to a workspace',
    }),
    status: openEnum(operatorStatuses),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int(),
  })
  .meta({ id: 'Operator', examples: [exampleOperator] })

const email = text(operatorEmailMax)
  .regex(operatorEmailForm, { error: 'Expected an address like ana@shop.example.' })
  .meta({ description: 'Where the person is reached.' })
const name = text(operatorNameMax).meta({ description: 'Shown with their decisions.' })

export const createOperatorBody = z
  .strictObject({ name, email })
  .meta({ examples: [exampleOperatorRequest] })
export const changeOperatorBody = z
  .strictObject({
    name: name.optional(),
    email: email.optional(),
    status: z.enum(operatorStatuses).optional(),
  })
  .meta({ examples: [{ name: exampleOperatorRequest.name }] })

/** The operators of the key's organization, in both modes and for every workspace. */
export function reachableOperators(db: RouteDeps['db'], { organizationId }: Principal) {
  return db.selectFrom('operators').selectAll().where('organization_id', '=', organizationId)
}

/** A shop's own key has no use for the addresses of the organization's staff. */
export function operatorObject(
  row: Operator,
  { workspaceId }: Principal,
): z.infer<typeof operatorSchema> {
  return {
    id: row.id,
    object: 'operator',
    organization_id: row.organization_id,
    name: row.name,
    email: workspaceId === null ? row.email : null,
    status: row.status,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    version: row.version,
  }
}

export const operators = administered({
  name: 'operator',
  reachable: reachableOperators,
  show: operatorObject,
})
