import { formatMoney } from '../../../domain/currency.ts'
import { instant, type JsonObject } from '../../../domain/decider.ts'
import { counted, listed } from '../../../domain/language.ts'
import type { EventData } from '../../../domain/shipment/shipment-events.ts'
import { type Describers, type Description, textsIn } from './descriptions.ts'
import { describeLook, eventLabels } from './event-labels.ts'
import type { Times } from './times.ts'

const labels = eventLabels.en

export const englishDescriptions: Describers = {
  ShipmentRequested: (data) => ({
    what: `The shop asks for a guide of courier ${data.provider_code}, with the external reference “${data.external_reference}”.`,
    why: `Idempotency key “${data.idempotency_key}”: the same key never leads to a second order.`,
  }),
  GuideRequested: (data, { times }) => ({
    what: `Attempt ${data.attempt} to create the guide begins. Recorded before anything is sent.`,
    why: `Operation ${data.operation_id}. Nothing is sent after ${times.local(instant(data.call_deadline))}.`,
  }),
  GuideIssued: (data) => ({
    what: `The courier confirms guide ${data.guide_number}${priced(data.price)}.`,
    why: 'Its answer to the request.',
  }),
  GuideRejected: (data, { kept }) => ({
    what: 'The courier refuses. No guide is created.',
    why: `${newPrice(data)}${courierText(kept(data.detail_ref))}`,
  }),
  GuideNotSent: (data) => notSent('created', data.reason),
  GuideOutcomeUnknown: (data) => ({
    what: `The outcome is unknown: ${labels.causes[data.cause]}. The guide may exist.`,
    why: askable(data.courier_can_be_asked),
  }),
  GuideLookedUp: (data) => ({
    what: `The courier is asked which guides it has under our reference. ${describeLook(data, 'en')}`,
    why: `${askedBy(data.by)}${weight(data.answer, 'absent', data.counted)}${confirmation(data.confirms)}`,
  }),
  GuideFound: (data) => ({
    what: `Conclusion: guide ${data.guide_number} exists${priced(data.price)}.`,
    why: labels.evidence[data.evidence],
  }),
  GuideNotCreated: (data, { kept }) => ({
    what: 'Conclusion: no guide was created.',
    why: `${labels.evidence[data.evidence]} ${newPrice(data)}${courierText(kept(data.detail_ref))}`,
  }),
  OperationReviewRequired: (data) => ({
    what: `A person must decide.${seen(data.guide_numbers)}`,
    why: labels.reviews[data.because],
  }),
  OperationEscalated: (data) => ({
    what: 'The operators of the service can see the operation from now on.',
    why: `Operation ${data.operation_id} needs a person, or has been open for an hour.`,
  }),
  OperationResolved: (data, { kept }) => ({
    what: `Decision of a person: ${labels.decisions[data.decision]}${data.guide_number === null ? '' : `, number ${data.guide_number}`}${priced(data.price)}.`,
    why: `${confirmed(data.confirmed)}${note(kept(data.resolution_ref))}`,
  }),
  OperationAssigned: (data) => ({
    what:
      data.operator_id === null
        ? 'The operation no longer has an assignee.'
        : `The operation is assigned to operator ${data.operator_id}.`,
    why: '',
  }),
  OperationCommented: (data, { kept }) => {
    const text = textsIn(kept(data.comment_ref))
    return {
      what: 'A person writes a comment on the operation.',
      why: text === '' ? '' : `Comment: “${text}”`,
    }
  },
  OperationSnoozed: (data, { times }) => ({
    what:
      data.until === null
        ? 'The operation is no longer snoozed.'
        : `A person snoozes the operation until ${times.brief(instant(data.until))}.`,
    why: 'Reconciliation continues as before.',
  }),
  OperationContradicted: (data) => ({
    what: `The conclusion is contradicted: it is in review again.${seen(data.guide_numbers)}`,
    why: labels.evidence[data.evidence],
  }),
  LateAnswerRecorded: (data, { kept }) => ({
    what: `A late answer of the courier to attempt ${data.attempt}: ${labels.lateAnswers[data.answer]}${data.guide_number === null ? '' : `, guide ${data.guide_number}`}. It changes no conclusion.`,
    why: `${confirmation(data.confirms)}${courierText(kept(data.detail_ref))}`,
  }),
  TrackingObserved: (data, { times }) => ({
    what: `The tracking of the courier shows ${counted(data.events.length, 'new scan', 'new scans')}${lastScan(data, times)}.`,
    why: earlierScans(data),
  }),
  TrackingMonitoringChanged: (data) => ({ what: labels.monitoring[data.state], why: '' }),
  GuideShared: (data) => ({
    what: `Shipment ${data.shipment_id} of the same connection has the same guide ${data.guide_number}.`,
    why: 'Scans and invoices of the guide may be about either of them.',
  }),
  LabelReady: (data) => ({
    what: `The label is fetched from the courier and stored (${counted(data.size_bytes, 'byte', 'bytes')}).`,
    why: '',
  }),
  PersonalDataErased: (data) => ({
    what:
      data.includes_notes === true
        ? 'The personal data, the notes of decisions and the comments are erased for good.'
        : 'The personal data is erased for good. The notes of decisions and the comments are kept.',
    why: '',
  }),
  LegalHoldPlaced: (data, { kept }) => ({
    what: 'A legal hold is placed: the personal data may not be erased.',
    why: note(kept(data.note_ref)),
  }),
  LegalHoldLifted: (data, { kept }) => ({
    what: 'The legal hold is lifted.',
    why: note(kept(data.note_ref)),
  }),
  TrackingLinkRolled: () => ({
    what: "The link to the recipient's page is replaced: the former one leads nowhere.",
    why: '',
  }),
  CancellationRequested: (data, { times }) => ({
    what: `The shop asks to cancel guide ${data.guide_number}: attempt ${data.attempt}. Recorded before anything is sent.`,
    why: `Operation ${data.operation_id}. Nothing is sent after ${times.local(instant(data.call_deadline))}.`,
  }),
  GuideCancelled: () => ({
    what: 'The courier confirms that the guide is cancelled.',
    why: 'Its answer to the request.',
  }),
  CancellationRefused: (data, { kept }) => ({
    what: 'The courier refuses to cancel. The guide is still valid.',
    why: courierText(kept(data.detail_ref)),
  }),
  CancellationNotSent: (data) => notSent('cancelled', data.reason),
  CancellationOutcomeUnknown: (data) => ({
    what: `The outcome is unknown: ${labels.causes[data.cause]}. The guide may be cancelled.`,
    why: askable(data.courier_can_be_asked),
  }),
  CancellationLookedUp: (data) => ({
    what: `The courier is asked whether the guide is still valid. ${describeLook(data, 'en')}`,
    why: `${askedBy(data.by)}${weight(data.answer, 'standing', data.counted)}`,
  }),
  CancellationFound: (data) => ({
    what: 'Conclusion: the guide is cancelled.',
    why: labels.evidence[data.evidence],
  }),
  GuideNotCancelled: (data, { kept }) => ({
    what: 'Conclusion: the guide was not cancelled and is still valid.',
    why: `${labels.evidence[data.evidence]} ${courierText(kept(data.detail_ref))}`,
  }),
  CancellationDeclined: (data) => ({
    what: `A request to cancel is declined without asking the courier: ${labels.declines[data.because]}.`,
    why: `Idempotency key “${data.idempotency_key}”.`,
  }),
}

