import type { Findings } from '../findings.ts'
import { keyIdOf, readNote, signersOf, type Verifier } from '../signed-note.ts'

/** A key and the first checkpoint that it signed. */
type Introduced = Verifier & { readonly introducedBy: string | null }

/**
 * The trusted keys: the anchor, and the keys linked to it by checkpoints that two adjacent keys
 * signed. Without an anchor, the last key is trusted.
 */
export function believedKeys(
  keys: readonly Introduced[],
  anchor: Verifier | null,
  found: Findings,
): readonly Verifier[] {
  if (keys.length === 0) return anchor === null ? [] : [anchor]
  const at = anchor === null ? keys.length - 1 : keys.findIndex((key) => isSame(key, anchor))
  if (at === -1) {
    found.add(
      null,
      `no checkpoint was signed with the key ${keyIdOf(anchor as Verifier)}, the one that is trusted`,
    )
    return anchor === null ? [] : [anchor]
  }
  const believed: Verifier[] = [keys[at] as Introduced]
  for (let key = at; key > 0 && isLinked(keys, key, found); key--)
    believed.push(keys[key - 1] as Introduced)
  for (let key = at + 1; key < keys.length && isLinked(keys, key, found); key++) {
    believed.push(keys[key] as Introduced)
  }
  return believed
}

function isSame(one: Verifier, other: Verifier): boolean {
  return one.name === other.name && one.publicKey.equals(other.publicKey)
}

/**
 * Reports a first key whose checkpoint it did not sign. No earlier key had to sign that checkpoint,
 * so it may be missing.
 */
export function checkFirstKey(keys: readonly Introduced[], found: Findings): void {
  const [first] = keys
  if (first === undefined || first.introducedBy === null) return
  const note = readNote(first.introducedBy)
  if (note === null || signersOf(note, [first]).length === 0)
    found.add(
      null,
      `the key ${keyIdOf(first)} is introduced by something that is not a checkpoint signed with it`,
    )
}

/** Whether a key and its predecessor both signed the first checkpoint of the new key. */
function isLinked(keys: readonly Introduced[], at: number, found: Findings): boolean {
  const [before, key] = [keys[at - 1] as Introduced, keys[at] as Introduced]
  const note = key.introducedBy === null ? null : readNote(key.introducedBy)
  if (note !== null && signersOf(note, [before, key]).length === 2) return true
  found.add(
    null,
    `the key ${keyIdOf(key)} has signed checkpoints, but the key before it, ${keyIdOf(before)}, did not sign the first of them`,
  )
  return false
}
