import type { AuditEvent } from '../domain/ledger/audit-event.ts'
import { actorOf } from '../security/api-keys.ts'
import { audit } from '../security/audit.ts'
import type { ApiServices } from './api-services.ts'
import type { authenticated } from './rules/authenticate.ts'

export type Caller = ReturnType<typeof authenticated>

/** Records an act of a key in a workspace. Call it before the act takes effect. */
export function auditAct(
  deps: Pick<ApiServices, 'store'>,
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
