import { counted, type Language } from '../../../domain/language.ts'

/** The sentences of a summary. `guide` is a guide number, with its price if it is known. */
type SummaryTexts = {
  readonly looked: (looks: number) => string
  readonly ordered: (on: string, courier: string) => string
  readonly repeated: (on: string, attempt: number) => string
  readonly priced: (guideNumber: string, price: string) => string
  readonly confirmed: (guide: string) => string
  readonly refused: string
  readonly notSent: (reason: string) => string
  readonly outcomeUnknown: (cause: string) => string
  readonly foundByLateAnswer: (guide: string) => string
  readonly foundByLook: (guide: string) => string
  readonly notCreated: string
  readonly reviewRequired: string
  readonly resolved: (of: Resolved) => string
  readonly person: string
  readonly personWithId: (id: string) => string
  readonly contradicted: (on: string) => string
  readonly contradictedBy: (on: string, guides: string) => string
  readonly lateAnswer: string
  readonly cancellationRequested: (on: string, guideNumber: string) => string
  readonly cancelled: string
  readonly cancellationRefused: string
  readonly cancellationNotSent: (reason: string) => string
  readonly cancellationUnknown: (cause: string) => string
  readonly cancelledByLateAnswer: string
  readonly cancelledByLook: string
  readonly notCancelled: string
  readonly erased: (on: string) => string
  readonly period: (events: number, from: string, to: string) => string
}

type Resolved = {
  readonly on: string
  readonly who: string
  readonly decision: string
  readonly guideNumber: string | null
}

const english: SummaryTexts = {
  looked: (looks) =>
    `The service asked the courier ${looks === 1 ? 'once' : `${looks} times`} which guides it has.`,
  ordered: (on, courier) => `On ${on} the shop ordered a guide from courier ${courier}.`,
  repeated: (on, attempt) => `On ${on} the shop repeated the order, and attempt ${attempt} began.`,
  priced: (guideNumber, price) => `${guideNumber} for ${price}`,
  confirmed: (guide) => `The courier confirmed guide ${guide}.`,
  refused: 'The courier refused the order.',
  notSent: (reason) => `The order was not carried out: ${reason}.`,
  outcomeUnknown: (cause) =>
    `The courier's answer was lost (${cause}), so it was unknown whether a guide existed. The service did not order again.`,
  foundByLateAnswer: (guide) => `The late answer of the courier showed guide ${guide}: it exists.`,
  foundByLook: (guide) => `A look at the courier found guide ${guide}: it exists.`,
  notCreated: 'The service concluded that no guide had been created.',
  reviewRequired: 'The service could not conclude, and asked for the decision of a person.',
  resolved: ({ on, who, decision, guideNumber }) =>
    guideNumber === null
      ? `On ${on} ${who} decided: ${decision}.`
      : `On ${on} ${who} decided: ${decision}, number ${guideNumber}.`,
  person: 'a person',
  personWithId: (id) => `a person (${id})`,
  contradicted: (on) =>
    `On ${on} evidence contradicted that conclusion, and it went back to review.`,
  contradictedBy: (on, guides) =>
    `On ${on} evidence contradicted that conclusion (${guides}), and it went back to review.`,
  lateAnswer: 'A late answer of the courier was recorded as evidence.',
  cancellationRequested: (on, guideNumber) =>
    `On ${on} the shop asked to cancel guide ${guideNumber}.`,
  cancelled: 'The courier confirmed that the guide is cancelled.',
  cancellationRefused: 'The courier refused to cancel it.',
  cancellationNotSent: (reason) => `The cancellation was not carried out: ${reason}.`,
  cancellationUnknown: (cause) =>
    `The answer to the cancellation was lost (${cause}), so it was unknown whether the guide was cancelled.`,
  cancelledByLateAnswer: 'The late answer of the courier showed that the guide is cancelled.',
  cancelledByLook: 'A look at the courier showed that the guide is cancelled.',
  notCancelled: 'The service concluded that the guide was not cancelled.',
  erased: (on) => `The personal data was erased on ${on}.`,
  period: (events, from, to) => `${counted(events, 'event', 'events')}, from ${from} to ${to}`,
}

const spanish: SummaryTexts = {
  looked: (looks) =>
    `El servicio preguntó al courier ${looks === 1 ? 'una vez' : `${looks} veces`} qué guías tiene.`,
  ordered: (on, courier) => `El ${on} la tienda pidió una guía al courier ${courier}.`,
  repeated: (on, attempt) =>
    `El ${on} la tienda repitió el pedido, y comenzó el intento ${attempt}.`,
  priced: (guideNumber, price) => `${guideNumber} por ${price}`,
  confirmed: (guide) => `El courier confirmó la guía ${guide}.`,
  refused: 'El courier rechazó el pedido.',
  notSent: (reason) => `El pedido no se llevó a cabo: ${reason}.`,
  outcomeUnknown: (cause) =>
    `La respuesta del courier se perdió (${cause}), así que no se sabía si existía una guía. El servicio no volvió a pedirla.`,
  foundByLateAnswer: (guide) =>
    `La respuesta tardía del courier mostró la guía ${guide}: la guía existe.`,
  foundByLook: (guide) => `Una consulta al courier encontró la guía ${guide}: la guía existe.`,
  notCreated: 'El servicio concluyó que no se había creado ninguna guía.',
  reviewRequired: 'El servicio no pudo llegar a una conclusión y pidió que decidiera una persona.',
  resolved: ({ on, who, decision, guideNumber }) =>
    guideNumber === null
      ? `El ${on} ${who} decidió: ${decision}.`
      : `El ${on} ${who} decidió: ${decision}, con el número ${guideNumber}.`,
  person: 'una persona',
  personWithId: (id) => `una persona (${id})`,
  contradicted: (on) =>
    `El ${on} la evidencia contradijo esa conclusión, y el caso volvió a revisión.`,
  contradictedBy: (on, guides) =>
    `El ${on} la evidencia contradijo esa conclusión (${guides}), y el caso volvió a revisión.`,
  lateAnswer: 'Una respuesta tardía del courier se registró como evidencia.',
  cancellationRequested: (on, guideNumber) =>
    `El ${on} la tienda pidió anular la guía ${guideNumber}.`,
  cancelled: 'El courier confirmó que la guía está anulada.',
  cancellationRefused: 'El courier se negó a anularla.',
  cancellationNotSent: (reason) => `La anulación no se llevó a cabo: ${reason}.`,
  cancellationUnknown: (cause) =>
    `La respuesta a la anulación se perdió (${cause}), así que no se sabía si la guía estaba anulada.`,
  cancelledByLateAnswer: 'La respuesta tardía del courier mostró que la guía está anulada.',
  cancelledByLook: 'Una consulta al courier mostró que la guía está anulada.',
  notCancelled: 'El servicio concluyó que la guía no fue anulada.',
  erased: (on) => `Los datos personales se borraron el ${on}.`,
  period: (events, from, to) => `${counted(events, 'evento', 'eventos')}, del ${from} al ${to}`,
}

export const summaryTexts: Readonly<Record<Language, SummaryTexts>> = { en: english, es: spanish }
