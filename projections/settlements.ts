import { isCounted, mayFreeQuotaPlace } from '../src/service/domain/quota.ts'
import { flag, id, int } from './columns.ts'
import { index, table } from './table.ts'

/**
 * Shipments whose quota place may have been released or taken again, with its current state: the to-do
 * list of `quota-correction.ts`, which reads it in the order of `position`. Shipments that simply got
 * their guide are not in it.
 */
export const settlements = table({
  madeOf: 'shipments',
  key: 'shipment_id',
  columns: {
    shipment_id: id,
    version: int,
    /** Position of its last event: the order in which quotas are corrected. */
    position: id,
    is_counted: flag,
  },
  indexes: (name) => [
    `CREATE INDEX IF NOT EXISTS ${index(name, 'position')} ON ${name} (position)`,
  ],
  rows: ({ changed }) =>
    changed
      .filter(({ state }) => mayFreeQuotaPlace(state))
      .map(({ shipmentId, state, position }) => ({
        shipment_id: shipmentId,
        version: state.version,
        position,
        is_counted: isCounted(state),
      })),
})
