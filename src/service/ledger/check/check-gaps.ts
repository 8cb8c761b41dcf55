import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Gap } from '../../processes/recovery/damages.ts'
import type { Findings } from '../findings.ts'
import { isLost, lostRoot } from '../lost-checkpoints.ts'
import { signersOf, type Verifier } from '../signed-note.ts'
import type { TrustedCheckpoint } from '../trusted-checkpoints.ts'

/** A checkpoint that covers more events than were left when the ledger was recovered. */
export type TrustedOfLost = {
  readonly checkpoint: TrustedCheckpoint
  /** How many of its events, counted from the first, were left. */
  readonly provenSize: number
  /**
   * Whether those events match the checkpoint; null if the seals of the lost events are lost too.
   */
  readonly isContinued: boolean | null
}

async function ofLost(
  db: Kysely<Tables>,
  gaps: readonly Gap[],
  checkpoint: TrustedCheckpoint,
): Promise<TrustedOfLost> {
  const gap = gaps.find((each) => isLost(each, checkpoint.head)) as Gap
  const root = await lostRoot(db, gap, checkpoint.head.size)
  const isContinued = root?.equals(checkpoint.head.root) ?? null
  return { checkpoint, provenSize: gap.provenSize, isContinued }
}

function lostProblem(
  { checkpoint, isContinued }: TrustedOfLost,
  verifiers: readonly Verifier[],
): string | null {
  const named = `the checkpoint you hold in ${checkpoint.file} (${checkpoint.head.size} events)`
  if (signersOf(checkpoint, verifiers).length === 0) {
    return `${named} is not signed by a key of this ledger`
  }
  if (isContinued !== false) return null
  return `${named} does not match the lost history: history was rewritten after it was signed, or there are two histories`
}

/** Checks that each recovery in the database is recorded in the ledger. */
export function checkGaps(
  gaps: readonly Gap[],
  recoveries: ReadonlySet<string>,
  found: Findings,
): void {
  for (const { damageId } of gaps) {
    if (recoveries.has(damageId)) continue
    found.add(null, `the database names a recovery, ${damageId}, that the ledger does not have`)
  }
}

type TrustedOfLostOptions = {
  readonly gaps: readonly Gap[]
  readonly held: readonly TrustedCheckpoint[]
  readonly verifiers: readonly Verifier[]
  readonly found: Findings
}

/**
 * Compares checkpoints that the user holds with the lost history, as far as its seals were kept.
 */
export async function checkTrustedOfLost(
  db: Kysely<Tables>,
  { gaps, held: trusted, verifiers, found }: TrustedOfLostOptions,
): Promise<readonly TrustedOfLost[]> {
  const compared = await Promise.all(trusted.map((one) => ofLost(db, gaps, one)))
  for (const one of compared) {
    const problem = lostProblem(one, verifiers)
    if (problem !== null) found.add(null, problem)
  }
  return compared
}
