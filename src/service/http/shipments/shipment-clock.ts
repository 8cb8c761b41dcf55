import type { Instant } from '../../domain/decider.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { readClock } from '../../processes/sandbox/workspace-clock.ts'
import type { RouteDeps } from '../server-deps.ts'

/** The current time on the clock of the shipment's workspace. */
export async function clockOf(
  { processes }: Pick<RouteDeps, 'processes'>,
  { request }: Shipment,
): Promise<Instant> {
  const workspace = { workspaceId: request.workspace_id, livemode: request.livemode }
  return (await readClock(processes.db, workspace)).now
}
