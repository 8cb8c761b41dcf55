import type { Language } from '../../domain/language.ts'
import { type Shipment, type ShipmentStatus, statusOf } from '../../domain/shipment/shipment.ts'

type ExclusionTexts = {
  /**
   * Why a shipment with this status is excluded from labels and manifests; null if it has a guide.
   */
  readonly byStatus: Readonly<Record<ShipmentStatus, string | null>>
  /** Why a label is excluded. */
  readonly labels: Readonly<Record<'erased' | 'notFetched' | 'unreadable' | 'unprintable', string>>
  /** A reason, with the guide number that the parcel may bear. */
  readonly withGuide: (why: string, guideNumber: string) => string
}

/** A cover on a narrow roll has room for 90 characters of a reason. */
export const exclusionTexts: Readonly<Record<Language, ExclusionTexts>> = {
  en: {
    byStatus: {
      creating: 'Its guide is still being created.',
      created: null,
      rejected: 'There is no guide: the courier refused the request.',
      not_executed: 'There is no guide: the request did not reach the courier.',
      unknown_outcome:
        "Unknown outcome: the courier's answer was lost, and whether a guide exists is not known yet.",
      not_created: 'There is no guide: the attempt ended without one.',
      cancelling: 'It is being cancelled, and its guide may no longer be valid.',
      cancelled: 'It was cancelled.',
    },
    labels: {
      erased: 'Its personal data was erased, and its label with it.',
      notFetched: 'The courier has not made the label yet, or it has not been fetched yet.',
      unreadable: 'The label that the courier sent cannot be read as a PDF.',
      unprintable:
        "The label that the courier sent cannot be printed. Print it in the courier's own system.",
    },
    withGuide: (why, guideNumber) => `${why} Guide ${guideNumber}.`,
  },
  es: {
    byStatus: {
      creating: 'Su guía todavía se está creando.',
      created: null,
      rejected: 'No hay guía: el courier rechazó la solicitud.',
      not_executed: 'No hay guía: la solicitud no llegó al courier.',
      unknown_outcome:
        'Resultado incierto: se perdió la respuesta del courier y aún no se sabe si hay guía.',
      not_created: 'No hay guía: el intento terminó sin crearla.',
      cancelling: 'Se está anulando, y es posible que su guía ya no sea válida.',
      cancelled: 'El envío fue anulado.',
    },
    labels: {
      erased: 'Sus datos personales fueron borrados, y con ellos su etiqueta.',
      notFetched: 'El courier todavía no ha hecho la etiqueta, o aún no se ha descargado.',
      unreadable: 'La etiqueta que envió el courier no se puede leer como PDF.',
      unprintable:
        'La etiqueta del courier no se puede imprimir aquí. Imprímala en el sistema del courier.',
    },
    withGuide: (why, guideNumber) => `${why} Guía ${guideNumber}.`,
  },
}

/** Why the guide must not be used; null if it may be. */
export function exclusionReason(state: Shipment, language: Language): string | null {
  return exclusionTexts[language].byStatus[statusOf(state)]
}
