import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import type { Gap } from '../../processes/recovery/damages.ts'
import type { Findings } from '../findings.ts'
import type { HeldCheckpoint } from '../held-checkpoints.ts'
import { isLost, lostRoot } from '../lost-checkpoints.ts'
import { signersOf, type Verifier } from '../signed-note.ts'

/** A checkpoint that covers more than what was left when the ledger was recovered. */
export type HeldOfLost = {
  readonly checkpoint: HeldCheckpoint
  /** How many of the events that it covers were left: the first ones. */
  readonly provenSize: number
  /** Whether those are still what it covers; null = the seals of what was lost are lost too. */
  readonly isContinued: boolean | null
}

async function ofLost(
  db: Kysely<ReadModels>,
  gaps: readonly Gap[],
  checkpoint: HeldCheckpoint,
): Promise<HeldOfLost> {
  const gap = gaps.find((each) => isLost(each, checkpoint.head)) as Gap
  const root = await lostRoot(db, gap, checkpoint.head.size)
  const isContinued = root?.equals(checkpoint.head.root) ?? null
  return { checkpoint, provenSize: gap.provenSize, isContinued }
}

function lostProblem(
  { checkpoint, isContinued }: HeldOfLost,
  verifiers: readonly Verifier[],
): string | null {
  const named = `the checkpoint you hold in ${checkpoint.file} (${checkpoint.head.size} events)`
  if (signersOf(checkpoint, verifiers).length === 0) {
    return `${named} is not signed by a key of this ledger`
  }
  if (isContinued !== false) return null
  return `${named} is not of the history that was lost: history was rewritten after it was signed, or there are two histories`
}

/** Each recovery that the database names must be on record in the ledger. */
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

type HeldOfLostOptions = {
  readonly gaps: readonly Gap[]
  readonly held: readonly HeldCheckpoint[]
  readonly verifiers: readonly Verifier[]
  readonly found: Findings
}

/** Compares checkpoints that the user holds with the history that was lost, as far as its seals were kept. */
export async function checkHeldOfLost(
  db: Kysely<ReadModels>,
  { gaps, held, verifiers, found }: HeldOfLostOptions,
): Promise<readonly HeldOfLost[]> {
  const compared = await Promise.all(held.map((one) => ofLost(db, gaps, one)))
  for (const one of compared) {
    const problem = lostProblem(one, verifiers)
    if (problem !== null) found.add(null, problem)
  }
  return compared
}
