import { referencePath } from '../site-map.ts'
import { type ApiDocument, addressOf, type Operation, slugOfTag } from '../site-page.ts'

/** The address of an operation in the reference. */
export function referenceAddress({ operationId, tags }: Operation): string {
  return `${addressOf(referencePath)}#tag/${slugOfTag(tags[0] ?? '')}/${operationId}`
}

type CalledOperation = {
  readonly operation: Operation
  /** The operation's path, with names such as `{id}`. */
  readonly template: string
}

/** The operation of a call whose path may contain variables such as `$SHIPMENT_ID`. */
export function operationOfCall(
  { paths }: ApiDocument,
  call: { readonly method: string; readonly path: string },
): CalledOperation {
  const [path = ''] = call.path.split('?')
  const fits = (template: string) => {
    const parts = template.split('/')
    const called = path.split('/')
    return (
      parts.length === called.length &&
      parts.every((part, index) =>
        part.startsWith('{') ? called[index]?.startsWith('$') : part === called[index],
      )
    )
  }
  const [template = '', methods] = Object.entries(paths).find(([each]) => fits(each)) ?? []
  const operation = methods?.[call.method.toLowerCase()]
  if (operation === undefined) throw new Error(`The API has no ${call.method} ${call.path}.`)
  return { operation, template }
}
