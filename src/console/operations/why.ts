import type { Operation } from '../../client/methods.ts'
import { counted } from '../lists/counted.ts'
import { formatDuration } from '../parts/times.tsx'

/** The reason for an operation's status, in a few words for lists. */
export function shortWhy(operation: Operation): string {
  const { reason_for_review: reason, status, resolution, cause } = operation
  if (status === 'needs_review') return reviewText[reason?.code ?? ''] ?? 'A person must decide'
  if (status === 'reconciling') return causeText[cause ?? ''] ?? 'The outcome is not known'
  if (resolution?.confirmed === false) return 'The courier has not confirmed the guide'
  return resolution?.by === 'operator' ? 'A person decided' : 'The courier answered'
}

const reviewText: Readonly<Record<string, string>> = {
  ambiguous: 'Two guides or more',
  courier_cannot_be_asked: 'The courier cannot be asked',
  deadline_passed: 'No clear answer in 8 hours',
  contradicted: 'Evidence against the decision',
}

export const causeText: Readonly<Record<string, string>> = {
  response_lost: 'The answer was lost',
  response_unreadable: 'The answer was unreadable',
  courier_error: 'The courier reported an error',
  deadline_passed: 'The courier took too long',
  process_died: 'The process died during the call',
}

/** Why a person must decide, as a sentence. */
export const reviewSentence: Readonly<Record<string, string>> = {
  ambiguous: 'The courier lists more than one guide under our reference.',
  courier_cannot_be_asked: 'The courier cannot be asked about the outcome of the call.',
  deadline_passed: 'The courier gave no clear answer before the deadline.',
  contradicted: 'Evidence contradicted the decision.',
}

/** The courier's answer as a sentence. */
export const lookText: Readonly<Record<string, string>> = {
  found: 'The courier lists one guide.',
  ambiguous: 'The courier lists several guides.',
  absent: 'The courier lists no guide.',
  inconclusive: 'The courier gave no clear answer.',
  cancelled: 'The courier says that the guide is cancelled.',
  standing: 'The courier says that the guide is still valid.',
}

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

/** What was asked of the courier. */
function noun({ type }: Operation): string {
  return type === 'shipment_cancellation' ? 'cancellation' : 'guide'
}

function toldReview(operation: Operation): Told {
  const { reason_for_review: reason, shipment_id: reference } = operation
  switch (reason?.code) {
    case 'contradicted':
      return toldContradicted(operation)
    case 'ambiguous':
      return {
        what: `The courier lists ${counted(guidesOf(operation).length, 'guide')} for this order (${listed(guidesOf(operation))}), so you may pay for it twice.`,
        next: `Choose the guide that was handed over, and ask the courier to cancel the ${guidesOf(operation).length === 2 ? 'other' : 'others'}.`,
      }
    case 'courier_cannot_be_asked':
      return {
        what: 'This courier has no way to look up guides.',
        next: `Call the courier and quote reference ${reference}.`,
      }
    default:
      return {
        what: unanswered(operation),
        next: `Call the courier and quote reference ${reference}, or ask again here once it responds.`,
      }
  }
}

