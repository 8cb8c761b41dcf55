import type { Answered } from '../../client/methods.ts'

/** The option of a call that changes only the version that the operator saw. */
export function ifUnchanged({ lastAnswer: { etag } }: Pick<Answered<object>, 'lastAnswer'>) {
  return etag === null ? {} : { ifMatch: etag }
}
