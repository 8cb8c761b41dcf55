// Statements that a process makes without any request: following the ledger, reading registered
// couriers and what is due, recording when a key was used. They belong to no operation.
const background =
  /WHERE position >= \$1|from "couriers" where "provider_code" <|^LISTEN|"last_used_at"|^SELECT position::text FROM ledger|^SELECT \(SELECT \(extract/

/**
 * Not part of an operation, within it, or its last part; `begun` is within an operation that was
 * claimed before it was watched.
 */
export type Place = 'elsewhere' | 'begun' | 'within' | 'end'

export function isBackground(text: string): boolean {
  return background.test(text)
}

// A worker's other work: claiming other work, advancing clocks, settling quotas, cleaning up,
// sending webhooks.
const workersOwn =
  /WITH by_wall AS|WITH picked AS|WITH unfollowed AS|WITH dead AS|webhook|settlements|quota|sandbox_attempts|quotes|retention|erasures|idempoten|delete_vault_orphans|FROM vault WHERE|answers/i

export type Sent = {
  readonly what: string
  readonly bytes: Buffer
  /** The id that identifies the operation, without its prefix. */
  readonly own: string
  readonly isBegun: boolean
}

export type PlaceOf = (sent: Sent) => Place

/** A worker's look lasts from the claim of the reconciliation to its release. */
export function placeInLook({ what, bytes, own, isBegun }: Sent): Place {
  if (!isBegun) {
    if (what.includes('WITH by_wall AS'))
      return bytes.includes('reconcile') ? 'within' : 'elsewhere'
    return bytes.includes(own) ? 'begun' : 'elsewhere'
  }
  if (bytes.includes(own) && what.includes('UPDATE due d SET owner = NULL')) return 'end'
  return workersOwn.test(what) ? 'elsewhere' : 'within'
}
