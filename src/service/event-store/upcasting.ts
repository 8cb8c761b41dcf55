import type { JsonObject } from '../domain/decider.ts'

/** Converts an event's data from one version to the next. Pure, and defined for everything stored. */
type Upcaster = (data: JsonObject) => JsonObject

/**
 * Each type's upcasters, the first from version 1 to 2. A type has one more version than it has
 * upcasters, so a new version cannot be added without one.
 */
export type Upcasters = Readonly<Record<string, readonly Upcaster[]>>

export const upcasters: Upcasters = {
  LabelReady: [
    // Version 2: a digest of personal names would allow guesses to be checked after the erasure.
    ({ sha256: _digest, ...data }) => data,
  ],
}

function upcastersOf(type: string, table: Upcasters): readonly Upcaster[] {
  return Object.hasOwn(table, type) ? (table[type] ?? []) : []
}

/** The current version of a type, used for writing. */
export function eventVersion(type: string, table: Upcasters = upcasters): number {
  return upcastersOf(type, table).length + 1
}

/** A stored event's data in its newest version. The stored data does not change. */
export function upcast(
  type: string,
  version: number,
  data: JsonObject,
  table: Upcasters = upcasters,
): JsonObject {
  return upcastersOf(type, table)
    .slice(version - 1)
    .reduce((older, lift) => lift(older), data)
}
