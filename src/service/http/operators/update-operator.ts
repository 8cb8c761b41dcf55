import { z } from 'zod'
import { actorOf } from '../../security/api-keys.ts'
import { endMachineKeysOf, type MachineKey } from '../../security/machine-keys.ts'
import { changeOperator, type Operator, operatorStatuses } from '../../security/operators.ts'
import type { ApiServices, App } from '../api-services.ts'
import type { Caller } from '../audit-act.ts'
import { exampleOperator, exampleOperatorRequest } from '../openapi/operation-examples.ts'
import { livemode, ownId, pathId, timeOrNull, timestamp } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { requireWritten } from '../rules/resources/fresh-row.ts'
import { requireStillValid } from '../rules/still-valid.ts'
import { addingActive, requireRoom, requireWholeOrganization } from './active-operators.ts'
import {
  aboutStatus,
  operatorEmail,
  operatorName,
  operatorObject,
  operatorSchema,
  operatorSubject,
  operators,
} from './operator-schema.ts'

type Deps = Pick<ApiServices, 'db' | 'store'>

const body = z
  .strictObject({
    name: operatorName.optional(),
    email: operatorEmail.optional(),
    subject: operatorSubject.optional(),
    status: z.enum(operatorStatuses).optional().meta({ description: aboutStatus }),
    revoke_created_keys: z.boolean().optional().meta({
      description:
        'Whether to revoke also the keys without an operator that the operator or its keys created. Required with `status: disabled`, and allowed only with it. The answer lists these keys.',
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

const changedOperatorSchema = operatorSchema
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
            .meta({ description: 'When it was revoked. `null` if it still works.' }),
        }),
      )
      .nullable()
      .meta({
        description:
          'The keys without an operator that the operator or its keys created, and those that such keys created in turn, in both modes: those that still work and those revoked since the operator was disabled, at most 2,000. `null` unless the request disables the operator.',
      }),
  })
  .meta({
    id: 'ChangedOperator',
    description: 'An operator after a change, with the keys that may keep working.',
    examples: [{ ...exampleOperator, created_keys: null }],
  })

export function updateOperatorRoute(app: App, deps: Deps): void {
  app.route({
    method: 'PATCH',
    url: '/v1/operators/:id',
    config: {
      resource: operators.resource(deps, 'operators:write'),
      // It must always be possible to stop the keys of a person who left.
      whileSuspended: true,
      isVersioned: true,
      problems: ['limit_reached'],
    },
    schema: {
      operationId: 'updateOperator',
      summary: 'Rename, disable or enable an operator',
      description:
        'The keys of a disabled operator stop working everywhere within 5 seconds, including the calling key. Keys without an operator that they created keep working unless `revoke_created_keys` is true; the answer lists them, and repeating the request can still revoke them. `status: active` lets the keys of the operator work again, except those that were revoked or have expired. A key that is restricted to a workspace cannot change operators.',
      tags: ['Operators'],
      params: pathId('opr'),
      body,
      response: {
        200: changedOperatorSchema.meta({ description: 'The operator after the change.' }),
      },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      requireWholeOrganization(caller)
      const { row, createdKeys } = await operators.change(deps, request, (found) =>
        change(deps, caller, request.body, found),
      )
      const created_keys = createdKeys?.map((key) => ({
        ...key,
        revoked_at: timeOrNull(key.revoked_at),
      }))
      return { ...operatorObject(row, caller.principal), created_keys: created_keys ?? null }
    },
  })
}

type ChangedOperator = {
  readonly row: Operator
  /** Null unless the operator was disabled. */
  readonly createdKeys: readonly MachineKey[] | null
}

async function change(
  deps: Deps,
  { principal, requestId }: Caller,
  order: z.infer<typeof body>,
  found: Operator,
): Promise<ChangedOperator> {
  await requireStillValid(deps, principal)
  const by = { actor: actorOf(principal), requestId }
  const { revoke_created_keys: revoke, ...fields } = order
  const wanted = { ...fields, revokeCreatedKeys: revoke }
  const changed = async () => requireWritten(await changeOperator(deps, found, wanted, by))
  if (revoke !== undefined) {
    const row = await changed()
    return { row, createdKeys: await endMachineKeysOf(deps, row, { revoke, by }) }
  }
  const isEnabled = order.status === 'active' && found.status === 'disabled'
  if (!isEnabled) return { row: await changed(), createdKeys: null }
  const { organizationId } = principal
  return addingActive(deps.db, organizationId, async () => {
    await requireRoom(deps.db, organizationId)
    return { row: await changed(), createdKeys: null }
  })
}
