// What goes on in a process that nobody asks anything of: its tail of the ledger, the registered
// couriers, when a key was used. None of it is a part of an operation.
const background =
  /WHERE position >= \$1|from "couriers" where "provider_code" <|^LISTEN|"last_used_at"|^SELECT position::text FROM ledger/

/** Not of an operation, a part of it, or the last part. */
export type Place = 'elsewhere' | 'within' | 'end'

export function isBackground(text: string): boolean {
  return background.test(text)
}

// What a worker does besides: it claims other work, moves clocks, settles quotas, tidies, tells webhooks.
const workersOwn =
  /WITH by_wall AS|WITH wanted AS|WITH unfollowed AS|WITH gone AS|webhook|settlements|quota|sandbox_attempts|quotes|retention|erasures|idempoten|FROM vault WHERE|answers/i

/** What a worker claims is due. */
export function isClaim(text: string): boolean {
  return text.includes('WITH by_wall AS')
}

type Sent = {
  readonly what: string
  readonly bytes: Buffer
  readonly own: string
  readonly isBegun: boolean
}

/** A look that a worker makes goes from the claim of what is to be reconciled to the release of it. */
export function placeInLook({ what, bytes, own, isBegun }: Sent): Place {
  const isReconciling = bytes.includes('reconcile')
  if (!isBegun) {
    const isFirst = isClaim(what) ? isReconciling : bytes.includes(own)
    return isFirst ? 'within' : 'elsewhere'
  }
  if (bytes.includes(own) && /^UPDATE due d SET owner/.test(what.trim())) return 'end'
  return workersOwn.test(what) ? 'elsewhere' : 'within'
}
