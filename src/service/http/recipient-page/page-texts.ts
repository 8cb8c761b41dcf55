import type { Language } from '../../domain/language.ts'
import type { trackingCodes } from '../../domain/tracking/tracking.ts'

/** What the person who waits is told about the parcel. */
export const situations = [
  'unconfirmed',
  'registered',
  'received_at_origin',
  'in_transit',
  'arrived_at_destination',
  'ready_for_pickup',
  'out_for_delivery',
  'delivery_attempted',
  'delivered',
  'collected',
  'returning',
  'returned',
  'lost',
  'cancelled',
] as const
export type Situation = (typeof situations)[number]

/** What is wrong with the parcel: the codes of tracking that raise an exception. */
export const troubles = [
  'held',
  'damaged',
  'missing',
  'misrouted',
  'documents_required',
  'delayed',
] as const
export type Trouble = (typeof troubles)[number]

type Of<Code extends string> = Readonly<Record<Code, string>>
export type Told = { readonly title: string; readonly text: string }

export type PageTexts = {
  readonly situations: Readonly<Record<Situation, Told>>
  readonly troubles: Readonly<Record<Trouble, Told>>
  readonly askShop: string
  readonly cancelling: string
  readonly outOfDate: string
  readonly expected: (day: string) => string
  readonly agency: string
  readonly bring: string
  readonly timeline: string
  readonly noNews: string
  readonly timesIn: string
  readonly scans: Of<keyof typeof trackingCodes>
  readonly registeredByShop: string
  /** What stands before and after the name of the shop. */
  readonly support: readonly [string, string]
  readonly write: string
  readonly call: string
  readonly visit: string
  readonly sandbox: string
  readonly sender: string
  readonly about: string
  readonly otherLanguage: string
  readonly message: {
    readonly unknown: Told
    readonly erased: Told
    readonly tooMany: Told
    readonly away: Told
  }
}

