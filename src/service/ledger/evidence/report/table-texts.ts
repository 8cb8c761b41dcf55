import type { Exchange } from '../../../domain/event-fields.ts'
import type { Language } from '../../../domain/language.ts'

/** The texts of the tables of a report, in the order of the tables. */
type TableTexts = {
  readonly when: string
  readonly who: string
  readonly what: string
  readonly why: string
  readonly timeline: { readonly title: string; readonly about: string }
  readonly exchanges: ExchangeTexts
  readonly looks: {
    readonly title: string
    readonly about: string
    readonly result: string
    readonly counts: string
  }
  readonly conclusions: {
    readonly title: string
    readonly none: string
    readonly conclusion: string
    readonly contradictedBy: (event: number) => string
  }
  readonly keeping: { readonly title: string; readonly none: string }
}

type ExchangeTexts = {
  readonly title: string
  readonly none: string
  readonly about: string
  readonly columns: Readonly<
    Record<'request' | 'sent' | 'answer' | 'courierId' | 'digests', string>
  >
  readonly calls: Readonly<Record<Exchange['call'], string>>
  readonly sent: Readonly<Record<Exchange['sent'], string>>
  readonly retry: (number: number) => string
  readonly noAnswer: string
  readonly noCourierId: string
  readonly sentDigest: (digest: string) => string
  readonly gotDigest: (digest: string) => string
  readonly noDigest: string
}

const english: TableTexts = {
  when: 'When',
  who: 'Who',
  what: 'What',
  why: 'Why',
  timeline: {
    title: 'What happened, step by step',
    about:
      'Every event that the ledger holds about this shipment, in its order. “When” is the time at which the event was recorded.',
  },
  exchanges: {
    title: 'Requests to the courier',
    none: 'No request to the courier is on record.',
    about:
      'Every request that could create or cancel a guide, or looked for one, safe retries included. “Sent” says whether a byte of it left. The digests commit to both bodies; only their first characters are printed.',
    columns: {
      request: 'Request',
      sent: 'Sent',
      answer: 'Answer',
      courierId: "Courier's id",
      digests: 'Digests',
    },
    calls: { create: 'Create a guide', cancel: 'Cancel a guide', look: 'Look' },
    sent: { yes: 'yes', no: 'no', unknown: 'unknown' },
    retry: (number) => `retry ${number}`,
    noAnswer: 'No answer',
    noCourierId: 'none',
    sentDigest: (digest) => `sent ${digest}`,
    gotDigest: (digest) => `got ${digest}`,
    noDigest: 'none',
  },
  looks: {
    title: 'Looks at the courier',
    about: '“When” is the time at which the look began.',
    result: 'Result',
    counts: 'Does it count?',
  },
  conclusions: {
    title: 'What was concluded, by whom and why',
    none: 'Nothing is concluded yet.',
    conclusion: 'Conclusion',
    contradictedBy: (event) => `Contradicted by event ${event}.`,
  },
  keeping: {
    title: 'Legal holds and erasures',
    none: 'None on this shipment. A hold on its whole workspace is not part of its history.',
  },
}

const spanish: TableTexts = {
  when: 'Cuándo',
  who: 'Quién',
  what: 'Qué',
  why: 'Por qué',
  timeline: {
    title: 'Qué pasó, paso a paso',
    about:
      'Todos los eventos que el registro tiene sobre este envío, en su orden. “Cuándo” es el momento en que se registró el evento.',
  },
  exchanges: {
    title: 'Solicitudes al courier',
    none: 'No consta ninguna solicitud al courier.',
    about:
      'Todas las solicitudes que podían crear o anular una guía, o que la buscaron, incluidos los reintentos seguros. “Enviada” dice si salió algún byte de la solicitud. Las huellas fijan ambos cuerpos; solo se imprimen sus primeros caracteres.',
    columns: {
      request: 'Solicitud',
      sent: 'Enviada',
      answer: 'Respuesta',
      courierId: 'Id del courier',
      digests: 'Huellas',
    },
    calls: { create: 'Crear una guía', cancel: 'Anular una guía', look: 'Consulta' },
    sent: { yes: 'sí', no: 'no', unknown: 'no se sabe' },
    retry: (number) => `reintento ${number}`,
    noAnswer: 'Sin respuesta',
    noCourierId: 'ninguno',
    sentDigest: (digest) => `salió ${digest}`,
    gotDigest: (digest) => `llegó ${digest}`,
    noDigest: 'nada',
  },
  looks: {
    title: 'Consultas al courier',
    about: '“Cuándo” es el momento en que comenzó la consulta.',
    result: 'Resultado',
    counts: '¿Cuenta?',
  },
  conclusions: {
    title: 'Qué se concluyó, quién lo hizo y por qué',
    none: 'Todavía no se ha concluido nada.',
    conclusion: 'Conclusión',
    contradictedBy: (event) => `Contradicha por el evento ${event}.`,
  },
  keeping: {
    title: 'Retenciones legales y borrados',
    none: 'Ninguna retención y ningún borrado en este envío. Una retención de todo su espacio de trabajo no es parte de su historia.',
  },
}

export const tableTexts: Readonly<Record<Language, TableTexts>> = { en: english, es: spanish }
