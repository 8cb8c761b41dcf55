import type { FastifyRequest } from 'fastify'
import { defaultScenario } from '../../couriers/scenarios/scenarios.ts'
import { Problem } from '../../errors.ts'
import { placeOf } from '../../processes/connections/courier-accounts.ts'
import type { ConnectionRow } from '../../processes/connections/shown-connection.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { courierFailed } from '../problems/courier-failed.ts'
import { scenarioOf } from '../rules/sandbox-scenario.ts'
import type { RouteDeps } from '../server-deps.ts'
import { connections } from './connection-schema.ts'

export type VerifyDeps = Pick<
  RouteDeps,
  'clock' | 'couriers' | 'db' | 'forgetConnection' | 'sandboxContext' | 'sealer' | 'store'
>

/**
 * Asks the courier whether it accepts the credentials and stores the verdict. The verdict applies
 * only to the credentials that were tested: if they were replaced meanwhile, nothing changes.
 */
export async function verifyConnection(
  deps: VerifyDeps,
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
    data: { courier_connection_id: row.id, accepted, ...shownChanges(row, accepted) },
  })
  await keep(deps, row, accepted)
  return connections.find(deps, principal, row.id)
}

async function sandboxOf(deps: VerifyDeps, row: ConnectionRow, scenario: string | null) {
  if (row.livemode) return null
  const context = await deps.sandboxContext({
    workspaceId: row.workspace_id,
    scenario: scenario ?? defaultScenario,
  })
  return { ...context, account: row.id }
}

/** The status before and after, for the audit. */
function shownChanges({ status: before }: ConnectionRow, accepted: boolean) {
  const after = accepted ? ('active' as const) : ('needs_reauth' as const)
  return before === 'disabled' || before === after ? {} : { changes: { status: { before, after } } }
}

/** A disabled connection stays disabled, whether its credentials are accepted or not. */
async function keep(deps: VerifyDeps, row: ConnectionRow, accepted: boolean): Promise<void> {
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
  deps.forgetConnection(placeOf(row))
}