const spanish: PageTexts = {
  situations: {
    unconfirmed: {
      title: 'Estamos confirmando su envío',
      text: 'El courier todavía no confirmó este envío. No tiene que hacer nada: vuelva a mirar en unas horas.',
    },
    registered: {
      title: 'La tienda registró su envío',
      text: 'El courier aún no recibió el paquete. Aquí verá cada novedad.',
    },
    received_at_origin: {
      title: 'El courier recibió su paquete',
      text: 'Está en la agencia de origen y saldrá pronto.',
    },
    in_transit: { title: 'Su paquete está en camino', text: 'Va hacia la agencia de destino.' },
    arrived_at_destination: {
      title: 'Su paquete llegó a la ciudad de destino',
      text: 'La agencia lo está preparando. Espere a que figure como listo para recoger.',
    },
    ready_for_pickup: {
      title: 'Su paquete está listo para recoger',
      text: 'Ya puede recogerlo en la agencia.',
    },
    out_for_delivery: {
      title: 'Su paquete salió a reparto',
      text: 'El courier va a entregarlo hoy o el próximo día hábil.',
    },
    delivery_attempted: {
      title: 'El courier intentó entregar su paquete',
      text: 'No pudo entregarlo. Si no vuelve a intentarlo, consulte a la tienda.',
    },
    delivered: {
      title: 'Su paquete fue entregado',
      text: 'Si usted no lo recibió, consulte a la tienda.',
    },
    collected: {
      title: 'Su paquete fue recogido',
      text: 'Alguien lo recogió en la agencia. Si no fue usted, consulte a la tienda.',
    },
    returning: {
      title: 'Su paquete vuelve a la tienda',
      text: 'No se entregó a tiempo. Consulte a la tienda cómo continuar.',
    },
    returned: {
      title: 'Su paquete volvió a la tienda',
      text: 'Ya no se puede recoger. Consulte a la tienda cómo continuar.',
    },
    lost: {
      title: 'El courier no encuentra su paquete',
      text: 'Lo declaró perdido. La tienda puede ayudarle.',
    },
    cancelled: {
      title: 'Este envío fue anulado',
      text: 'La tienda lo anuló. Si todavía espera un paquete, consulte a la tienda.',
    },
  },
  troubles: {
    held: {
      title: 'El courier retiene su paquete',
      text: 'Por ahora no avanza. Aquí verá cuándo continúa.',
    },
    damaged: {
      title: 'Su paquete tiene daños',
      text: 'El courier lo informó. La tienda puede ayudarle.',
    },
    missing: {
      title: 'El courier busca su paquete',
      text: 'No está donde se esperaba. Si no aparece, la tienda puede ayudarle.',
    },
    misrouted: {
      title: 'Su paquete tomó una ruta equivocada',
      text: 'El courier lo está corrigiendo.',
    },
    documents_required: {
      title: 'Faltan documentos para su paquete',
      text: 'Sin ellos no puede continuar. La tienda puede ayudarle.',
    },
    delayed: {
      title: 'Su paquete tiene un retraso',
      text: 'El courier lo informó. Aquí verá cada novedad.',
    },
  },
  askShop: 'Hace falta que alguien actúe: consulte a la tienda.',
  cancelling: 'La tienda pidió anular este envío y el courier aún no lo confirma.',
  outOfDate: 'El courier no informa desde hace tiempo: el paquete puede haber avanzado más.',
  expected: (day) => `Llegada prevista: ${day}`,
  agency: 'Agencia donde se recoge',
  bring: 'Lleve su documento de identidad y el código de recojo que le dio la tienda.',
  timeline: 'Recorrido',
  noNews: 'Todavía no hay novedades del courier.',
  timesIn: 'Las horas son de Perú.',
  scans: {
    registered: 'Guía registrada',
    received_at_origin: 'Recibido en la agencia de origen',
    in_transit: 'En camino',
    departed_origin: 'Salió de la agencia de origen',
    arrived_at_hub: 'Llegó a un centro de distribución',
    departed_hub: 'Salió de un centro de distribución',
    arrived_at_destination: 'Llegó a la agencia de destino',
    ready_for_pickup: 'Listo para recoger',
    reminder_sent: 'El courier envió un recordatorio',
    last_notice: 'El courier envió el último aviso',
    out_for_delivery: 'Salió a reparto',
    delivery_attempted: 'Intento de entrega',
    delivered: 'Entregado',
    collected: 'Recogido en la agencia',
    not_collected: 'No se recogió a tiempo',
    returning: 'Vuelve a la tienda',
    returned: 'Volvió a la tienda',
    lost: 'Declarado perdido por el courier',
    found: 'Encontrado',
    cancelled: 'Envío anulado',
    delivery_reversed: 'Se corrigió una entrega',
    held: 'Retenido',
    damaged: 'Con daños',
    missing: 'No está donde se esperaba',
    misrouted: 'Tomó una ruta equivocada',
    documents_required: 'Faltan documentos',
    delayed: 'Con retraso',
    released: 'Puede continuar',
    unmapped: 'El courier informó una novedad',
  },
  registeredByShop: 'La tienda registró el envío',
  support: ['¿Tiene una pregunta?', 'puede ayudarle.'],
  write: 'Escribir a',
  call: 'Llamar al',
  visit: 'Ayuda en',
  sandbox: 'Prueba: este paquete no existe.',
  sender: 'Envío de',
  about:
    'Esta página muestra lo que el courier informa a la tienda. Quien tiene el enlace puede verla.',
  otherLanguage: 'English',
  message: {
    unknown: {
      title: 'Este enlace no lleva a ningún envío',
      text: 'Revise que esté completo o pida a la tienda un enlace nuevo.',
    },
    erased: {
      title: 'Este envío ya no se muestra',
      text: 'Sus datos fueron borrados. Si tiene una pregunta, consulte a la tienda.',
    },
    tooMany: {
      title: 'Demasiadas consultas',
      text: 'Espere un minuto y vuelva a abrir el enlace.',
    },
    away: {
      title: 'La página no está disponible ahora',
      text: 'Vuelva a abrir el enlace en unos minutos. Su paquete sigue su camino.',
    },
  },
}

