type Named = { readonly operationId: string; readonly tags: readonly string[] }

const words = (text: string) => text.split(/(?=[A-Z])|[ -]+/).map((word) => word.toLowerCase())
const singular = (word: string) =>
  word
    .replace(/(?<=ch)es$/, '')
    .replace(/(?<!ie)s$/, '')
    .replace(/ies$/, 'y')
const camel = (parts: readonly string[]) =>
  parts.map((word, at) => (at === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('')

/**
 * The resource and method name of an operation in the typed client. The resource is the tag:
 * `Courier connections` is `client.courierConnections`. The name is the operation id without the
 * words of the resource: `createShipment` is `create`.
 */
export function clientNames({ operationId, tags: [tag = ''] }: Named) {
  const said = new Set(words(tag).map(singular))
  const [verb = '', ...rest] = words(operationId)
  return {
    resource: camel(words(tag)),
    name: camel([verb, ...rest.filter((word) => !said.has(singular(word)))]),
  }
}
