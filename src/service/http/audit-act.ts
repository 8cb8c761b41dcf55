import type { AuditEvent } from '../domain/ledger/audit-event.ts'
import { actorOf } from '../security/api-keys.ts'
import { audit } from '../security/audit.ts'
import type { authenticated } from './rules/authenticate.ts'
import type { RouteDeps } from './server-deps.ts'

export type Caller = ReturnType<typeof authenticated>

/** Records what a key does in a workspace, before the act takes effect. */
export function auditAct(
  deps: Pick<RouteDeps, 'store'>,
  { principal, requestId }: Caller,
  workspaceId: string,
  event: AuditEvent,
): Promise<void> {
  return audit(deps.store, {
    ...event,
    organizationId: principal.organizationId,
    workspaceId,
    livemode: principal.livemode,
    actor: actorOf(principal),
    requestId,
  })
}