const english: PageTexts = {
  situations: {
    unconfirmed: {
      title: 'We are confirming your shipment',
      text: 'The courier has not confirmed it yet. There is nothing that you need to do: look again in a few hours.',
    },
    registered: {
      title: 'The shop registered your shipment',
      text: 'The courier has not received the parcel yet. Every update will appear here.',
    },
    received_at_origin: {
      title: 'The courier has your parcel',
      text: 'It is at the origin agency and will leave soon.',
    },
    in_transit: {
      title: 'Your parcel is on its way',
      text: 'It is going to the destination agency.',
    },
    arrived_at_destination: {
      title: 'Your parcel is in the destination city',
      text: 'The agency is preparing it. Wait until it is shown as ready to collect.',
    },
    ready_for_pickup: {
      title: 'Your parcel is ready to collect',
      text: 'You can collect it at the agency.',
    },
    out_for_delivery: {
      title: 'Your parcel is out for delivery',
      text: 'The courier will deliver it today or on the next working day.',
    },
    delivery_attempted: {
      title: 'The courier tried to deliver your parcel',
      text: 'It could not be delivered. If nobody tries again, ask the shop.',
    },
    delivered: {
      title: 'Your parcel was delivered',
      text: 'If you did not receive it, ask the shop.',
    },
    collected: {
      title: 'Your parcel was collected',
      text: 'Someone collected it at the agency. If it was not you, ask the shop.',
    },
    returning: {
      title: 'Your parcel is going back to the shop',
      text: 'It was not handed over in time. Ask the shop what happens next.',
    },
    returned: {
      title: 'Your parcel is back at the shop',
      text: 'It can no longer be collected. Ask the shop what happens next.',
    },
    lost: {
      title: 'The courier cannot find your parcel',
      text: 'It was declared lost. The shop can help you.',
    },
    cancelled: {
      title: 'This shipment was cancelled',
      text: 'The shop cancelled it. If you still expect a parcel, ask the shop.',
    },
  },
  troubles: {
    held: {
      title: 'The courier is holding your parcel',
      text: 'It is not moving for now. You will see here when it goes on.',
    },
    damaged: {
      title: 'Your parcel is damaged',
      text: 'The courier reported it. The shop can help you.',
    },
    missing: {
      title: 'The courier is looking for your parcel',
      text: 'It is not where it was expected. If it is not found, the shop can help you.',
    },
    misrouted: {
      title: 'Your parcel went the wrong way',
      text: 'The courier is correcting that.',
    },
    documents_required: {
      title: 'Documents are missing for your parcel',
      text: 'It cannot go on without them. The shop can help you.',
    },
    delayed: {
      title: 'Your parcel is delayed',
      text: 'The courier reported it. Every update will appear here.',
    },
  },
  askShop: 'Someone needs to act: ask the shop.',
  cancelling: 'The shop asked to cancel this shipment, and the courier has not confirmed it yet.',
  outOfDate: 'The courier has not reported for a while: the parcel may be further on.',
  expected: (day) => `Expected: ${day}`,
  agency: 'Agency where it is collected',
  bring: 'Bring your identity document and the pickup code that the shop gave you.',
  timeline: 'Journey',
  noNews: 'There is no news from the courier yet.',
  timesIn: 'Times are those of Peru.',
  scans: {
    registered: 'Guide registered',
    received_at_origin: 'Received at the origin agency',
    in_transit: 'On its way',
    departed_origin: 'Left the origin agency',
    arrived_at_hub: 'Arrived at a hub',
    departed_hub: 'Left a hub',
    arrived_at_destination: 'Arrived at the destination agency',
    ready_for_pickup: 'Ready to collect',
    reminder_sent: 'The courier sent a reminder',
    last_notice: 'The courier sent the last notice',
    out_for_delivery: 'Out for delivery',
    delivery_attempted: 'Delivery attempted',
    delivered: 'Delivered',
    collected: 'Collected at the agency',
    not_collected: 'Not collected in time',
    returning: 'Going back to the shop',
    returned: 'Back at the shop',
    lost: 'Declared lost by the courier',
    found: 'Found',
    cancelled: 'Shipment cancelled',
    delivery_reversed: 'A delivery was corrected',
    held: 'Held',
    damaged: 'Damaged',
    missing: 'Not where it was expected',
    misrouted: 'Sent the wrong way',
    documents_required: 'Documents are missing',
    delayed: 'Delayed',
    released: 'Can go on',
    unmapped: 'The courier reported an update',
  },
  registeredByShop: 'The shop registered the shipment',
  support: ['Do you have a question?', 'can help you.'],
  write: 'Write to',
  call: 'Call',
  visit: 'Help at',
  sandbox: 'Test: this parcel does not exist.',
  sender: 'Shipment from',
  about: 'This page shows what the courier reports to the shop. Whoever has the link can see it.',
  otherLanguage: 'Español',
  message: {
    unknown: {
      title: 'This link leads to no shipment',
      text: 'Check that it is complete, or ask the shop for a new link.',
    },
    erased: {
      title: 'This shipment is no longer shown',
      text: 'Its data was erased. If you have a question, ask the shop.',
    },
    tooMany: {
      title: 'Too many requests',
      text: 'Wait a minute and open the link again.',
    },
    away: {
      title: 'This page is not available now',
      text: 'Open the link again in a few minutes. Your parcel travels on.',
    },
  },
}

export const pageTexts: Readonly<Record<Language, PageTexts>> = { en: english, es: spanish }
