import type { FastifyRequest } from 'fastify'
import { defaultScenario } from '../../couriers/scenarios/scenarios.ts'
import { Problem } from '../../errors.ts'
import {
  type ConnectionRow,
  connectionToApi,
} from '../../processes/connections/connection-to-api.ts'
import { placeOf } from '../../processes/connections/courier-accounts.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { courierFailed } from '../problems/courier-failed.ts'
import { authenticated } from '../rules/authenticate.ts'
import { scenarioOf } from '../rules/sandbox-scenario.ts'
import { connectionSchema, connections } from './connection-schema.ts'

export function verifyCourierConnectionRoute(app: App, deps: ApiServices): void {
  const connection = connections.resource(deps, 'connections:write')
  app.route({
    method: 'POST',
    url: '/v1/courier-connections/:id/verify',
    config: {
      resource: connection,
      isVersioned: true,
      headers: ['sandbox-scenario'],
      problems: [
        'courier_not_available',
        'courier_rejected',
        'courier_throttled',
        'courier_unreachable',
        'sandbox_only',
        'unknown_scenario',
      ],
    },
    schema: {
      operationId: 'verifyCourierConnection',
      summary: 'Ask the courier whether it accepts the credentials',
      description:
        'Use it after you entered credentials. The answer is 200 in both cases: `status` is `active` or, if the courier refuses the credentials, `needs_reauth`. Repeating it is safe. 503 `courier_unreachable` says nothing about the credentials.',
      tags: ['Courier connections'],
      params: pathId('ccn'),
      response: {
        200: connectionSchema.meta({ description: 'The connection after the check.' }),
      },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      const row = await verify(deps, caller, request, connection.of(request))
      return connectionToApi(row)
    },
  })
}

/**
 * Asks the courier whether it accepts the credentials and stores the verdict, which applies only to
 * the credentials that were tested: if they were replaced in the meantime, nothing changes.
 */
async function verify(
  deps: ApiServices,
  caller: Caller,
  request: FastifyRequest,
  row: ConnectionRow,
): Promise<ConnectionRow> {
  const { principal, requestId } = caller
  const scenario = scenarioOf(request, principal.livemode, undefined)
  const mode = { livemode: principal.livemode, providerCode: row.provider_code }
  const courier = deps.couriers.courierFor(mode)
  if (courier === null) throw new Problem('courier_not_available')
  const answer = await courier.verifyCredentials({
    requestId,
    organizationId: row.organization_id,
    credentials: deps.sealer.open({
      organizationId: row.organization_id,
      connectionId: row.id,
      sealed: row.credentials,
    }),
    sandbox: await sandboxOf(deps, row, scenario),
  })
  if (answer.kind !== 'accepted' && answer.kind !== 'unauthorized') throw courierFailed(answer)
  const accepted = answer.kind === 'accepted'
  await auditAct(deps, caller, row.workspace_id, {
    type: 'CourierConnectionVerified',
    data: { courier_connection_id: row.id, accepted, ...auditedChanges(row, accepted) },
  })
  await store(deps, row, accepted)
  return connections.find(deps, principal, row.id)
}

async function sandboxOf(deps: ApiServices, row: ConnectionRow, scenario: string | null) {
  if (row.livemode) return null
  const context = await deps.sandboxContext({
    workspaceId: row.workspace_id,
    scenario: scenario ?? defaultScenario,
  })
  return { ...context, account: row.id }
}

/** The status before and after, for the audit. */
function auditedChanges({ status: before }: ConnectionRow, accepted: boolean) {
  const after = accepted ? ('active' as const) : ('needs_reauth' as const)
  return before === 'disabled' || before === after ? {} : { changes: { status: { before, after } } }
}

/** A disabled connection stays disabled, whatever the verdict. */
async function store(deps: ApiServices, row: ConnectionRow, accepted: boolean): Promise<void> {
  const now = deps.clock.now()
  await deps.db
    .updateTable('courier_connections')
    .set((eb) => ({
      status: eb
        .case()
        .when('status', '=', 'disabled')
        .then('disabled' as const)
        .else(accepted ? ('active' as const) : ('needs_reauth' as const))
        .end(),
      verified_at: accepted ? now : null,
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where((eb) =>
      eb.and({
        id: row.id,
        organization_id: row.organization_id,
        credentials_version: row.credentials_version,
      }),
    )
    .where('deleted_at', 'is', null)
    .execute()
  deps.accounts.forget(placeOf(row))
}
