import { formatMoney } from '../../../domain/currency.ts'
import { instant, type JsonObject } from '../../../domain/decider.ts'
import { counted, listed } from '../../../domain/language.ts'
import type { EventData } from '../../../domain/shipment/shipment-events.ts'
import { type Describers, textsIn } from './descriptions.ts'
import { describeLook, eventLabels } from './event-labels.ts'
import type { Times } from './times.ts'

const labels = eventLabels.es

export const spanishDescriptions: Describers = {
  ShipmentRequested: (data) => ({
    what: `La tienda pide una guía del courier ${data.provider_code}, con la referencia externa “${data.external_reference}”.`,
    why: `Clave de idempotencia “${data.idempotency_key}”: la misma clave nunca lleva a un segundo pedido.`,
  }),
  GuideRequested: (data, { times }) => ({
    what: `Comienza el intento ${data.attempt} de crear la guía. Se registra antes de enviar nada.`,
    why: `Operación ${data.operation_id}. No se envía nada después de ${times.local(instant(data.call_deadline))}.`,
  }),
  GuideIssued: (data) => ({
    what: `El courier confirma la guía ${data.guide_number}${priced(data.price)}.`,
    why: 'Su respuesta a la solicitud.',
  }),
  GuideRejected: (data, { kept }) => ({
    what: 'El courier rechaza la solicitud. No se crea ninguna guía.',
    why: `${newPrice(data)}${courierText(kept(data.detail_ref))}`,
  }),
  GuideNotSent: (data) => ({
    what: 'La solicitud no se llevó a cabo: no se creó nada.',
    why: notSent(data.reason),
  }),
  GuideOutcomeUnknown: (data) => ({
    what: `El resultado es incierto: ${labels.causes[data.cause]}. La guía podría existir.`,
    why: askable(data.courier_can_be_asked),
  }),
  GuideLookedUp: (data) => ({
    what: `Se pregunta al courier qué guías tiene con nuestra referencia. ${describeLook(data, 'es')}`,
    why: `${askedBy(data.by)}${weight(data.answer, 'absent', data.counted)}${confirmation(data.confirms)}`,
  }),
  GuideFound: (data) => ({
    what: `Conclusión: la guía ${data.guide_number} existe${priced(data.price, ',')}.`,
    why: labels.evidence[data.evidence],
  }),
  GuideNotCreated: (data, { kept }) => ({
    what: 'Conclusión: no se creó ninguna guía.',
    why: `${labels.evidence[data.evidence]} ${newPrice(data)}${courierText(kept(data.detail_ref))}`,
  }),
  OperationReviewRequired: (data) => ({
    what: `Una persona debe decidir.${seen(data.guide_numbers)}`,
    why: labels.reviews[data.because],
  }),
  OperationEscalated: (data) => ({
    what: 'Desde ahora los operadores del servicio pueden ver la operación.',
    why: `La operación ${data.operation_id} necesita a una persona, o lleva una hora abierta.`,
  }),
  OperationResolved: (data, { kept }) => ({
    what: `Decisión de una persona: ${labels.decisions[data.decision]}${data.guide_number === null ? '' : `, con el número ${data.guide_number}`}${priced(data.price)}.`,
    why: `${confirmed(data.confirmed)}${note(kept(data.resolution_ref))}`,
  }),
  OperationAssigned: (data) => ({
    what:
      data.operator_id === null
        ? 'La operación ya no tiene responsable.'
        : `La operación se asigna al operador ${data.operator_id}.`,
    why: '',
  }),
  OperationCommented: (data, { kept }) => {
    const text = textsIn(kept(data.comment_ref))
    return {
      what: 'Una persona escribe un comentario sobre la operación.',
      why: text === '' ? '' : `Comentario: “${text}”`,
    }
  },
  OperationSnoozed: (data, { times }) => ({
    what:
      data.until === null
        ? 'La operación ya no está pospuesta.'
        : `Una persona pospone la operación hasta ${times.brief(instant(data.until))}.`,
    why: 'La conciliación continúa como antes.',
  }),
  OperationContradicted: (data) => ({
    what: `La conclusión queda contradicha: vuelve a revisión.${seen(data.guide_numbers)}`,
    why: labels.evidence[data.evidence],
  }),
  LateAnswerRecorded: (data, { kept }) => ({
    what: `Una respuesta tardía del courier al intento ${data.attempt}: ${labels.lateAnswers[data.answer]}${data.guide_number === null ? '' : `, guía ${data.guide_number}`}. No cambia ninguna conclusión.`,
    why: `${confirmation(data.confirms)}${courierText(kept(data.detail_ref))}`,
  }),
  TrackingObserved: (data, { times }) => ({
    what: `El seguimiento del courier muestra ${counted(data.events.length, 'escaneo nuevo', 'escaneos nuevos')}${lastScan(data, times)}.`,
    why: earlierScans(data),
  }),
  TrackingMonitoringChanged: (data) => ({ what: labels.monitoring[data.state], why: '' }),
  GuideShared: (data) => ({
    what: `El envío ${data.shipment_id} de la misma conexión tiene la misma guía ${data.guide_number}.`,
    why: 'Los escaneos y las facturas de la guía pueden referirse a cualquiera de los dos.',
  }),
  LabelReady: (data) => ({
    what: `La etiqueta se descarga del courier y se guarda (${counted(data.size_bytes, 'byte', 'bytes')}).`,
    why: '',
  }),
  PersonalDataErased: (data) => ({
    what:
      data.includes_notes === true
        ? 'Los datos personales, las notas de las decisiones y los comentarios se borran definitivamente.'
        : 'Los datos personales se borran definitivamente. Se conservan las notas de las decisiones y los comentarios.',
    why: '',
  }),
  LegalHoldPlaced: (data, { kept }) => ({
    what: 'Se impone una retención legal: los datos personales no se pueden borrar.',
    why: note(kept(data.note_ref)),
  }),
  LegalHoldLifted: (data, { kept }) => ({
    what: 'Se levanta la retención legal.',
    why: note(kept(data.note_ref)),
  }),
  TrackingLinkRolled: () => ({
    what: 'Se reemplaza el enlace a la página del destinatario: el anterior ya no lleva a nada.',
    why: '',
  }),
  CancellationRequested: (data, { times }) => ({
    what: `La tienda pide anular la guía ${data.guide_number}: intento ${data.attempt}. Se registra antes de enviar nada.`,
    why: `Operación ${data.operation_id}. No se envía nada después de ${times.local(instant(data.call_deadline))}.`,
  }),
  GuideCancelled: () => ({
    what: 'El courier confirma que la guía está anulada.',
    why: 'Su respuesta a la solicitud.',
  }),
  CancellationRefused: (data, { kept }) => ({
    what: 'El courier se niega a anular. La guía sigue vigente.',
    why: courierText(kept(data.detail_ref)),
  }),
  CancellationNotSent: (data) => ({
    what: 'La solicitud no se llevó a cabo: no se anuló nada.',
    why: notSent(data.reason),
  }),
  CancellationOutcomeUnknown: (data) => ({
    what: `El resultado es incierto: ${labels.causes[data.cause]}. La guía podría estar anulada.`,
    why: askable(data.courier_can_be_asked),
  }),
  CancellationLookedUp: (data) => ({
    what: `Se pregunta al courier si la guía sigue vigente. ${describeLook(data, 'es')}`,
    why: `${askedBy(data.by)}${weight(data.answer, 'standing', data.counted)}`,
  }),
  CancellationFound: (data) => ({
    what: 'Conclusión: la guía está anulada.',
    why: labels.evidence[data.evidence],
  }),
  GuideNotCancelled: (data, { kept }) => ({
    what: 'Conclusión: la guía no fue anulada y sigue vigente.',
    why: `${labels.evidence[data.evidence]} ${courierText(kept(data.detail_ref))}`,
  }),
  CancellationDeclined: (data) => ({
    what: `Una solicitud de anular se rechaza sin preguntar al courier: ${labels.declines[data.because]}.`,
    why: `Clave de idempotencia “${data.idempotency_key}”.`,
  }),
}

