// Statements that a process makes without any request: following the ledger, reading registered couriers,
// noting when a key was used. None is part of an operation.
const background =
  /WHERE position >= \$1|from "couriers" where "provider_code" <|^LISTEN|"last_used_at"|^SELECT position::text FROM ledger/

/** Not part of an operation, a part of it, or its last part. */
export type Place = 'elsewhere' | 'within' | 'end'

export function isBackground(text: string): boolean {
  return background.test(text)
}

// A worker's other work: it claims other work, advances clocks, settles quotas, cleans up, sends webhooks.
const workersOwn =
  /WITH by_wall AS|WITH wanted AS|WITH unfollowed AS|WITH gone AS|webhook|settlements|quota|sandbox_attempts|quotes|retention|erasures|idempoten|delete_vault_orphans|FROM vault WHERE|answers/i

/** Whether a statement claims due work. */
export function isClaim(text: string): boolean {
  return text.includes('WITH by_wall AS')
}

type Sent = {
  readonly what: string
  readonly bytes: Buffer
  readonly own: string
  readonly isBegun: boolean
}

/** A worker's look lasts from the claim of the reconciliation to its release. */
export function placeInLook({ what, bytes, own, isBegun }: Sent): Place {
  const isReconciling = bytes.includes('reconcile')
  if (!isBegun) {
    const isFirst = isClaim(what) ? isReconciling : bytes.includes(own)
    return isFirst ? 'within' : 'elsewhere'
  }
  if (bytes.includes(own) && /^UPDATE due d SET owner/.test(what.trim())) return 'end'
  return workersOwn.test(what) ? 'elsewhere' : 'within'
}
