import { Problem } from '../../errors.ts'

/** A failure that certainly came before anything was executed for this request. */
export class NotExecuted extends Error {
  override readonly name = 'NotExecuted'
  constructor(cause: unknown) {
    super('Nothing was executed.', { cause })
  }
}

/** An error from before anything was executed: a refusal unchanged, any other error marked so. */
export function beforeExecution(error: unknown): Problem | NotExecuted {
  return error instanceof Problem ? error : new NotExecuted(error)
}
