import type { Gap } from '../processes/recovery/damages.ts'
import type { TreeHead } from './signed-note.ts'

/**
 * Whether a checkpoint covers events that the ledger has lost: it was signed before the recovery and
 * covers more than what could be proved then. Later checkpoints of that size are of what came after.
 */
export function isLost({ provenSize, recoveredAt }: Gap, { size, signedAt }: TreeHead): boolean {
  return size > provenSize && signedAt <= recoveredAt
}
