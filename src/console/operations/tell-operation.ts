import { i18n } from '@lingui/core'
import type { Operation } from '../../client/methods.ts'
import { formatDuration } from '../parts/times.tsx'
import { listed, listedInShort } from './listed.ts'
import { guidesAgainst, guidesOf, hasClearLook, whyUnknown } from './why.ts'

/** What an operator reads first: what happened, and what to do next. */
type Told = { readonly what: string; readonly next: string }

/**
 * One sentence with the reason and one with what to do. `nowMs` is null until the clock is known.
 */
export function tellOperation(operation: Operation, nowMs: number | null): Told {
  if (operation.status === 'resolved') return toldResolved(operation)
  if (operation.status === 'reconciling') return toldReconciling(operation, nowMs)
  return toldReview(operation)
}

function toldReview(operation: Operation): Told {
  const { reason_for_review: reason, shipment_id: reference } = operation
  switch (reason?.code) {
    case 'contradicted':
      return toldContradicted(operation)
    case 'ambiguous':
      return toldAmbiguous(guidesOf(operation))
    case 'courier_cannot_be_asked':
      return {
        what: i18n.t('This courier has no way to look up guides.'),
        next: i18n.t('Call the courier and quote reference {reference}.', { reference }),
      }
    default:
      return {
        what: unanswered(operation),
        next: i18n.t(
          'Call the courier and quote reference {reference}, or ask again here once it responds.',
          { reference },
        ),
      }
  }
}

function toldAmbiguous(guides: readonly string[]): Told {
  const count = guides.length
  return {
    what: i18n.t(
      'The courier lists {count, plural, one {# guide} other {# guides}} for this order ({guides}), so you may pay for it twice.',
      { count, guides: listedInShort(guides) },
    ),
    next: chooseHandedOver(count - 1),
  }
}

function chooseHandedOver(others: number): string {
  return others === 1
    ? i18n.t('Choose the guide that was handed over, and ask the courier to cancel the other.')
    : i18n.t('Choose the guide that was handed over, and ask the courier to cancel the others.')
}

function unanswered({ looks, created_at: createdAt }: Operation): string {
  const failed = looks.filter(({ answer }) => answer === 'inconclusive')
  const last = looks.at(-1)
  if (failed.length === 0 || last === undefined) {
    return i18n.t('The courier never gave a clear answer.')
  }
  const count = failed.length
  const duration = formatDuration(Date.parse(last.at) - Date.parse(createdAt))
  const statuses = failed.map(({ failure }) => failure?.status_code ?? null)
  const known = [...new Set(statuses)].filter((status) => status !== null)
  if (statuses.includes(null)) {
    return i18n.t(
      'The courier was asked {count, plural, one {once} other {# times}} in {duration} without a clear answer.',
      { count, duration },
    )
  }
  return i18n.t(
    'The courier was asked {count, plural, one {once} other {# times}} in {duration} and answered with an error ({statuses}).',
    { count, duration, statuses: listed(known.map(String)) },
  )
}

function toldContradicted(operation: Operation): Told {
  const decided = operation.resolutions.at(-1)
  const against = guidesAgainst(operation)
  const count = against.length
  const guides = listedInShort(against)
  if (decided?.decision === 'nothing_created') {
    return {
      what: i18n.t(
        'You may have shipped twice: the decision was that nothing was created, and then the courier listed {count, plural, one {guide {guides}} other {guides {guides}}}.',
        { count, guides },
      ),
      next: i18n.t(
        'Find out whether the order was shipped again. If so, ask the courier to cancel {count, plural, one {this guide} other {these guides}}.',
        { count },
      ),
    }
  }
  if (decided?.decision === 'guide_exists') {
    return {
      what: i18n.t(
        'You may have paid for {count, plural, one {two guides} other {several guides}}: the decision was {decided}, and then the courier listed {count, plural, one {guide {guides}} other {guides {guides}}}.',
        { count, guides, decided: decided.guide_number },
      ),
      next: chooseHandedOver(count),
    }
  }
  return {
    what: i18n.t('The courier contradicts the decision about the cancellation.'),
    next: i18n.t('Ask the courier whether the guide is cancelled, then decide again.'),
  }
}

function toldReconciling(operation: Operation, nowMs: number | null): Told {
  const { looks, type } = operation
  const cause = whyUnknown(operation.cause)
  const unknown =
    type === 'shipment_cancellation'
      ? i18n.t('{cause}, so it is not known whether the guide is cancelled.', { cause })
      : i18n.t('{cause}, so it is not known whether the guide exists.', { cause })
  const asked =
    looks.length === 0
      ? i18n.t('The courier has not been asked yet.')
      : i18n.t('The courier was asked {count, plural, one {once} other {# times}} so far.', {
          count: looks.length,
        })
  const patience = i18n.t('You do not need to do anything unless it is urgent.')
  return { what: `${unknown} ${asked}`, next: `${askedAgain(operation, nowMs)} ${patience}` }
}

function askedAgain({ next_look_at: nextLookAt }: Operation, nowMs: number | null): string {
  if (nowMs === null) return i18n.t('The courier is asked again automatically.')
  const wait = nextLookAt === null ? 0 : Date.parse(nextLookAt) - nowMs
  if (wait <= 0) return i18n.t('The courier is being asked again now.')
  return i18n.t('The courier is asked again in {duration}.', { duration: formatDuration(wait) })
}

function toldResolved(operation: Operation): Told {
  const { resolution } = operation
  if (resolution === null) return { what: i18n.t('It is resolved.'), next: '' }
  const what = resultOf(resolution)
  if (resolution.confirmed === false) {
    return {
      what,
      next: i18n.t(
        'The courier has not confirmed this guide. The service keeps asking until it does.',
      ),
    }
  }
  const { surplus_guide_numbers: surplus } = operation
  if (surplus.length > 0) {
    return {
      what,
      next: i18n.t(
        'The courier still listed {guides} when last asked. Have the courier cancel {count, plural, one {it} other {them}}, then ask again here to see whether {count, plural, one {it is} other {they are}} gone.',
        { guides: listedInShort(surplus), count: surplus.length },
      ),
    }
  }
  if (resolution.decision === 'nothing_created' && !hasClearLook(operation)) {
    return {
      what,
      next: i18n.t('The courier never gave a clear answer, so this rests on the note alone.'),
    }
  }
  return { what, next: i18n.t('Nothing to do.') }
}

/** Who concluded it, and what. */
function resultOf(resolution: NonNullable<Operation['resolution']>): string {
  const { by, decision: code, guide_number: guide } = resolution
  const decision = resolvedText()[code] ?? code
  if (by === 'operator') {
    return guide === null
      ? i18n.t('A person decided: {decision}.', { decision })
      : i18n.t('A person decided: {decision} ({guide}).', { decision, guide })
  }
  return guide === null
    ? i18n.t('The courier answered: {decision}.', { decision })
    : i18n.t('The courier answered: {decision} ({guide}).', { decision, guide })
}

const resolvedText = (): Readonly<Record<string, string>> => ({
  guide_exists: i18n.t('the guide exists'),
  nothing_created: i18n.t('nothing was created'),
  cancelled: i18n.t('the guide is cancelled'),
  not_cancelled: i18n.t('the guide is not cancelled'),
})
