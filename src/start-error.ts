/**
 * A start that cannot go on. The message is the one sentence that the operator reads: what is
 * wrong and what to do. It never holds a secret.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
