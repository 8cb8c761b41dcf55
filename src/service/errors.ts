import type { ProblemOptions } from './error-kinds.ts'
import { errorTable } from './error-table.ts'

export { errorTable }
export type Reason = keyof typeof errorTable
export const reasons = Object.keys(errorTable) as Reason[]

/** A refusal to be sent to the caller. Routes and processes throw it; the domain returns values. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly reason: Reason
  readonly options: ProblemOptions
  constructor(reason: Reason, options: ProblemOptions = {}) {
    super(options.detail ?? errorTable[reason].title, { cause: options.cause })
    this.reason = reason
    this.options = options
  }
}
