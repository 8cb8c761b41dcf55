import { instant } from '../../../domain/decider.ts'
import type { LedgerEvent } from '../../../event-store/codec.ts'
import {
  causeLabels,
  counted,
  decisionLabels,
  formatMoney,
  listed,
  type Names,
  notSentLabels,
} from './event-labels.ts'
import type { Times } from './times.ts'

/** A summary of what happened, in a few sentences. Tracking and labels are only in the timeline. */
export function summary(events: readonly LedgerEvent[], times: Times, names: Names): string {
  const sentences: string[] = []
  let looks = 0
  for (const event of events) {
    if (event.type === 'GuideLookedUp' || event.type === 'CancellationLookedUp') {
      looks++
      continue
    }
    const sentence = sentenceOf(event, times, names)
    if (sentence === null) continue
    if (looks > 0) sentences.push(looked(looks))
    looks = 0
    sentences.push(sentence)
  }
  if (looks > 0) sentences.push(looked(looks))
  return sentences.join(' ')
}

function looked(looks: number): string {
  return `The service asked the courier ${looks === 1 ? 'once' : `${looks} times`} which guides it has.`
}

function sentenceOf(event: LedgerEvent, times: Times, names: Names): string | null {
  const on = times.brief(event.recordedAt)
  switch (event.type) {
    case 'ShipmentRequested':
      return `On ${on} the shop ordered a guide from courier ${event.data.provider_code}.`
    case 'GuideRequested':
      return event.data.attempt === 1
        ? null
        : `On ${on} the shop repeated the order, and attempt ${event.data.attempt} began.`
    case 'GuideIssued':
      return `The courier confirmed guide ${named(event.data)}.`
    case 'GuideRejected':
      return 'The courier refused the order.'
    case 'GuideNotSent':
      return `The order was not carried out: ${notSentLabels[event.data.reason]}.`
    case 'GuideOutcomeUnknown':
      return `The courier's answer was lost (${causeLabels[event.data.cause]}), so it was unknown whether a guide existed. The service did not order again.`
    case 'GuideFound':
      return event.data.evidence === 'late_answer'
        ? `The late answer of the courier showed guide ${named(event.data)}: it exists.`
        : `A look at the courier found guide ${named(event.data)}: it exists.`
    case 'GuideNotCreated':
      return 'The service concluded that no guide had been created.'
    case 'OperationReviewRequired':
      return 'The service could not conclude, and asked for the decision of a person.'
    case 'OperationResolved':
      return resolved(event, on, names)
    case 'OperationContradicted':
      return `On ${on} evidence contradicted that conclusion${guides(event.data.guide_numbers)}, and it went back to review.`
    case 'LateAnswerRecorded':
      return 'A late answer of the courier was recorded as evidence.'
    case 'CancellationRequested':
      return `On ${on} the shop asked to cancel guide ${event.data.guide_number}.`
    case 'GuideCancelled':
      return 'The courier confirmed that the guide is cancelled.'
    case 'CancellationRefused':
      return 'The courier refused to cancel it.'
    case 'CancellationNotSent':
      return `The cancellation was not carried out: ${notSentLabels[event.data.reason]}.`
    case 'CancellationOutcomeUnknown':
      return `The answer to the cancellation was lost (${causeLabels[event.data.cause]}), so it was unknown whether the guide was cancelled.`
    case 'CancellationFound':
      return event.data.evidence === 'late_answer'
        ? 'The late answer of the courier showed that the guide is cancelled.'
        : 'A look at the courier showed that the guide is cancelled.'
    case 'GuideNotCancelled':
      return 'The service concluded that the guide was not cancelled.'
    case 'PersonalDataErased':
      return `The personal data was erased on ${on}.`
    default:
      return null
  }
}

type Resolved = Extract<LedgerEvent, { readonly type: 'OperationResolved' }>

function resolved({ data, operatorId }: Resolved, on: string, names: Names): string {
  const name = names.get(operatorId ?? '')
  const id = operatorId == null ? '' : ` (${operatorId})`
  const who = name === undefined ? `a person${id}` : `${name}${id}`
  const guide = data.guide_number === null ? '' : `, number ${data.guide_number}`
  return `On ${on} ${who} decided: ${decisionLabels[data.decision]}${guide}.`
}

function named({
  guide_number: number,
  price,
}: {
  readonly guide_number: string
  readonly price: { readonly amount: number; readonly currency: string } | null
}): string {
  return price === null ? number : `${number} for ${formatMoney(price)}`
}

function guides(numbers: readonly string[]): string {
  return numbers.length === 0 ? '' : ` (${listed(numbers)})`
}

/** The number of events and the times of the first and last one. */
export function period(events: readonly LedgerEvent[], times: Times): string {
  const first = events[0]?.metadata.recorded_at ?? ''
  const last = events.at(-1)?.metadata.recorded_at ?? ''
  return `${counted(events.length, 'event')}, from ${times.brief(instant(first))} to ${times.brief(instant(last))}`
}
