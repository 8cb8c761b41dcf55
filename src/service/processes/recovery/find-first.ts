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
import type { ItemSealer, Keeper } from '../../security/vault/vault.ts'
import { exchangeLog } from '../calls/exchange-record.ts'
import { keepGuides } from '../calls/keep-guides.ts'
import type { CourierAccount } from '../connections/courier-accounts.ts'
import type { ProcessDeps } from '../process-deps.ts'

const unreachableRetrySeconds = 5

type FindFirstDeps = Pick<ProcessDeps, 'accounts' | 'guard' | 'vault'>

/** A shipment whose courier is asked first. */
type AskedFirst = {
  readonly shipmentId: string
  readonly courier: Courier
  readonly account: CourierAccount
  readonly context: CallContext
  readonly now: Instant
  /** The vault row for what the courier answers. */
  readonly vaultRow: ItemSealer | string
}

/** What the courier has, and the commitments to what that left in the vault. */
export type FoundAtCourier = FoundFirst & Pick<Keeper, 'commitments'>

/**
 * After a recovery, asks which guides the courier has for a shipment before anything is created for
 * it: the ledger may have forgotten one. Null: it need not be asked, or has none, and is asked to
 * create as ever. Throws a Problem, and nothing is created, while the courier cannot be asked.
 */
export async function findGuidesFirst(
  deps: FindFirstDeps,
  asked: AskedFirst,
): Promise<FoundAtCourier | null> {
  const found = await askFirst(deps, asked, { includeCancelled: true })
  if (found === null) return null
  const { guides, said } = found
  if (guides.length === 0) {
    deps.guard.countFindFirst('created')
    return null
  }
  deps.guard.countFindFirst(guides.length === 1 ? 'found' : 'other')
  const keeper = deps.vault.keeper(asked.vaultRow)
  const [kept, record] = await Promise.all([
    keepGuides(keeper, standing(guides)),
    said.record(keeper),
  ])
  return { guides: kept, record, commitments: keeper.commitments }
}

/**
 * The same for a cancellation: what the courier answers if it has cancelled the guide already. Null:
 * the guide stands, or the courier does not list it.
 */
export async function findCancelledFirst(
  deps: FindFirstDeps,
  asked: AskedFirst,
  guideNumber: string,
): Promise<FoundAtCourier | null> {
  const found = await askFirst(deps, asked, { guideNumber, includeCancelled: true })
  if (found === null) return null
  const { guides, said } = found
  const isCancelled = guides.some(
    (each) => each.guideNumber === guideNumber && each.status === 'cancelled',
  )
  deps.guard.countFindFirst(isCancelled ? 'found' : 'other')
  if (!isCancelled) return null
  const keeper = deps.vault.keeper(asked.vaultRow)
  const record = await said.record(keeper)
  return { guides: [], record, commitments: keeper.commitments }
}

async function askFirst(
  deps: FindFirstDeps,
  { shipmentId: clientReference, courier, account, context, now }: AskedFirst,
  which: Pick<FindGuides, 'guideNumber' | 'includeCancelled'>,
) {
  const { findFirst } = deps.guard
  if (findFirst === null) return null
  const capabilities = await courier.capabilities().catch(() => null)
  if (capabilities?.find === false) {
    if (findFirst.blindCouriers.includes(account.providerCode)) return null
    throw new Problem('courier_unreachable', {
      retryAfterSeconds: unreachableRetrySeconds,
      detail:
        'The ledger has lost events, and this courier cannot be asked which guides exist. The operator of the service must decide whether to create without asking.',
    })
  }
  const said = exchangeLog(() => now)
  const { onExchange } = said
  const answer = await courier.findGuides({ ...context, clientReference, onExchange, ...which })
  if (answer.kind === 'found') return { guides: answer.guides, said }
  if (answer.kind === 'unauthorized') await deps.accounts.park(account)
  throw refusalOf(answer)
}

/** It is not known what exists, so nothing is created or cancelled. */
function refusalOf(answer: Exclude<FindGuidesAnswer, { readonly kind: 'found' }>): Problem {
  if (answer.kind === 'unauthorized') return new Problem('connection_needs_reauth')
  if (answer.kind === 'throttled') {
    const retryAfterSeconds = Math.ceil((answer.retryAfterMs ?? 1_000) / 1_000)
    return new Problem('courier_throttled', { retryAfterSeconds })
  }
  return new Problem('courier_unreachable', {
    retryAfterSeconds: unreachableRetrySeconds,
    detail:
      'The ledger has lost events, so the courier is first asked which guides exist, and it does not answer.',
  })
}

/** A cancelled guide counts only if no other stands. */
function standing(guides: readonly FoundGuide[]): readonly FoundGuide[] {
  const left = guides.filter(({ status }) => status !== 'cancelled')
  return left.length > 0 ? left : guides
}
