import { formatMoney } from '../../../domain/currency.ts'
import { instant } from '../../../domain/decider.ts'
import { type Language, listed } from '../../../domain/language.ts'
import type { LedgerEvent } from '../../../event-store/codec.ts'
import { eventLabels, type Names } from './event-labels.ts'
import { summaryTexts } from './summary-texts.ts'
import type { Times } from './times.ts'

type SummaryDeps = {
  readonly times: Times
  readonly names: Names
  readonly language: Language
}

/** A summary of what happened, in a few sentences. Tracking and labels are only in the timeline. */
export function summary(events: readonly LedgerEvent[], deps: SummaryDeps): string {
  const { looked } = summaryTexts[deps.language]
  const sentences: string[] = []
  let looks = 0
  for (const event of events) {
    if (event.type === 'GuideLookedUp' || event.type === 'CancellationLookedUp') {
      looks++
      continue
    }
    const sentence = sentenceOf(event, deps)
    if (sentence === null) continue
    if (looks > 0) sentences.push(looked(looks))
    looks = 0
    sentences.push(sentence)
  }
  if (looks > 0) sentences.push(looked(looks))
  return sentences.join(' ')
}

function sentenceOf(event: LedgerEvent, deps: SummaryDeps): string | null {
  const { language, times } = deps
  const texts = summaryTexts[language]
  const labels = eventLabels[language]
  const on = times.brief(event.recordedAt)
  switch (event.type) {
    case 'ShipmentRequested':
      return texts.ordered(on, event.data.provider_code)
    case 'GuideRequested':
      return event.data.attempt === 1 ? null : texts.repeated(on, event.data.attempt)
    case 'GuideIssued':
      return texts.confirmed(named(event.data, language))
    case 'GuideRejected':
      return texts.refused
    case 'GuideNotSent':
      return texts.notSent(labels.notSent[event.data.reason])
    case 'GuideOutcomeUnknown':
      return texts.outcomeUnknown(labels.causes[event.data.cause])
    case 'GuideFound':
      return event.data.evidence === 'late_answer'
        ? texts.foundByLateAnswer(named(event.data, language))
        : texts.foundByLook(named(event.data, language))
    case 'GuideNotCreated':
      return texts.notCreated
    case 'OperationReviewRequired':
      return texts.reviewRequired
    case 'OperationResolved':
      return resolved(event, deps)
    case 'OperationContradicted':
      return event.data.guide_numbers.length === 0
        ? texts.contradicted(on)
        : texts.contradictedBy(on, listed(event.data.guide_numbers, language))
    case 'LateAnswerRecorded':
      return texts.lateAnswer
    case 'CancellationRequested':
      return texts.cancellationRequested(on, event.data.guide_number)
    case 'GuideCancelled':
      return texts.cancelled
    case 'CancellationRefused':
      return texts.cancellationRefused
    case 'CancellationNotSent':
      return texts.cancellationNotSent(labels.notSent[event.data.reason])
    case 'CancellationOutcomeUnknown':
      return texts.cancellationUnknown(labels.causes[event.data.cause])
    case 'CancellationFound':
      return event.data.evidence === 'late_answer'
        ? texts.cancelledByLateAnswer
        : texts.cancelledByLook
    case 'GuideNotCancelled':
      return texts.notCancelled
    case 'PersonalDataErased':
      return texts.erased(on)
    default:
      return null
  }
}

type Resolved = Extract<LedgerEvent, { readonly type: 'OperationResolved' }>

function resolved(
  { data, operatorId, recordedAt }: Resolved,
  { language, times, names }: SummaryDeps,
): string {
  const texts = summaryTexts[language]
  const name = names.get(operatorId ?? '')
  const person = operatorId == null ? texts.person : texts.personWithId(operatorId)
  return texts.resolved({
    on: times.brief(recordedAt),
    who: name === undefined ? person : `${name} (${operatorId})`,
    decision: eventLabels[language].decisions[data.decision],
    guideNumber: data.guide_number,
  })
}

type Guide = {
  readonly guide_number: string
  readonly price: { readonly amount: number; readonly currency: string } | null
}

function named({ guide_number: number, price }: Guide, language: Language): string {
  return price === null
    ? number
    : summaryTexts[language].priced(number, formatMoney(price, language))
}

/** The number of events and the times of the first and last one. */
export function period(
  events: readonly LedgerEvent[],
  { times, language }: Omit<SummaryDeps, 'names'>,
): string {
  const first = events[0]?.metadata.recorded_at ?? ''
  const last = events.at(-1)?.metadata.recorded_at ?? ''
  const [from, to] = [first, last].map((at) => times.brief(instant(at))) as [string, string]
  return summaryTexts[language].period(events.length, from, to)
}
