import type { Database } from '../src/service/database/database.ts'
import type { auditEvents } from './audit-events.ts'
import type { ReadRow } from './columns.ts'
import type { operations } from './operations.ts'
import type { settlements } from './settlements.ts'
import type { shipments } from './shipments.ts'
import type { statistics } from './statistics.ts'

/** The tables of the read models, as queries see them. */
export type ReadModels = {
  'projections.shipments': ReadRow<typeof shipments.columns>
  'projections.operations': ReadRow<typeof operations.columns>
  'projections.audit_events': ReadRow<typeof auditEvents.columns>
  'projections.settlements': ReadRow<typeof settlements.columns>
  'projections.statistics': ReadRow<typeof statistics.columns>
}

/** All tables that queries are typed for: configuration, queues and read models. */
export type Tables = Database & ReadModels
