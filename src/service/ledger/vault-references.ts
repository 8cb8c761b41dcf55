import type { JsonObject } from '../domain/decider.ts'
import { vaultFieldsIn } from '../domain/event-fields.ts'
import type { StoredEvent } from '../event-store/event-store.ts'

/** A reference to the vault in an event. */
export type VaultReference = {
  readonly ref: string
  /** The member of the event's data that has it. */
  readonly field: string
  /** Of the event. */
  readonly revision: number
  /** What the event says about the content; null in events from before there were commitments. */
  readonly commitment: string | null
}

/** What an event leaves in the vault. An erasure leaves nothing: it names what it destroyed. */
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
 * Whether it refers to the note of a decision or to a comment. Each is a row of its own; that of a
 * decision was an item of the person's row before events committed to it.
 */
export function isNote({ field }: Pick<VaultReference, 'field'>): boolean {
  return noteFields.has(field)
}

export type Erasures = {
  readonly person: boolean
  /** The revision of the last one that included notes; null = none did. */
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
 * Whether an erasure destroyed what an event left in the vault. One of the person destroys the key of the
 * row for good, so it also destroyed what was stored before it and named by an event just after.
 */
export function isErasedBy(
  { person, notesAt }: Erasures,
  reference: Omit<VaultReference, 'ref'>,
): boolean {
  const hasOwnRow = isNote(reference) && reference.commitment !== null
  return hasOwnRow ? notesAt !== null && notesAt > reference.revision : person
}
