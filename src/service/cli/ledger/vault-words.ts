import type { JsonObject } from '../../domain/decider.ts'
import type { VerifiedVault } from '../../ledger/verify-vault.ts'
import { counted } from '../command.ts'

/** What `verify --vault` says of the vault, besides its problems. */
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
    `${counted(references, 'reference')} to the vault: ${matching} hold what the events commit to, ${erased} are gone by an erasure.`,
    ...(withoutCommitment === 0
      ? []
      : [
          `${withoutCommitment} are there, but were recorded before events committed to the vault: nothing vouches for their content.`,
        ]),
  ]
}
