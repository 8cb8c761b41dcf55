import { Problem } from '../../errors.ts'

/** Something failed, and certainly before anything was executed for this request. */
export class NotExecuted extends Error {
  override readonly name = 'NotExecuted'
  constructor(cause: unknown) {
    super('Nothing was executed.', { cause })
  }
}

/** What was thrown before anything was executed: a refusal as it is, everything else marked so. */
export function beforeExecution(error: unknown): Problem | NotExecuted {
  return error instanceof Problem ? error : new NotExecuted(error)
}
