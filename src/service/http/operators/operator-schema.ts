import { z } from 'zod'
import type { Principal } from '../../security/api-keys.ts'
import {
  type Operator,
  operatorEmailForm,
  operatorEmailMax,
  operatorNameMax,
  operatorStatuses,
  subjectMax,
} from '../../security/operators.ts'
import type { ApiServices } from '../api-services.ts'
import { exampleOperator } from '../openapi/operation-examples.ts'
import {
  createdAt,
  idOf,
  openEnum,
  ownId,
  text,
  time,
  typeOf,
  updatedAt,
  version,
} from '../openapi/schemas.ts'
import { administered } from '../rules/resources/administered.ts'

export const aboutStatus = '`active`, or `disabled`: the keys of the operator do not work.'

export const operatorSchema = z
  .object({
    id: ownId('opr'),
    object: typeOf('operator'),
    organization_id: idOf('org').meta({ description: 'The organization that it belongs to.' }),
    name: z.string().meta({ description: 'The name, shown with their decisions.' }),
    email: z.string().nullable().meta({
      description: 'The email address. `null` for a key that is restricted to a workspace.',
    }),
    subject: z.string().nullable().meta({
      description:
        'The `sub` of the person at the OpenID Connect issuer. `null` if the person signs in by the verified email address, and for a key that is restricted to a workspace.',
    }),
    status: openEnum(operatorStatuses).meta({ description: aboutStatus }),
    created_at: createdAt,
    updated_at: updatedAt,
    version,
  })
  .meta({
    id: 'Operator',
    description:
      'A person who decides operations. Operators are the same in both modes, so they have no `livemode`.',
    examples: [exampleOperator],
  })

export const operatorEmail = text(operatorEmailMax)
  .regex(operatorEmailForm, { error: 'Expected an address like ana@shop.example.' })
  .meta({ description: 'The email address.' })
export const operatorSubject = text(subjectMax).nullable().meta({
  description:
    'The `sub` of the person at the OpenID Connect issuer, if the email address is not to be enough for signing in. Absent or `null`: none.',
})
export const operatorName = text(operatorNameMax).meta({
  description: 'The name, shown with their decisions.',
})

/** The operators of the key's organization, in both modes and for every workspace. */
export function reachableOperators(db: ApiServices['db'], { organizationId }: Principal) {
  return db.selectFrom('operators').selectAll().where('organization_id', '=', organizationId)
}

/** A key of one workspace does not see the email addresses of the organization's staff. */
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
    subject: workspaceId === null ? row.subject : null,
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
