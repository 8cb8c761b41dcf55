import type { Cause, Exchange, LookFailure, NotSentReason } from '../../../domain/event-fields.ts'
import { type Language, listed } from '../../../domain/language.ts'
import type { DeclineReason } from '../../../domain/operation/cancellation-events.ts'
import { reviewTexts } from '../../../domain/operation/operation-to-api.ts'
import type { ShipmentStatus } from '../../../domain/shipment/shipment.ts'
import type {
  EventData,
  MonitoringState,
  OperationDecision,
} from '../../../domain/shipment/shipment-events.ts'
import type { LedgerEvent } from '../../../event-store/codec.ts'

type Failure = NonNullable<Exchange['failure']> | LookFailure
type Evidence =
  | EventData<'GuideFound'>['evidence']
  | EventData<'GuideNotCreated'>['evidence']
  | EventData<'CancellationFound'>['evidence']
  | EventData<'GuideNotCancelled'>['evidence']
  | EventData<'OperationContradicted'>['evidence']
type Of<Code extends string> = Readonly<Record<Code, string>>

/** Codes in words. Each text is a part of a sentence unless it ends with a full stop. */
type EventLabels = {
  readonly causes: Of<Cause>
  readonly notSent: Of<NotSentReason>
  readonly failures: Of<Failure>
  readonly decisions: Of<OperationDecision>
  readonly statuses: Of<ShipmentStatus>
  readonly monitoring: Of<MonitoringState>
  readonly declines: Of<DeclineReason>
  readonly evidence: Of<Evidence>
  readonly reviews: Of<keyof typeof reviewTexts>
  readonly lateAnswers: Of<EventData<'LateAnswerRecorded'>['answer']>
  readonly look: LookTexts
  readonly actor: ActorTexts
}

/** The results of a look, as sentences. */
type LookTexts = {
  readonly listsGuides: (numbers: readonly string[]) => string
  readonly noGuide: string
  readonly noUsableAnswer: string
  readonly noUsableAnswerFor: (failure: string) => string
  readonly cancelled: string
  readonly standing: string
}

type ActorTexts = {
  readonly operator: string
  readonly namedOperator: (name: string) => string
  readonly apiKey: string
  readonly reconciliation: string
  readonly poller: string
  readonly system: string
  readonly cli: string
  readonly systemUser: (name: string) => string
}

