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

/** For a document about several things that are found by their references. */
export function nameOfMany(kind: string, references: readonly string[]): string {
  const [first = '', ...more] = references
  return documentName([kind, first, ...(more.length === 0 ? [] : [`and-${more.length}-more`])])
}

/** For a document about a shipment, which is found by its order and its guide. */
export function nameOfShipment(kind: string, state: Shipment): string {
  const guideNumber = findCurrentAttempt(state)?.guide?.guideNumber ?? ''
  return documentName([kind, state.request.external_reference, guideNumber])
}
