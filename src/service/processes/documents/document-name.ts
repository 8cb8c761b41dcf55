import type { Language } from '../../domain/language.ts'
import { findCurrentAttempt, type Shipment } from '../../domain/shipment/shipment.ts'

const partLengthMax = 60

/**
 * A file name, without extension, from texts of the client. What a file system or shell could
 * misread becomes a dash.
 */
export function documentName(parts: readonly string[]): string {
  return parts
    .map((part) =>
      [...part.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')]
        .slice(0, partLengthMax)
        .join('')
        .replace(/^[-.]+|[-.]+$/g, ''),
    )
    .filter((part) => part !== '')
    .join('-')
}

type FileNames = {
  readonly kinds: Readonly<Record<'label' | 'labels' | 'manifest' | 'claim' | 'evidence', string>>
  readonly more: (count: number) => string
  /** Lines of a batch; `last` is null for the last one. */
  readonly lines: (first: number, last: number | null) => string
}

/** The parts of file names that are not values. */
export const fileNames: Readonly<Record<Language, FileNames>> = {
  en: {
    kinds: {
      label: 'label',
      labels: 'labels',
      manifest: 'hand-over-list',
      claim: 'claim',
      evidence: 'evidence',
    },
    more: (count) => `and-${count}-more`,
    lines: (first, last) => `lines-${first}-${last ?? 'end'}`,
  },
  es: {
    kinds: {
      label: 'etiqueta',
      labels: 'etiquetas',
      manifest: 'lista-de-entrega',
      claim: 'reclamo',
      evidence: 'evidencia',
    },
    more: (count) => `y-${count}-más`,
    lines: (first, last) => `líneas-${first}-${last ?? 'final'}`,
  },
}

/** What a document is, and its language. */
export type DocumentKind = {
  readonly kind: keyof FileNames['kinds']
  readonly language: Language
}

/** For a document about a thing that is found by its reference. */
export function nameOfOne({ kind, language }: DocumentKind, reference: string): string {
  return documentName([fileNames[language].kinds[kind], reference])
}

/** For a document about several things that are found by their references. */
export function nameOfMany(
  { kind, language }: DocumentKind,
  references: readonly string[],
): string {
  const [first = '', ...more] = references
  const { kinds, more: andMore } = fileNames[language]
  return documentName([kinds[kind], first, ...(more.length === 0 ? [] : [andMore(more.length)])])
}

/** For a document about a shipment, which is found by its order and its guide. */
export function nameOfShipment({ kind, language }: DocumentKind, state: Shipment): string {
  const guideNumber = findCurrentAttempt(state)?.guide?.guideNumber ?? ''
  const { kinds } = fileNames[language]
  return documentName([kinds[kind], state.request.external_reference, guideNumber])
}
