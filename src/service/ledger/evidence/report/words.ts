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

/* What codes mean, in plain English. Each is a part of a sentence unless it ends with a full stop. */

export const causeWords: Readonly<Record<Cause, string>> = {
  response_lost: 'the connection was lost before the answer was complete',
  response_unreadable: 'the answer could not be read',
  courier_error: 'the courier reported an error of its own',
  deadline_passed: 'no answer came in the time allowed',
  process_died: 'the service was interrupted during the call',
}

export const notSentWords: Readonly<Record<NotSentReason, string>> = {
  courier_unreachable: 'the courier could not be reached',
  courier_throttled: 'the courier asked to slow down',
  connection_needs_reauth: 'the courier did not accept the credentials',
  too_late: 'the time in which it could be sent had passed',
}

export const failureWords: Readonly<
  Record<NonNullable<Exchange['failure']> | LookFailure, string>
> = {
  courier_unreachable: 'courier not reachable',
  courier_throttled: 'courier asked to slow down',
  connection_needs_reauth: 'credentials not accepted',
  courier_rejected: 'refused',
  too_late: 'too late to send',
  response_lost: 'answer lost',
  response_unreadable: 'answer not readable',
  courier_error: 'error of the courier',
  deadline_passed: 'no answer in time',
}

export const decisionWords: Readonly<Record<OperationDecision, string>> = {
  guide_exists: 'the guide exists',
  nothing_created: 'nothing was created',
  cancelled: 'the guide is cancelled',
  not_cancelled: 'the guide was not cancelled',
}

export const statusWords: Readonly<Record<ShipmentStatus, string>> = {
  creating: 'the guide is being created',
  created: 'the shipment has a guide',
  rejected: 'the courier refused it and there is no guide',
  not_executed: 'nothing was sent and there is no guide',
  unknown_outcome: 'it is not known whether a guide exists',
  not_created: 'it was concluded that no guide was created',
  cancelling: 'a cancellation has no certain outcome yet',
  cancelled: 'the guide is cancelled',
}

export const monitoringWords: Readonly<Record<MonitoringState, string>> = {
  active: 'The service reads the tracking of the courier.',
  unreachable: 'The tracking of the courier could not be read for a long time.',
  completed: 'Tracking is complete.',
  expired: 'The service stopped reading the tracking.',
}

export const declineWords: Readonly<Record<DeclineReason, string>> = {
  no_guide: 'there is no guide',
  handed_over: 'the parcel was already handed over',
  courier_refused: 'the courier had already refused to cancel',
  courier_cannot_cancel: 'this courier cannot cancel',
  too_many_tries: 'it was tried too often',
}

export const evidenceWords = {
  look: 'A look at the courier shows it.',
  recovery: 'The ledger had lost events, so the courier was asked first. It has the guide.',
  late_answer: 'The answer of the courier arrived late, and says so.',
  looks: 'Looks at the courier showed it, late enough to be certain.',
  late_refusal: 'The answer of the courier arrived late: it had refused.',
  late_not_sent: 'It became certain that nothing had been sent.',
} as const

export function moneyWords({ amount, currency }: Money): string {
  const decimals = decimalsOf(currency)
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency}`
}

/** Of the minor unit. An event may hold any three characters. */
function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function listed(words: readonly string[]): string {
  return words.length < 2
    ? (words[0] ?? 'none')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** What a look saw, as a sentence. */
export function lookWords(
  data: EventData<'GuideLookedUp'> | EventData<'CancellationLookedUp'>,
): string {
  const failure = data.failure === undefined ? '' : ` (${failureWords[data.failure.kind]})`
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

/** Operators' names by id; a name that may not be shown is absent. */
export type Names = ReadonlyMap<string, string>

/** Who caused an event: a few words, and then the ids. */
export function actorWords({ metadata: { actor } }: LedgerEvent, names: Names): readonly string[] {
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
