import { operations } from './operations.ts'
import type { Projection } from './projection.ts'
import { shipments } from './shipments.ts'
import { tracking } from './tracking.ts'

/** Every read model there is. */
export const projections: readonly Projection[] = [shipments, operations, tracking]
