import { z } from 'zod'
import { actorOf } from '../../security/api-keys.ts'
import { createOperator, newOperatorId } from '../../security/operators.ts'
import type { ApiServices, App } from '../api-services.ts'
import type { Caller } from '../audit-act.ts'
import { exampleOperatorRequest } from '../openapi/operation-examples.ts'
import { authenticated } from '../rules/authenticate.ts'
import { requireStillValid } from '../rules/still-valid.ts'
import { addingActive, requireRoom, requireWholeOrganization } from './active-operators.ts'
import {
  operatorEmail,
  operatorName,
  operatorObject,
  operatorSchema,
  operatorSubject,
  operators,
  reachableOperators,
} from './operator-schema.ts'

type Deps = Pick<ApiServices, 'db' | 'secrets' | 'store'>

const body = z
  .strictObject({
    name: operatorName,
    email: operatorEmail,
    subject: operatorSubject.optional(),
  })
  .meta({ description: 'The person.', examples: [exampleOperatorRequest] })

export function createOperatorRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/operators',
    config: { collectionScope: 'operators:write', isIdempotent: true, problems: ['limit_reached'] },
    schema: {
      operationId: 'createOperator',
      summary: 'Create an operator: a person who decides operations',
      description:
        'Operators belong to the organization, so a key that is restricted to a workspace cannot create one. The name and the address appear in no event, webhook or log.',
      tags: ['Operators'],
      body,
      response: { 201: operatorSchema.meta({ description: 'The new operator.' }) },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      requireWholeOrganization(caller)
      const row = await operators.create(deps, request, reply, {
        newId: newOperatorId,
        create: (id) => create(deps, caller, request.body, id),
      })
      return operatorObject(row, caller.principal)
    },
  })
}

/** Creates the operator under this id, unless an earlier try did. Returns the id. */
async function create(
  deps: Deps,
  { principal, requestId }: Caller,
  order: z.infer<typeof body>,
  id: string,
): Promise<string> {
  const { organizationId } = principal
  return await addingActive(deps.db, organizationId, async () => {
    const all = reachableOperators(deps.db, principal)
    if ((await all.where('id', '=', id).executeTakeFirst()) !== undefined) return id
    await requireStillValid(deps, principal)
    await requireRoom(deps.db, organizationId)
    await createOperator(
      deps,
      { ...order, subject: order.subject ?? null, id, organizationId },
      { actor: actorOf(principal), requestId },
    )
    return id
  })
}
