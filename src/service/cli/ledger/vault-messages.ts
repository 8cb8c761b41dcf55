import type { JsonObject } from '../../domain/decider.ts'
import type { VerifiedVault } from '../../ledger/verify-vault.ts'
import { counted } from '../command.ts'

/** The counts that `verify --vault` shows besides problems. */
export function vaultJson(verified: VerifiedVault | null): JsonObject | null {
  if (verified === null) return null
  return {
    references: verified.references,
    matching: verified.matching,
    without_commitment: verified.withoutCommitment,
    erased: verified.erased,
  }
}

export function vaultLines(verified: VerifiedVault | null): readonly string[] {
  if (verified === null) return []
  const { references, matching, withoutCommitment, erased } = verified
  return [
    `${counted(references, 'reference')} to the vault: ${matching} match what the events commit to, ${erased} were erased.`,
    ...(withoutCommitment === 0
      ? []
      : [
          `${withoutCommitment} exist, but were recorded before commitments existed: their content cannot be verified.`,
        ]),
  ]
}
