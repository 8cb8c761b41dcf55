import { isCounted, needsSettling } from '../src/domain/quota.ts'
import type { Changed } from './fold-batch.ts'
import { index } from './shipments.ts'

/**
 * Shipments whose place in the quota may have changed hands, and what it is now: the settler's to-do
 * list, read in the order of `position`. A shipment that simply got its guide is not in it.
 */
export function settlementsDdl(name: string): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (
      shipment_id text COLLATE "C" PRIMARY KEY,
      version int NOT NULL,
      position text COLLATE "C" NOT NULL,
      is_counted boolean NOT NULL
    ) WITH (fillfactor = 80)`,
  ]
}

export function settlementsIndexes(name: string): readonly string[] {
  return [`CREATE INDEX IF NOT EXISTS ${index(name, 'position')} ON ${name} (position)`]
}

export function settlementRows(changed: readonly Changed[]): readonly object[] {
  return changed
    .filter(({ state }) => needsSettling(state))
    .map(({ shipmentId, state, position }) => ({
      shipment_id: shipmentId,
      version: state.version,
      position,
      is_counted: isCounted(state),
    }))
}
