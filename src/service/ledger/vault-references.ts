import type { JsonObject } from '../domain/decider.ts'
import { vaultFieldsIn } from '../domain/event-fields.ts'
import type { StoredEvent } from '../event-store/event-store.ts'

/** A reference to the vault in an event. */
export type VaultReference = {
  readonly ref: string
  /** The member of the event's data with the reference. */
  readonly field: string
  /** The revision of the event. */
  readonly revision: number
  /** The event's commitment to the content; null in events from before commitments existed. */
  readonly commitment: string | null
}

/** The vault entries of an event. An erasure has none: it names entries that it destroyed. */
export function vaultReferencesIn({
  type,
  revision,
  data,
}: Pick<StoredEvent, 'type' | 'revision' | 'data'>): readonly VaultReference[] {
  if (type === 'PersonalDataErased') return []
  const commitments = (data.commitments ?? {}) as JsonObject
  return vaultFieldsIn(data).map(({ name: field, ref }) => ({
    ref,
    field,
    revision,
    commitment: typeof commitments[ref] === 'string' ? commitments[ref] : null,
  }))
}

const noteFields: ReadonlySet<string> = new Set(['resolution_ref', 'comment_ref'])

/**
 * Whether it refers to the note of a decision or to a comment. Each has its own row. Before
 * commitments existed, the note of a decision was an item in the person's row.
 */
export function isNote({ field }: Pick<VaultReference, 'field'>): boolean {
  return noteFields.has(field)
}

export type Erasures = {
  readonly person: boolean
  /** The revision of the last erasure that included notes; null if none did. */
  readonly notesAt: number | null
}

export function erasuresIn(
  events: readonly Pick<StoredEvent, 'type' | 'data' | 'revision'>[],
): Erasures {
  const erased = events.filter(({ type }) => type === 'PersonalDataErased')
  const last = erased.findLast(({ data }) => data.includes_notes === true)
  return { person: erased.length > 0, notesAt: last?.revision ?? null }
}

/**
 * Whether an erasure destroyed the vault entry of an event. Erasing the person destroys the key of
 * the row, so it also destroys entries that were stored before it and named by an event just after.
 */
export function isErasedBy(
  { person, notesAt }: Erasures,
  reference: Omit<VaultReference, 'ref'>,
): boolean {
  const hasOwnRow = isNote(reference) && reference.commitment !== null
  return hasOwnRow ? notesAt !== null && notesAt > reference.revision : person
}
