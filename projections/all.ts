import { auditStreamPrefix, shipmentStreamPrefix } from '../src/service/domain/ids.ts'
import { auditEvents } from './audit-events.ts'
import { operations } from './operations.ts'
import { type Projection, readModel } from './projection.ts'
import { settlements } from './settlements.ts'
import { shipments } from './shipments.ts'
import { statistics } from './statistics.ts'

/**
 * The tables folded from shipments: their lists, the places in the quotas to be given back, and
 * the sums of what happened to them.
 * They are in the order in which queries that join them name them: a swap locks their views in this
 * order; a different order could deadlock with such a query.
 */
export const shipmentProjection: Projection = readModel({
  name: 'shipments',
  version: 14,
  prefixes: [shipmentStreamPrefix],
  tables: { operations, shipments, settlements },
  rollups: { statistics },
})

/** The administrative acts, for the shops' own reading. */
export const auditProjection: Projection = readModel({
  name: 'audit',
  version: 1,
  prefixes: [auditStreamPrefix],
  tables: { audit_events: auditEvents },
})

/** All read models. */
export const projections: readonly Projection[] = [shipmentProjection, auditProjection]
