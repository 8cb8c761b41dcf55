import type { Answered } from '../../client/methods.ts'

/** The option that makes a call change only the version that the operator saw. */
export function ifUnchanged({ lastAnswer: { etag } }: Pick<Answered<object>, 'lastAnswer'>) {
  return etag === null ? {} : { ifMatch: etag }
}