function priced(price: { readonly amount: number; readonly currency: string } | null): string {
  return price === null ? '' : ` for ${formatMoney(price, 'en')}`
}

function notSent(done: string, reason: keyof typeof labels.notSent): Description {
  return {
    what: `The request was not carried out: nothing was ${done}.`,
    why: `${capital(labels.notSent[reason])}.`,
  }
}

function askable(canBeAsked: boolean): string {
  return canBeAsked ? 'The courier can be asked.' : 'The courier cannot be asked.'
}

function askedBy(by: 'reconciliation' | 'operator'): string {
  return by === 'operator' ? 'An operator asked for this look. ' : ''
}

/** Only an answer that nothing happened must be late enough to count. */
function weight(answer: string, denial: string, isCounted: boolean): string {
  if (answer !== denial) return ''
  return isCounted ? 'Late enough to count.' : 'Too early to count: it may still change.'
}

function seen(guideNumbers: readonly string[]): string {
  return guideNumbers.length === 0 ? '' : ` Guides in evidence: ${listed(guideNumbers, 'en')}.`
}

function confirmed(isConfirmed: boolean | undefined): string {
  if (isConfirmed === undefined) return ''
  return isConfirmed
    ? 'The courier had reported this guide. '
    : 'The courier had not reported this guide. '
}

function confirmation(confirms: object | undefined): string {
  return confirms === undefined ? '' : ' It confirms the guide of the decision.'
}

type Refusal = EventData<'GuideRejected'> | EventData<'GuideNotCreated'>

function newPrice({ price_changed: change }: Refusal): string {
  if (change === undefined) return ''
  return change.to === null
    ? 'The quoted price no longer holds. '
    : `The quoted price no longer holds: it is now ${formatMoney(change.to, 'en')}. `
}

function lastScan({ events }: EventData<'TrackingObserved'>, times: Times): string {
  const last = events.at(-1)
  return last === undefined
    ? ''
    : `, the last “${last.code}” at ${times.brief(instant(last.occurred_at))}`
}

function earlierScans({ events }: EventData<'TrackingObserved'>): string {
  const { length } = events.filter((scan) => scan.earlier_parcel)
  if (length === 0) return ''
  const scans = counted(length, 'scan', 'scans')
  const ignored = length === 1 ? 'is ignored' : 'are ignored'
  return `${scans} from before the shipment ${ignored}: an earlier parcel had the guide number.`
}

function courierText(content: JsonObject | null): string {
  const text = textsIn(content)
  return text === '' ? '' : `Words of the courier: “${text}”`
}

function note(content: JsonObject | null): string {
  const { decided_by: decidedBy, note: text } = content ?? {}
  const by = typeof decidedBy === 'string' ? ` (${decidedBy})` : ''
  return typeof text === 'string' ? `Note${by}: “${text}”` : ''
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
