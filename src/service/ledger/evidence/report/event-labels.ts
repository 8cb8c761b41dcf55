import { decimalsOf } from '../../../domain/currency.ts'
import type { Cause, Exchange, LookFailure, NotSentReason } from '../../../domain/event-fields.ts'
import type { DeclineReason } from '../../../domain/operation/cancellation-events.ts'
import type { Money } from '../../../domain/operation/machine.ts'
import type { ShipmentStatus } from '../../../domain/shipment/shipment.ts'
import type {
  EventData,
  MonitoringState,
  OperationDecision,
} from '../../../domain/shipment/shipment-events.ts'
import type { LedgerEvent } from '../../../event-store/codec.ts'

/* Codes in plain English. Each text is a part of a sentence unless it ends with a full stop. */

export const causeLabels: Readonly<Record<Cause, string>> = {
  response_lost: 'the connection was lost before the answer was complete',
  response_unreadable: 'the answer could not be read',
  courier_error: 'the courier reported an internal error',
  deadline_passed: 'no answer came in the time allowed',
  process_died: 'the service was interrupted during the call',
}

export const notSentLabels: Readonly<Record<NotSentReason, string>> = {
  courier_unreachable: 'the courier could not be reached',
  courier_throttled: 'the courier asked to slow down',
  connection_needs_reauth: 'the courier did not accept the credentials',
  too_late: 'it was too late to send it',
}

export const failureLabels: Readonly<
  Record<NonNullable<Exchange['failure']> | LookFailure, string>
> = {
  courier_unreachable: 'courier not reachable',
  courier_throttled: 'courier asked to slow down',
  connection_needs_reauth: 'credentials not accepted',
  courier_rejected: 'refused',
  too_late: 'too late to send',
  response_lost: 'answer lost',
  response_unreadable: 'answer not readable',
  courier_error: 'courier error',
  deadline_passed: 'no answer in time',
}

export const decisionLabels: Readonly<Record<OperationDecision, string>> = {
  guide_exists: 'the guide exists',
  nothing_created: 'nothing was created',
  cancelled: 'the guide is cancelled',
  not_cancelled: 'the guide was not cancelled',
}

export const statusLabels: Readonly<Record<ShipmentStatus, string>> = {
  creating: 'the guide is being created',
  created: 'the shipment has a guide',
  rejected: 'the courier refused it and there is no guide',
  not_executed: 'nothing was sent and there is no guide',
  unknown_outcome: 'it is not known whether a guide exists',
  not_created: 'it was concluded that no guide was created',
  cancelling: 'the outcome of a cancellation is not known yet',
  cancelled: 'the guide is cancelled',
}

export const monitoringLabels: Readonly<Record<MonitoringState, string>> = {
  active: 'The service reads the tracking of the courier.',
  unreachable: 'The tracking of the courier could not be read for a long time.',
  completed: 'Tracking is complete.',
  expired: 'The service stopped reading the tracking.',
}

export const declineLabels: Readonly<Record<DeclineReason, string>> = {
  no_guide: 'there is no guide',
  handed_over: 'the parcel was already handed over',
  courier_refused: 'the courier had already refused to cancel',
  courier_cannot_cancel: 'this courier cannot cancel',
  too_many_tries: 'it was tried too often',
}

export const evidenceLabels = {
  look: 'A look at the courier shows it.',
  recovery: 'The ledger had lost events, so the courier was asked first. It has the guide.',
  late_answer: 'The late answer of the courier says so.',
  looks: 'Looks at the courier showed it, late enough to be certain.',
  late_refusal: 'The late answer of the courier was a refusal.',
  late_not_sent: 'It became certain that nothing had been sent.',
} as const

export function formatMoney({ amount, currency }: Money): string {
  const decimals = decimalsOf(currency)
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency}`
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function listed(words: readonly string[]): string {
  return words.length < 2
    ? (words[0] ?? 'none')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** The result of a look, as a sentence. */
export function describeLook(
  data: EventData<'GuideLookedUp'> | EventData<'CancellationLookedUp'>,
): string {
  const failure = data.failure === undefined ? '' : ` (${failureLabels[data.failure.kind]})`
  switch (data.answer) {
    case 'found':
    case 'ambiguous':
      return `The courier lists ${listed(data.guide_numbers.map((number) => `guide ${number}`))}.`
    case 'absent':
      return 'The courier lists no guide.'
    case 'inconclusive':
      return `No usable answer${failure}.`
    case 'cancelled':
      return 'The courier lists the guide as cancelled.'
    case 'standing':
      return 'The courier says the guide is still valid.'
  }
}

/** The operators' names by id. Names that must not be shown are absent. */
export type Names = ReadonlyMap<string, string>

/** Who caused an event: a description, then the ids. */
export function describeActor(
  { metadata: { actor } }: LedgerEvent,
  names: Names,
): readonly string[] {
  const { type, key_id: keyId, operator_id: operatorId, system_user: systemUser } = actor
  const key = keyId === null ? [] : [keyId]
  switch (type) {
    case 'operator': {
      const name = names.get(operatorId ?? '')
      return [name === undefined ? 'Operator' : `Operator ${name}`, operatorId ?? '', ...key]
    }
    case 'api_key':
      return ['API key of the shop', keyId ?? '']
    case 'reconciliation':
      return ['The service (reconciliation)']
    case 'poller':
      return ['The service (tracking)']
    case 'system':
      return ['The service']
    case 'cli':
      return ['Command line', ...(systemUser === undefined ? [] : [`system user ${systemUser}`])]
  }
}