const english: EventLabels = {
  causes: {
    response_lost: 'the connection was lost before the answer was complete',
    response_unreadable: 'the answer could not be read',
    courier_error: 'the courier reported an internal error',
    deadline_passed: 'no answer came in the time allowed',
    process_died: 'the service was interrupted during the call',
  },
  notSent: {
    courier_unreachable: 'the courier could not be reached',
    courier_throttled: 'the courier asked to slow down',
    connection_needs_reauth: 'the courier did not accept the credentials',
    too_late: 'it was too late to send it',
  },
  failures: {
    courier_unreachable: 'courier not reachable',
    courier_throttled: 'courier asked to slow down',
    connection_needs_reauth: 'credentials not accepted',
    courier_rejected: 'refused',
    too_late: 'too late to send',
    response_lost: 'answer lost',
    response_unreadable: 'answer not readable',
    courier_error: 'courier error',
    deadline_passed: 'no answer in time',
  },
  decisions: {
    guide_exists: 'the guide exists',
    nothing_created: 'nothing was created',
    cancelled: 'the guide is cancelled',
    not_cancelled: 'the guide was not cancelled',
  },
  statuses: {
    creating: 'the guide is being created',
    created: 'the shipment has a guide',
    rejected: 'the courier refused it and there is no guide',
    not_executed: 'nothing was sent and there is no guide',
    unknown_outcome: 'it is not known whether a guide exists',
    not_created: 'it was concluded that no guide was created',
    cancelling: 'the outcome of a cancellation is not known yet',
    cancelled: 'the guide is cancelled',
  },
  monitoring: {
    active: 'The service reads the tracking of the courier.',
    unreachable: 'The tracking of the courier could not be read for a long time.',
    completed: 'Tracking is complete.',
    expired: 'The service stopped reading the tracking.',
  },
  declines: {
    no_guide: 'there is no guide',
    handed_over: 'the parcel was already handed over',
    courier_refused: 'the courier had already refused to cancel',
    courier_cannot_cancel: 'this courier cannot cancel',
    too_many_tries: 'it was tried too often',
  },
  evidence: {
    look: 'A look at the courier shows it.',
    recovery: 'The ledger had lost events, so the courier was asked first. It has the guide.',
    late_answer: 'The late answer of the courier says so.',
    looks: 'Looks at the courier showed it, late enough to be certain.',
    late_refusal: 'The late answer of the courier was a refusal.',
    late_not_sent: 'It became certain that nothing had been sent.',
  },
  reviews: reviewTexts,
  lateAnswers: {
    issued: 'it had created the guide',
    rejected: 'it had refused',
    not_sent: 'nothing had been sent',
    cancelled: 'it had cancelled the guide',
  },
  look: {
    listsGuides: (numbers) =>
      `The courier lists ${listed(
        numbers.map((number) => `guide ${number}`),
        'en',
      )}.`,
    noGuide: 'The courier lists no guide.',
    noUsableAnswer: 'No usable answer.',
    noUsableAnswerFor: (failure) => `No usable answer (${failure}).`,
    cancelled: 'The courier lists the guide as cancelled.',
    standing: 'The courier says the guide is still valid.',
  },
  actor: {
    operator: 'Operator',
    namedOperator: (name) => `Operator ${name}`,
    apiKey: 'API key of the shop',
    reconciliation: 'The service (reconciliation)',
    poller: 'The service (tracking)',
    system: 'The service',
    cli: 'Command line',
    systemUser: (name) => `system user ${name}`,
  },
}

