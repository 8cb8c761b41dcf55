import { auditStreamPrefix, shipmentStreamPrefix } from '../src/service/domain/ids.ts'
import { auditEvents } from './audit-events.ts'
import { operations } from './operations.ts'
import { type Projection, readModel } from './projection.ts'
import { settlements } from './settlements.ts'
import { shipments } from './shipments.ts'
import { statistics } from './statistics.ts'

/**
 * The tables derived from shipments: their lists, the quota places to settle, and the statistics. Their
 * order is that in which queries that join them name them: a swap locks their views in this order, and
 * another order could deadlock with such a query.
 */
export const shipmentProjection: Projection = readModel({
  name: 'shipments',
  version: 15,
  prefixes: [shipmentStreamPrefix],
  tables: { operations, shipments, settlements },
  rollups: { statistics },
})

/** The administrative acts, for shops to read. */
export const auditProjection: Projection = readModel({
  name: 'audit',
  version: 1,
  prefixes: [auditStreamPrefix],
  tables: { audit_events: auditEvents },
})

export const projections: readonly Projection[] = [shipmentProjection, auditProjection]
