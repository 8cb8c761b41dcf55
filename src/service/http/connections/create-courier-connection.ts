import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { connectionToApi } from '../../processes/connections/connection-to-api.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { newConnectionId } from '../new-ids.ts'
import { exampleConnectionRequest } from '../openapi/examples.ts'
import { describedLike, idOf, providerCode, text } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { withinPlan } from '../rules/plan-limits.ts'
import { checkedCredentials } from './checked-credentials.ts'
import {
  connectionSchema,
  connections,
  credentials,
  displayName,
  providerCodeLengthMax,
} from './connection-schema.ts'

const body = z
  .strictObject({
    workspace_id: idOf('ws').meta({ description: 'The workspace that gets the connection.' }),
    provider_code: describedLike(providerCode, text(providerCodeLengthMax)),
    display_name: displayName,
    credentials,
  })
  .meta({
    description: 'The account to connect, and the workspace that may use it.',
    examples: [exampleConnectionRequest()],
  })
type Body = z.infer<typeof body>

export function createCourierConnectionRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'POST',
    url: '/v1/courier-connections',
    config: {
      collectionScope: 'connections:write',
      isIdempotent: true,
      problems: ['not_found', 'courier_not_available', 'plan_limit_reached'],
    },
    schema: {
      operationId: 'createCourierConnection',
      summary: 'Connect a courier account to a workspace',
      description:
        'Call it once for each account of a shop. `credentials` has the `credential_fields` of the courier in `GET /v1/couriers`; another or a missing one is 422. Whether the courier accepts them shows when they are first used; `verify` checks them at once. 422 `courier_not_available`: there is no courier with this code in the mode of the key. 403 `plan_limit_reached`: the plan allows no more connections.',
      tags: ['Courier connections'],
      body,
      response: { 201: connectionSchema.meta({ description: 'The new connection.' }) },
    },
    handler: async (request, reply) => {
      const row = await connections.create(deps, request, reply, {
        newId: newConnectionId,
        create: (id) => create(deps, authenticated(request), request.body, id),
      })
      return connectionToApi(row)
    },
  })
}

/** Creates the connection under this id, unless an earlier try did. Returns the id. */
async function create(deps: ApiServices, caller: Caller, body: Body, id: string): Promise<string> {
  const { organizationId, livemode } = caller.principal
  await deps.workspaces.require(caller.principal, body.workspace_id)
  const made = await deps.db
    .selectFrom('courier_connections')
    .select('id')
    .where((eb) => eb.and({ id, organization_id: organizationId }))
    .executeTakeFirst()
  if (made !== undefined) return id
  const providerCode = body.provider_code
  if (deps.couriers.courierFor({ livemode, providerCode }) === null) {
    throw new Problem('courier_not_available', {
      errors: [
        {
          pointer: '/provider_code',
          reason: 'courier_not_available',
          detail: 'GET /v1/couriers lists the couriers of this key.',
        },
      ],
    })
  }
  const mode = { livemode, providerCode }
  const credentials = await checkedCredentials(deps, mode, body.credentials)
  await withinPlan(deps, caller.principal, 'courier_connections', () =>
    insert(deps, caller, { ...body, credentials }, id),
  )
  return id
}

async function insert(deps: ApiServices, caller: Caller, body: Body, id: string): Promise<void> {
  const { organizationId, livemode } = caller.principal
  const { workspace_id: workspaceId, provider_code: providerCode } = body
  const sealed = deps.sealer.seal({
    organizationId,
    connectionId: id,
    credentials: body.credentials,
  })
  await auditAct(deps, caller, workspaceId, {
    type: 'CourierConnectionCreated',
    data: { courier_connection_id: id, workspace_id: workspaceId, provider_code: providerCode },
  })
  const now = deps.clock.now()
  await deps.db
    .insertInto('courier_connections')
    .values({
      id,
      organization_id: organizationId,
      workspace_id: workspaceId,
      livemode,
      provider_code: providerCode,
      display_name: body.display_name,
      status: 'active',
      credentials: sealed,
      created_at: now,
      updated_at: now,
    })
    .execute()
}
