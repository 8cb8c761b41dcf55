import type { Json, JsonObject } from '../decider.ts'
import { isFreeText } from '../shipment/shipment-payload.ts'

/** A field by its path (`tracking.status`, `attempts[0].cause`); a value is undefined if it is absent. */
export type ChangedField = {
  readonly path: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** Every leaf value that differs between two JSON values, in the order of the second. */
export function changedFields(
  before: Json | undefined,
  after: Json | undefined,
  path = '',
): readonly ChangedField[] {
  if (before === after) return []
  const [old, now] = [membersOf(before), membersOf(after)]
  const isLeaf = (members: JsonObject | null) =>
    members === null || Object.keys(members).length === 0
  // An empty list is a leaf, and so is a value that replaces an object.
  const isSameKind = Array.isArray(before) === Array.isArray(after)
  if (isLeaf(old) && isLeaf(now)) {
    const isSame = old !== null && now !== null && isSameKind
    return isSame ? [] : [{ path, before, after }]
  }
  const names = new Set([...Object.keys(now ?? {}), ...Object.keys(old ?? {})])
  return [...names].flatMap((name) => {
    const isItem = Array.isArray(after ?? before)
    const place = isItem ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    return changedFields(memberOf(old, name), memberOf(now, name), place)
  })
}

function membersOf(value: Json | undefined): JsonObject | null {
  if (value === null || value === undefined || typeof value !== 'object') return null
  return Array.isArray(value) ? Object.fromEntries(value.entries()) : (value as JsonObject)
}

function memberOf(members: JsonObject | null, name: string): Json | undefined {
  return members !== null && Object.hasOwn(members, name) ? members[name] : undefined
}

/** The form of ids, times, numbers and our own enumerations; people's names rarely match it. */
const plain = /^[\w.:+/-]{0,64}$/
/** Names of fields that hold free text of the client. */
const freeTextFields: ReadonlySet<string> = new Set([
  ...Object.entries(isFreeText).flatMap(([field, isClients]) => (isClients ? [field] : [])),
  'idempotency_key',
])

/** A value for a report that third parties may see: possible free text is replaced by its length. */
export function formatValue(path: string, value: Json | undefined): string {
  if (value === undefined) return '(none)'
  if (typeof value !== 'string') return JSON.stringify(value)
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (plain.test(value) && !freeTextFields.has(name)) return value
  return `(text of ${value.length} characters)`
}