function unanswered({ looks, created_at: createdAt }: Operation): string {
  const failed = looks.filter(({ answer }) => answer === 'inconclusive')
  const last = looks.at(-1)
  if (failed.length === 0 || last === undefined) return 'The courier never gave a clear answer.'
  const duration = formatDuration(Date.parse(last.at) - Date.parse(createdAt))
  const statuses = new Set(failed.map(({ failure }) => failure?.status_code ?? null))
  if (!statuses.has(null)) {
    return `The courier was asked ${times(failed.length)} in ${duration} and answered with an error (${[...statuses].join(', ')}).`
  }
  return `The courier was asked ${times(failed.length)} in ${duration} without a clear answer.`
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

const listedMax = 4

function listed(guides: readonly string[]): string {
  const shown = guides.slice(0, listedMax).join(', ')
  return guides.length > listedMax ? `${shown} …` : shown
}

function toldContradicted(operation: Operation): Told {
  const decided = operation.resolutions.at(-1)
  const against = guidesAgainst(operation)
  const isOne = against.length === 1
  const found = `${isOne ? 'guide' : 'guides'} ${listed(against)}`
  if (decided?.decision === 'nothing_created') {
    return {
      what: `You may have shipped twice: the decision was that nothing was created, and then the courier listed ${found}.`,
      next: `Find out whether the order was shipped again. If so, ask the courier to cancel ${isOne ? 'this guide' : 'these guides'}.`,
    }
  }
  if (decided?.decision === 'guide_exists') {
    return {
      what: `You may have paid for ${isOne ? 'two guides' : 'several guides'}: the decision was ${decided.guide_number}, and then the courier listed ${found}.`,
      next: `Choose the guide that was handed over, and ask the courier to cancel the ${isOne ? 'other' : 'others'}.`,
    }
  }
  return {
    what: 'The courier contradicts the decision about the cancellation.',
    next: 'Ask the courier whether the guide is cancelled, then decide again.',
  }
}

function toldReconciling(operation: Operation, nowMs: number | null): Told {
  const { cause, looks } = operation
  const words = causeText[cause ?? ''] ?? 'The outcome is not known'
  const next = askedAgain(operation, nowMs)
  return {
    what: `${words}, so it is not known whether the ${noun(operation)} exists. ${looks.length === 0 ? 'The courier has not been asked yet.' : `The courier was asked ${times(looks.length)} so far.`}`,
    next: `${next} You do not need to do anything unless it is urgent.`,
  }
}

function askedAgain({ next_look_at: nextLookAt }: Operation, nowMs: number | null): string {
  if (nowMs === null) return 'The courier is asked again automatically.'
  const wait = nextLookAt === null ? 0 : Date.parse(nextLookAt) - nowMs
  if (wait <= 0) return 'The courier is being asked again now.'
  return `The courier is asked again in ${formatDuration(wait)}.`
}

function toldResolved(operation: Operation): Told {
  const { resolution } = operation
  if (resolution === null) return { what: 'It is resolved.', next: '' }
  const who = resolution.by === 'operator' ? 'A person decided' : 'The courier answered'
  const what = `${who}: ${resolvedText[resolution.decision] ?? resolution.decision}${
    resolution.guide_number === null ? '' : ` (${resolution.guide_number})`
  }.`
  if (resolution.confirmed === false) {
    return {
      what,
      next: 'The courier has not confirmed this guide. The service keeps asking until it does.',
    }
  }
  const { surplus_guide_numbers: surplus } = operation
  if (surplus.length > 0) {
    const [it, is] = surplus.length === 1 ? ['it', 'it is'] : ['them', 'they are']
    return {
      what,
      next: `The courier still listed ${listed(surplus)} when last asked. Have the courier cancel ${it}, then ask again here to see whether ${is} gone.`,
    }
  }
  if (resolution.decision === 'nothing_created' && !hasClearLook(operation)) {
    return { what, next: 'The courier never gave a clear answer, so this rests on the note alone.' }
  }
  return { what, next: 'Nothing to do.' }
}

const resolvedText: Readonly<Record<string, string>> = {
  guide_exists: 'the guide exists',
  nothing_created: 'nothing was created',
  cancelled: 'the guide is cancelled',
  not_cancelled: 'the guide is not cancelled',
}

/** Whether the courier ever gave a clear answer. */
export function hasClearLook({ looks }: Operation): boolean {
  return looks.some(({ answer }) => answer !== 'inconclusive')
}

/** The guides that the courier has listed and the last decision does not name. */
export function guidesAgainst(operation: Operation): readonly string[] {
  const decided = operation.resolutions.at(-1)?.guide_number
  return guidesOf(operation).filter((guide) => guide !== decided)
}

/** Every guide that the courier has listed. */
export function guidesOf({ looks }: Operation): readonly string[] {
  return [...new Set(looks.flatMap((look) => look.guide_numbers))]
}

/** A ready-made message to the courier. */
export function messageFor(operation: Operation): string {
  const { external_reference: order, shipment_id: shipmentId, created_at: at, type } = operation
  const guides = guidesOf(operation)
  const asked = `${at.slice(0, 16).replace('T', ' ')} UTC`
  if (type === 'shipment_cancellation') {
    return [
      `At ${asked} we asked you to cancel our guide for order ${order}, client reference ${shipmentId}.`,
      'We did not receive a complete answer.',
      'Is the guide cancelled?',
    ].join('\n')
  }
  const { surplus_guide_numbers: surplus } = operation
  const used = operation.resolution?.guide_number ?? null
  const question =
    surplus.length > 0
      ? `You list ${guides.join(', ')}. ${used === null ? '' : `We use ${used}. `}Please cancel ${surplus.join(', ')}.`
      : guides.length > 1
        ? `You list ${guides.length} guides: ${guides.join(', ')}. We asked for one. Which of them has been scanned, and what does each cost? Please cancel the ones that were not handed over.`
        : 'Does a guide exist under this reference? If so, please tell us its number.'
  return [
    `At ${asked} we asked you to create one guide for order ${order}, client reference ${shipmentId}.`,
    'We did not receive a complete answer.',
    question,
  ].join('\n')
}

/** The marks of an operation besides its state, most urgent first. */
export function marksOf(operation: Operation): readonly string[] {
  const { contradicted, escalated, status, resolution } = operation
  if (status !== 'resolved') {
    return [...(contradicted ? ['contradicted'] : []), ...(escalated ? ['escalated'] : [])]
  }
  return [
    ...(operation.surplus_guide_numbers.length > 0 ? ['surplus'] : []),
    ...(resolution?.confirmed === false ? ['unconfirmed'] : []),
    // The API's flag is permanent. On a resolved operation it is history.
    ...(contradicted ? ['was_contradicted'] : []),
  ]
}
