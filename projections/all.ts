import type { FoldedProjection } from './folded.ts'
import { operations } from './operations.ts'
import { shipments } from './shipments.ts'
import { tracking } from './tracking.ts'

/** Every read model there is. */
export const projections: readonly FoldedProjection[] = [shipments, operations, tracking]