const spanish: EventLabels = {
  causes: {
    response_lost: 'la conexión se perdió antes de que la respuesta estuviera completa',
    response_unreadable: 'la respuesta no se pudo leer',
    courier_error: 'el courier informó un error interno',
    deadline_passed: 'no llegó ninguna respuesta en el tiempo permitido',
    process_died: 'el servicio se interrumpió durante la llamada',
  },
  notSent: {
    courier_unreachable: 'no se pudo contactar al courier',
    courier_throttled: 'el courier pidió enviar más despacio',
    connection_needs_reauth: 'el courier no aceptó las credenciales',
    too_late: 'era demasiado tarde para enviarla',
  },
  failures: {
    courier_unreachable: 'courier inaccesible',
    courier_throttled: 'el courier pidió enviar más despacio',
    connection_needs_reauth: 'credenciales no aceptadas',
    courier_rejected: 'rechazada',
    too_late: 'demasiado tarde para enviarla',
    response_lost: 'respuesta perdida',
    response_unreadable: 'respuesta ilegible',
    courier_error: 'error del courier',
    deadline_passed: 'sin respuesta a tiempo',
  },
  decisions: {
    guide_exists: 'la guía existe',
    nothing_created: 'no se creó nada',
    cancelled: 'la guía está anulada',
    not_cancelled: 'la guía no fue anulada',
  },
  statuses: {
    creating: 'la guía se está creando',
    created: 'el envío tiene una guía',
    rejected: 'el courier lo rechazó y no hay guía',
    not_executed: 'no se envió nada y no hay guía',
    unknown_outcome: 'no se sabe si existe una guía',
    not_created: 'se concluyó que no se creó ninguna guía',
    cancelling: 'todavía no se sabe el resultado de una anulación',
    cancelled: 'la guía está anulada',
  },
  monitoring: {
    active: 'El servicio lee el seguimiento del courier.',
    unreachable: 'Durante mucho tiempo no se pudo leer el seguimiento del courier.',
    completed: 'El seguimiento está completo.',
    expired: 'El servicio dejó de leer el seguimiento.',
  },
  declines: {
    no_guide: 'no hay guía',
    handed_over: 'el paquete ya había sido entregado al courier',
    courier_refused: 'el courier ya se había negado a anular',
    courier_cannot_cancel: 'este courier no puede anular',
    too_many_tries: 'se intentó demasiadas veces',
  },
  evidence: {
    look: 'Una consulta al courier lo muestra.',
    recovery:
      'El registro había perdido eventos, así que primero se preguntó al courier. Tiene la guía.',
    late_answer: 'Lo dice la respuesta tardía del courier.',
    looks: 'Consultas al courier lo mostraron, lo bastante tarde para tener certeza.',
    late_refusal: 'La respuesta tardía del courier fue un rechazo.',
    late_not_sent: 'Se supo con certeza que no se había enviado nada.',
  },
  reviews: {
    ambiguous: 'El courier muestra más de una guía con nuestra referencia.',
    courier_cannot_be_asked: 'No se puede preguntar al courier por el resultado de la llamada.',
    deadline_passed: 'Ninguna consulta tuvo una respuesta clara antes del plazo.',
    contradicted: 'La evidencia contradijo la conclusión.',
  },
  lateAnswers: {
    issued: 'había creado la guía',
    rejected: 'había rechazado la solicitud',
    not_sent: 'no se había enviado nada',
    cancelled: 'había anulado la guía',
  },
  look: {
    listsGuides: (numbers) =>
      `El courier muestra ${listed(
        numbers.map((number) => `la guía ${number}`),
        'es',
      )}.`,
    noGuide: 'El courier no muestra ninguna guía.',
    noUsableAnswer: 'Sin respuesta utilizable.',
    noUsableAnswerFor: (failure) => `Sin respuesta utilizable (${failure}).`,
    cancelled: 'El courier muestra la guía como anulada.',
    standing: 'El courier dice que la guía sigue vigente.',
  },
  actor: {
    operator: 'Operador',
    namedOperator: (name) => `Operador ${name}`,
    apiKey: 'Clave de API de la tienda',
    reconciliation: 'El servicio (conciliación)',
    poller: 'El servicio (seguimiento)',
    system: 'El servicio',
    cli: 'Línea de comandos',
    systemUser: (name) => `usuario del sistema ${name}`,
  },
}

export const eventLabels: Readonly<Record<Language, EventLabels>> = { en: english, es: spanish }

/** The result of a look, as a sentence. */
export function describeLook(
  data: EventData<'GuideLookedUp'> | EventData<'CancellationLookedUp'>,
  language: Language,
): string {
  const { look, failures } = eventLabels[language]
  switch (data.answer) {
    case 'found':
    case 'ambiguous':
      return look.listsGuides(data.guide_numbers)
    case 'absent':
      return look.noGuide
    case 'inconclusive':
      return data.failure === undefined
        ? look.noUsableAnswer
        : look.noUsableAnswerFor(failures[data.failure.kind])
    case 'cancelled':
      return look.cancelled
    case 'standing':
      return look.standing
  }
}

/** The operators' names by id. Names that must not be shown are absent. */
export type Names = ReadonlyMap<string, string>

/** Who caused an event: a description, then the ids. */
export function describeActor(
  { metadata: { actor } }: LedgerEvent,
  names: Names,
  language: Language,
): readonly string[] {
  const texts = eventLabels[language].actor
  const { type, key_id: keyId, operator_id: operatorId, system_user: systemUser } = actor
  const key = keyId === null ? [] : [keyId]
  switch (type) {
    case 'operator': {
      const name = names.get(operatorId ?? '')
      const who = name === undefined ? texts.operator : texts.namedOperator(name)
      return [who, operatorId ?? '', ...key]
    }
    case 'api_key':
      return [texts.apiKey, keyId ?? '']
    case 'reconciliation':
      return [texts.reconciliation]
    case 'poller':
      return [texts.poller]
    case 'system':
      return [texts.system]
    case 'cli':
      return [texts.cli, ...(systemUser === undefined ? [] : [texts.systemUser(systemUser)])]
  }
}
