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
import {
  createdAt,
  idOf,
  livemode,
  openEnum,
  ownId,
  text,
  time,
  timestamp,
  typeOf,
  updatedAt,
  version,
} from '../openapi/schemas.ts'
import { administered } from '../rules/resources/administered.ts'
import type { RouteDeps } from '../server-deps.ts'

const aboutStatus = '`active`, or `disabled`: the keys of the operator do not work.'

export const operatorSchema = z
  .object({
    id: ownId('opr'),
    object: typeOf('operator'),
    organization_id: idOf('org').meta({ description: 'The organization that it belongs to.' }),
    name: z.string().meta({ description: 'Shown with their decisions.' }),
    email: z.string().nullable().meta({
      description:
        'Where the person is reached. `null` for a key that is restricted to a workspace.',
    }),
    status: openEnum(operatorStatuses).meta({ description: aboutStatus }),
    created_at: createdAt,
    updated_at: updatedAt,
    version,
  })
  .meta({
    id: 'Operator',
    description:
      'A person who decides operations. The same in both modes, so it has no `livemode`.',
    examples: [exampleOperator],
  })

export const changedOperatorSchema = operatorSchema
  .extend({
    created_keys: z
      .array(
        z.object({
          id: ownId('key'),
          livemode,
          last4: z.string().meta({
            description: 'The last four characters of the key, to recognize it by.',
            example: '9xQ2',
          }),
          revoked_at: timestamp
            .nullable()
            .meta({ description: 'When it was revoked. `null`: it still works.' }),
        }),
      )
      .nullable()
      .meta({
        description:
          'Keys without an operator that the operator or its keys created, and that such keys created in turn, in both modes: those that still work, and those that were revoked since the operator was disabled, at most 2,000. `null` unless the request disables the operator.',
      }),
  })
  .meta({
    id: 'ChangedOperator',
    description: 'An operator after a change, with the keys that outlive it.',
    examples: [{ ...exampleOperator, created_keys: null }],
  })

const email = text(operatorEmailMax)
  .regex(operatorEmailForm, { error: 'Expected an address like ana@shop.example.' })
  .meta({ description: 'Where the person is reached.' })
const name = text(operatorNameMax).meta({ description: 'Shown with their decisions.' })

export const createOperatorBody = z
  .strictObject({ name, email })
  .meta({ description: 'The person.', examples: [exampleOperatorRequest] })
export const changeOperatorBody = z
  .strictObject({
    name: name.optional(),
    email: email.optional(),
    status: z.enum(operatorStatuses).optional().meta({ description: aboutStatus }),
    revoke_created_keys: z.boolean().optional().meta({
      description:
        'Whether the keys without an operator that the operator or its keys created are revoked too. Required with `status: disabled`, and allowed only with it. The answer names these keys.',
    }),
  })
  .superRefine(({ status, revoke_created_keys: revokes }, context) => {
    const isDisabled = status === 'disabled'
    if (isDisabled === (revokes !== undefined)) return
    const message = isDisabled
      ? 'It is required with status disabled.'
      : 'It is allowed only with status disabled.'
    const params = { reason: isDisabled ? 'required' : 'not_allowed' }
    context.addIssue({ code: 'custom', path: ['revoke_created_keys'], message, params })
  })
  .meta({
    description: 'What to change. A field that is absent stays as it is.',
    examples: [{ name: exampleOperatorRequest.name }],
  })

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
