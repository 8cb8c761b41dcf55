import type { MasterKeys } from './master-keys.ts'
import { openColumn, type Place, rewrapColumn, sealColumn } from './sealed-column.ts'

type NotePlace = { readonly organizationId: string; readonly ref: string }

function place(at: NotePlace): Place {
  return ['workspace hold note v1', at.organizationId, at.ref]
}

/** Seals and opens `workspace_hold_notes.note`, bound to the row. */
export type HoldNotes = {
  readonly seal: (at: NotePlace, note: string) => Buffer
  /** Throws SealBroken for another row's note. */
  readonly open: (at: NotePlace, sealed: Buffer) => string
}

export function holdNotes(keys: MasterKeys): HoldNotes {
  return {
    seal: (at, note) => sealColumn(keys, place(at), Buffer.from(note)),
    open: (at, sealed) => openColumn(keys, place(at), sealed).toString('utf8'),
  }
}

/** The same note under the current master key; null when it already is. */
export function rewrapHoldNote(keys: MasterKeys, at: NotePlace, sealed: Buffer): Buffer | null {
  return rewrapColumn(keys, place(at), sealed)
}