function priced(
  price: { readonly amount: number; readonly currency: string } | null,
  before = '',
): string {
  return price === null ? '' : `${before} por ${formatMoney(price, 'es')}`
}

function notSent(reason: keyof typeof labels.notSent): string {
  const text = labels.notSent[reason]
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function askable(canBeAsked: boolean): string {
  return canBeAsked ? 'Se puede preguntar al courier.' : 'No se puede preguntar al courier.'
}

function askedBy(by: 'reconciliation' | 'operator'): string {
  return by === 'operator' ? 'Un operador pidió esta consulta. ' : ''
}

/** Only an answer that nothing happened must be late enough to count. */
function weight(answer: string, denial: string, isCounted: boolean): string {
  if (answer !== denial) return ''
  return isCounted
    ? 'Lo bastante tarde para contar.'
    : 'Demasiado pronto para contar: todavía puede cambiar.'
}

function seen(guideNumbers: readonly string[]): string {
  return guideNumbers.length === 0 ? '' : ` Guías en la evidencia: ${listed(guideNumbers, 'es')}.`
}

function confirmed(isConfirmed: boolean | undefined): string {
  if (isConfirmed === undefined) return ''
  return isConfirmed
    ? 'El courier había informado esta guía. '
    : 'El courier no había informado esta guía. '
}

function confirmation(confirms: object | undefined): string {
  return confirms === undefined ? '' : ' Confirma la guía de la decisión.'
}

type Refusal = EventData<'GuideRejected'> | EventData<'GuideNotCreated'>

function newPrice({ price_changed: change }: Refusal): string {
  if (change === undefined) return ''
  return change.to === null
    ? 'El precio cotizado ya no es válido. '
    : `El precio cotizado ya no es válido: ahora es ${formatMoney(change.to, 'es')}. `
}

function lastScan({ events }: EventData<'TrackingObserved'>, times: Times): string {
  const last = events.at(-1)
  return last === undefined
    ? ''
    : `, el último “${last.code}” el ${times.brief(instant(last.occurred_at))}`
}

function earlierScans({ events }: EventData<'TrackingObserved'>): string {
  const { length } = events.filter((scan) => scan.earlier_parcel)
  if (length === 0) return ''
  return length === 1
    ? 'Se ignora 1 escaneo anterior al envío: un paquete anterior tenía el mismo número de guía.'
    : `Se ignoran ${length} escaneos anteriores al envío: un paquete anterior tenía el mismo número de guía.`
}

function courierText(content: JsonObject | null): string {
  const text = textsIn(content)
  return text === '' ? '' : `Palabras del courier: “${text}”`
}

function note(content: JsonObject | null): string {
  const { decided_by: decidedBy, note: text } = content ?? {}
  const by = typeof decidedBy === 'string' ? ` (${decidedBy})` : ''
  return typeof text === 'string' ? `Nota${by}: “${text}”` : ''
}
