import type { Instant } from '../../domain/decider.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import type { ProcessDeps } from '../../processes/deps.ts'
import { readClock } from '../../processes/sandbox/workspace-clock.ts'
import type { HttpDeps } from '../deps.ts'

/** What the routes of shipments, operations and the sandbox need in addition. */
export type LedgerDeps = HttpDeps & { readonly processes: ProcessDeps }

/** The current time on the clock of the shipment's workspace. */
export async function clockOf(deps: LedgerDeps, { request }: Shipment): Promise<Instant> {
  const workspace = { workspaceId: request.workspace_id, livemode: request.livemode }
  return (await readClock(deps.processes.db, workspace)).now
}
