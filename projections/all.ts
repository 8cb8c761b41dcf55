import { shipmentStreamPrefix } from '../src/domain/ids.ts'
import { type FoldedProjection, folded } from './folded.ts'
import { operations } from './operations.ts'
import { shipments } from './shipments.ts'
import { tracking } from './tracking.ts'

/** What is made of folded shipments: their lists, the operators' list, and what is owed when. */
export const shipmentProjection: FoldedProjection = folded({
  name: 'shipments',
  version: 8,
  prefixes: [shipmentStreamPrefix],
  parts: [shipments, operations, tracking],
})

/** Every read model there is. */
export const projections: readonly FoldedProjection[] = [shipmentProjection]
