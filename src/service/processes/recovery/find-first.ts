import type {
  CallContext,
  Courier,
  FindGuides,
  FindGuidesAnswer,
  FoundGuide,
} from '../../couriers/courier.ts'
import type { Instant } from '../../domain/decider.ts'
import type { FoundFirst } from '../../domain/operation/kind.ts'
import { Problem } from '../../errors.ts'
import type { ItemSealer, ItemsOfCommand } from '../../security/vault/vault.ts'
import { sealGuides } from '../calls/courier-calls.ts'
import { courierRequestLog } from '../calls/courier-request-log.ts'
import type { CourierAccount } from '../connections/courier-accounts.ts'
import type { ProcessServices } from '../process-services.ts'

const unreachableRetrySeconds = 5

type FindFirstDeps = Pick<ProcessServices, 'accounts' | 'guard' | 'vault'>

/** A shipment whose courier is queried first. */
type AskedFirst = {
  readonly shipmentId: string
  readonly courier: Courier
  readonly account: CourierAccount
  readonly context: CallContext
  readonly now: Instant
  /** The vault row for the courier's answer. */
  readonly vaultRow: ItemSealer | string
}

/** The guides that the courier has, with what is to be stored about them in the vault. */
export type FoundAtCourier = { readonly found: FoundFirst; readonly stored: ItemsOfCommand }

/**
 * After a recovery, queries the courier for guides of a shipment before anything is created,
 * because the ledger may have lost the event of one. Null if the courier need not be queried or has
 * no guide; the creation then proceeds as usual. Throws a Problem, and nothing is created, while
 * the courier cannot be queried.
 */
export async function findGuidesFirst(
  deps: FindFirstDeps,
  asked: AskedFirst,
): Promise<FoundAtCourier | null> {
  const found = await askFirst(deps, asked, { includeCancelled: true })
  if (found === null) return null
  const { guides, said: requestLog } = found
  if (guides.length === 0) {
    deps.guard.countFindFirst('created')
    return null
  }
  deps.guard.countFindFirst(guides.length === 1 ? 'found' : 'other')
  const writer = await deps.vault.writer(asked.vaultRow)
  const kept = sealGuides(writer, activeGuides(guides))
  return { found: { guides: kept, record: requestLog.record(writer) }, stored: writer }
}

/**
 * The same for a cancellation: the courier's answer if it has already cancelled the guide. Null if
 * the guide is valid or the courier does not list it.
 */
export async function findCancelledFirst(
  deps: FindFirstDeps,
  asked: AskedFirst,
  guideNumber: string,
): Promise<FoundAtCourier | null> {
  const found = await askFirst(deps, asked, { guideNumber, includeCancelled: true })
  if (found === null) return null
  const { guides, said: requestLog } = found
  const isCancelled = guides.some(
    (each) => each.guideNumber === guideNumber && each.status === 'cancelled',
  )
  deps.guard.countFindFirst(isCancelled ? 'found' : 'other')
  if (!isCancelled) return null
  const writer = await deps.vault.writer(asked.vaultRow)
  return { found: { guides: [], record: requestLog.record(writer) }, stored: writer }
}

async function askFirst(
  deps: FindFirstDeps,
  { shipmentId: clientReference, courier, account, context, now }: AskedFirst,
  which: Pick<FindGuides, 'guideNumber' | 'includeCancelled'>,
) {
  const { findFirst } = deps.guard
  if (findFirst === null) return null
  const described = await courier.describe().catch(() => null)
  if (described?.capabilities.find === false) {
    if (findFirst.blindCouriers.includes(account.providerCode)) return null
    throw new Problem('courier_unreachable', {
      retryAfterSeconds: unreachableRetrySeconds,
      detail:
        'The ledger has lost events, and this courier cannot report which guides exist. The operator of the service must decide whether to create without that check.',
    })
  }
  const requestLog = courierRequestLog(() => now)
  const { onExchange } = requestLog
  const answer = await courier.findGuides({ ...context, clientReference, onExchange, ...which })
  if (answer.kind === 'found') return { guides: answer.guides, said: requestLog }
  if (answer.kind === 'unauthorized') await deps.accounts.park(account)
  throw refusalOf(answer)
}

/** What exists is unknown, so nothing is created or cancelled. */
function refusalOf(answer: Exclude<FindGuidesAnswer, { readonly kind: 'found' }>): Problem {
  if (answer.kind === 'unauthorized') return new Problem('connection_needs_reauth')
  if (answer.kind === 'throttled') {
    const retryAfterSeconds = Math.ceil((answer.retryAfterMs ?? 1_000) / 1_000)
    return new Problem('courier_throttled', { retryAfterSeconds })
  }
  return new Problem('courier_unreachable', {
    retryAfterSeconds: unreachableRetrySeconds,
    detail:
      'The ledger has lost events, so the service first asks the courier which guides exist, and the courier does not answer.',
  })
}

/** Cancelled guides count only if no other guide is valid. */
function activeGuides(guides: readonly FoundGuide[]): readonly FoundGuide[] {
  const left = guides.filter(({ status }) => status !== 'cancelled')
  return left.length > 0 ? left : guides
}
