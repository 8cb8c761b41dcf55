import { Problem } from '../../errors.ts'

/** The request failed before anything was executed. */
export class NotExecuted extends Error {
  override readonly name = 'NotExecuted'
  constructor(cause: unknown) {
    super('Nothing was executed.', { cause })
  }
}

/**
 * Converts an error from before execution: a refusal stays as it is, any other error becomes
 * NotExecuted.
 */
export function beforeExecution(error: unknown): Problem | NotExecuted {
  return error instanceof Problem ? error : new NotExecuted(error)
}
