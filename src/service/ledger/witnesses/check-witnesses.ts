import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { readNote, type Verifier } from '../signed-note.ts'
import { cosignaturesOf, witnessIdOf } from './cosignature.ts'
import { cosignedBy } from './stored-cosignatures.ts'

/** The result of checking a witness's cosignatures. */
export type WitnessCheck = {
  readonly name: string
  readonly keyId: string
  /**
   * `valid`: it has cosigned the checkpoint. `invalid`: a cosignature in its name is invalid, even
   * if another one is valid. `missing`: no cosignature has its name.
   */
  readonly result: 'valid' | 'invalid' | 'missing'
  /** Events that the checkpoint covers; 0 unless the cosignature is valid. */
  readonly events: number
  /** The time in the cosignature, in milliseconds since 1970; null unless it is valid. */
  readonly at: number | null
}

/**
 * Whether each witness has cosigned this checkpoint. `note` is null if there is no checkpoint. Does
 * not verify the ledger's signature.
 */
export function checkCosigned(
  note: string | null,
  witnesses: readonly Verifier[],
): readonly WitnessCheck[] {
  const read = note === null ? null : readNote(note)
  return witnesses.map((witness) => {
    const { name } = witness
    const keyId = witnessIdOf(witness)
    const unproved = { name, keyId, events: 0, at: null } as const
    const claimed = read?.signatures.filter((one) => one.name === name && one.keyId === keyId) ?? []
    if (read === null || claimed.length === 0) return { ...unproved, result: 'missing' }
    const valid = claimed.flatMap((one) =>
      cosignaturesOf({ ...read, signatures: [one] }, [witness]),
    )
    const [first] = valid
    if (first === undefined || valid.length < claimed.length)
      return { ...unproved, result: 'invalid' }
    return { name, keyId, result: 'valid', events: read.head.size, at: first.at }
  })
}

/**
 * Checks the checkpoints in the database: the result is about the largest that the witness has
 * cosigned, and `invalid` if any has an invalid cosignature in its name.
 */
export async function checkStored(
  db: Kysely<Tables>,
  witnesses: readonly Verifier[],
): Promise<readonly WitnessCheck[]> {
  const checks: WitnessCheck[] = []
  for (const witness of witnesses) {
    let [last] = checkCosigned(null, [witness])
    for await (const note of cosignedBy(db, witness)) {
      const [check] = checkCosigned(note, [witness])
      if (check !== undefined && last?.result !== 'invalid') last = check
    }
    if (last !== undefined) checks.push(last)
  }
  return checks
}
