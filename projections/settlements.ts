import { isCounted, mayFreeQuotaPlace } from '../src/service/domain/quota.ts'
import { flag, id, int } from './columns.ts'
import { index, table } from './table.ts'

/**
 * Shipments whose place in the quota may have been given back or taken again, and its current
 * state: the to-do list of `quota-correction.ts`, read in the order of `position`. A shipment that simply got its
 * guide is not in it.
 */
export const settlements = table({
  madeOf: 'shipments',
  key: 'shipment_id',
  columns: {
    shipment_id: id,
    version: int,
    /** Of its last event: the order in which quotas are corrected. */
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
