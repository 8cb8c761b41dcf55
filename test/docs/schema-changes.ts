import { z } from 'zod'
import { auditEventSchemas } from '../../src/service/domain/ledger/audit-event.ts'
import { shipmentEventSchemas } from '../../src/service/domain/shipment/shipment-events.ts'
import { eventVersion } from '../../src/service/event-store/upcasting.ts'

type Json = unknown
type Schema = Readonly<Record<string, Json>>
/** JSON schemas of event data by `<type> <version>`, for every version ever written. */
export type Snapshot = Readonly<Record<string, Schema>>
export type EventSchemas = Readonly<Record<string, z.ZodType>>

export const eventSchemas: EventSchemas = { ...shipmentEventSchemas, ...auditEventSchemas }

/** The current schemas of the code. */
export function schemasNow(
  schemas: EventSchemas,
  versionOf = (type: string) => eventVersion(type),
) {
  const entries = Object.entries(schemas).map(([type, schema]): [string, Schema] => [
    `${type} ${versionOf(type)}`,
    withoutWords(z.toJSONSchema(schema, { io: 'input' })) as Schema,
  ])
  return Object.fromEntries(entries) as Snapshot
}

/** Descriptions are not part of the stored data. */
function withoutWords(value: Json, isProperties = false): Json {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each))
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(
    ([name]) => isProperties || (name !== 'description' && name !== '$schema'),
  )
  return Object.fromEntries(
    kept.map(([name, each]) => [name, withoutWords(each, !isProperties && name === 'properties')]),
  )
}

/**
 * The schemas to commit: the committed ones with added fields and values, and new types and
 * versions. An entry with a forbidden change stays as it was, so that the test finds it.
 */
export function nextSnapshot(committed: Snapshot, now: Snapshot): Snapshot {
  const next: Record<string, Schema> = { ...committed }
  for (const [key, schema] of Object.entries(now)) {
    const before = committed[key]
    if (before === undefined || forbiddenChanges(before, schema).length === 0) next[key] = schema
  }
  return next
}

/** One sentence per version whose schema has a forbidden change. */
export function schemaComplaints(committed: Snapshot, now: Snapshot): readonly string[] {
  return Object.entries(now).flatMap(([key, schema]) => {
    const [type = '', version = ''] = key.split(' ')
    const before = committed[key]
    if (before === undefined) return [`${key} is not committed: run "npm run generate".`]
    const changes = forbiddenChanges(before, schema)
    if (changes.length === 0) return []
    return [
      `${type} was changed at ${changes.join(', ')}, and events of version ${version} are stored forever: give it version ${Number(version) + 1} with an upcaster (src/service/event-store/upcasting.ts), an example in test/domain/fixtures/events.json, and leave the old one there.`,
    ]
  })
}

/**
 * The paths at which a schema changed, except for new optional fields and new enumeration values.
 */
export function forbiddenChanges(before: Json, now: Json, path = 'data'): readonly string[] {
  if (!isObject(before) || !isObject(now)) {
    return JSON.stringify(before) === JSON.stringify(now) ? [] : [path]
  }
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].flatMap((name) => {
    const [old, fresh] = [before[name], now[name]]
    if (name === 'properties') return changedProperties(old, fresh, now.required, path)
    if (name === 'enum') return keepsAll(old, fresh) ? [] : [path]
    if (name === 'required') return sameSet(old, fresh) ? [] : [path]
    if (name === 'items') return forbiddenChanges(old, fresh, `${path}[]`)
    if (name === 'anyOf' && Array.isArray(old) && Array.isArray(fresh)) {
      if (old.length !== fresh.length) return [path]
      return old.flatMap((each, index) => forbiddenChanges(each, fresh[index], path))
    }
    return JSON.stringify(old) === JSON.stringify(fresh) ? [] : [path]
  })
}

function changedProperties(
  before: Json,
  now: Json,
  required: Json,
  path: string,
): readonly string[] {
  if (!isObject(before) || !isObject(now)) return [path]
  const gone = Object.keys(before).filter((name) => now[name] === undefined)
  const added = Object.keys(now).filter((name) => before[name] === undefined)
  const forced = added.filter((name) => Array.isArray(required) && required.includes(name))
  const kept = Object.keys(before).filter((name) => now[name] !== undefined)
  return [
    ...[...gone, ...forced].map((name) => `${path}.${name}`),
    ...kept.flatMap((name) => forbiddenChanges(before[name], now[name], `${path}.${name}`)),
  ]
}

function isObject(value: Json): value is Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function keepsAll(before: Json, now: Json): boolean {
  return Array.isArray(before) && Array.isArray(now) && before.every((each) => now.includes(each))
}

function sameSet(before: Json, now: Json): boolean {
  const [old, fresh] = [before ?? [], now ?? []]
  return keepsAll(old, fresh) && keepsAll(fresh, old)
}
