import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { readNote, type Verifier } from '../signed-note.ts'
import { cosignaturesOf, witnessIdOf } from './cosignature.ts'
import { cosignedBy } from './stored-cosignatures.ts'

/** What a witness vouches for. */
export type WitnessCheck = {
  readonly name: string
  readonly keyId: string
  /**
   * `valid`: it has cosigned the checkpoint. `invalid`: a cosignature in its name is not its own,
   * even if another one is.
   * `missing`: there is none.
   */
  readonly result: 'valid' | 'invalid' | 'missing'
  /** Events that the checkpoint covers; 0 unless the cosignature is valid. */
  readonly events: number
  /** When the witness says that it cosigned. Milliseconds since 1970; null unless it is valid. */
  readonly at: number | null
}

/**
 * Whether each witness has cosigned this checkpoint. Does not check who signed it. The note is null
 * when there is no checkpoint.
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
 * The same for the checkpoints in the database: the largest that the witness has cosigned counts, and
 * none may bear a cosignature in its name that is not its own.
 */
export async function checkStored(
  db: Kysely<ReadModels>,
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
