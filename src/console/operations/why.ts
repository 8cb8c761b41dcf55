import type { Operation } from '../../client/methods.ts'
import { counted } from '../lists/counted.ts'
import { formatDuration } from '../parts/times.tsx'

/** Why an operation is where it is, in a few words for a list. */
export function shortWhy(operation: Operation): string {
  const { reason_for_review: reason, status, resolution, cause } = operation
  if (status === 'needs_review') return reviewWords[reason?.code ?? ''] ?? 'A person must decide'
  if (status === 'reconciling') return causeWords[cause ?? ''] ?? 'The outcome is not known'
  if (resolution?.confirmed === false) return 'The courier has not confirmed the guide'
  return resolution?.by === 'operator' ? 'A person decided' : 'The courier answered'
}

const reviewWords: Readonly<Record<string, string>> = {
  ambiguous: 'Two guides or more',
  courier_cannot_be_asked: 'The courier cannot be asked',
  deadline_passed: 'No clear answer in 8 hours',
  contradicted: 'Evidence against the decision',
}

export const causeWords: Readonly<Record<string, string>> = {
  response_lost: 'The answer was lost',
  response_unreadable: 'The answer was unreadable',
  courier_error: 'The courier reported an error',
  deadline_passed: 'The courier took too long',
  process_died: 'The process died during the call',
}

/** What a look has shown, as a sentence. */
export const lookWords: Readonly<Record<string, string>> = {
  found: 'The courier lists one guide.',
  ambiguous: 'The courier lists several guides.',
  absent: 'The courier lists no guide.',
  inconclusive: 'The courier gave no clear answer.',
  cancelled: 'The courier says that the guide is cancelled.',
  standing: 'The courier says that the guide is still valid.',
}

/** What an operator reads first: what happened, and what to do next. */
type Told = { readonly what: string; readonly next: string }

/** One sentence that says why, and one that says what to do. */
export function tellOperation(operation: Operation, nowMs: number): Told {
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
        what: `The courier lists ${counted(guidesOf(operation).length, 'guide')} for this order (${listed(guidesOf(operation))}): it may be paid twice.`,
        next: `Choose the guide that was handed over, and ask the courier to cancel the ${guidesOf(operation).length === 2 ? 'other' : 'others'}.`,
      }
    case 'courier_cannot_be_asked':
      return {
        what: 'This courier cannot be asked what it has done.',
        next: `Call the courier and quote reference ${reference}.`,
      }
    default:
      return {
        what: unanswered(operation),
        next: `Call the courier and quote reference ${reference}, or look again once it answers.`,
      }
  }
}

function unanswered({ looks, created_at: createdAt }: Operation): string {
  const failed = looks.filter(({ answer }) => answer === 'inconclusive')
  const last = looks.at(-1)
  if (failed.length === 0 || last === undefined) return 'No look had a clear answer.'
  const duration = formatDuration(Date.parse(last.at) - Date.parse(createdAt))
  const statuses = new Set(failed.map(({ failure }) => failure?.status_code ?? null))
  if (!statuses.has(null)) {
    return `The courier answered ${counted(failed.length, 'look')} in ${duration} with an error (${[...statuses].join(', ')}).`
  }
  return `${counted(failed.length, 'look')} in ${duration} had no clear answer.`
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
      what: `You may have shipped twice: it was decided that nothing was created, and then the courier showed ${found}.`,
      next: `Find out whether the order was shipped again. If so, ask the courier to cancel ${isOne ? 'this guide' : 'these guides'}.`,
    }
  }
  if (decided?.decision === 'guide_exists') {
    return {
      what: `You may have paid for ${isOne ? 'two guides' : 'several guides'}: ${decided.guide_number} was decided, and then the courier showed ${found}.`,
      next: `Choose the guide that was handed over, and ask the courier to cancel the ${isOne ? 'other' : 'others'}.`,
    }
  }
  return {
    what: 'The courier shows something else than what was decided about the cancellation.',
    next: 'Ask the courier whether the guide is cancelled, then decide again.',
  }
}

function toldReconciling(operation: Operation, nowMs: number): Told {
  const { cause, next_look_at: nextLookAt, looks } = operation
  const words = causeWords[cause ?? ''] ?? 'The outcome is not known'
  const wait = nextLookAt === null ? null : Date.parse(nextLookAt) - nowMs
  const next =
    wait === null || wait <= 0
      ? 'The next look is due now.'
      : `The next look is in ${formatDuration(wait)}.`
  return {
    what: `${words}, so it is not known whether the ${noun(operation)} exists. ${counted(looks.length, 'look')} so far.`,
    next: `${next} You need to do nothing unless it is urgent.`,
  }
}

function toldResolved(operation: Operation): Told {
  const { resolution } = operation
  if (resolution === null) return { what: 'It is resolved.', next: '' }
  const who = resolution.by === 'operator' ? 'A person decided' : 'The courier answered'
  const what = `${who}: ${resolvedWords[resolution.decision] ?? resolution.decision}${
    resolution.guide_number === null ? '' : ` (${resolution.guide_number})`
  }.`
  if (resolution.confirmed === false) {
    return { what, next: 'The courier has not confirmed this guide. Looks go on until it does.' }
  }
  const { surplus_guide_numbers: surplus } = operation
  if (surplus.length > 0) {
    const [it, is] = surplus.length === 1 ? ['it', 'it is'] : ['them', 'they are']
    return {
      what,
      next: `The last look still showed ${listed(surplus)}: ask the courier to cancel ${it}. Then look now to see whether ${is} gone.`,
    }
  }
  if (resolution.decision === 'nothing_created' && !hasClearLook(operation)) {
    return { what, next: 'No look has had a clear answer: this rests on the note alone.' }
  }
  return { what, next: 'There is nothing to do.' }
}

const resolvedWords: Readonly<Record<string, string>> = {
  guide_exists: 'the guide exists',
  nothing_created: 'nothing was created',
  cancelled: 'the guide is cancelled',
  not_cancelled: 'the guide is not cancelled',
}

/** Whether the courier has said, in any look, what there is. */
export function hasClearLook({ looks }: Operation): boolean {
  return looks.some(({ answer }) => answer !== 'inconclusive')
}

/** The guides that looks have shown and that the last decision does not name. */
export function guidesAgainst(operation: Operation): readonly string[] {
  const decided = operation.resolutions.at(-1)?.guide_number
  return guidesOf(operation).filter((guide) => guide !== decided)
}

/** Every guide that a look has shown. */
export function guidesOf({ looks }: Operation): readonly string[] {
  return [...new Set(looks.flatMap((look) => look.guide_numbers))]
}

/** A message that an operator can send to the courier as it is. */
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
        ? `You list ${guides.length} guides: ${guides.join(', ')}. We asked for one. Which one is valid? Please cancel the others.`
        : 'Does a guide exist under this reference? If so, please tell us its number.'
  return [
    `At ${asked} we asked you to create one guide for order ${order}, client reference ${shipmentId}.`,
    'We did not receive a complete answer.',
    question,
  ].join('\n')
}
