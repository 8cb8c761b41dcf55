import { withoutMarks, wordsOf } from '../couriers/agency-index.ts'

/**
 * The form in which headers are compared: `N° de pedido` is `pedido`, `Agencia de origen` is
 * `agencia_origen`, and `Peso (kg)` is `peso_kg`.
 */
export function plainName(name: string): string {
  return withoutMarks(name)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/_(?:de|del|la|el|en|in)(?=_)/g, '')
    .replace(/^(?:n|no|nro|num|numero|number|codigo)_(?=.)/, '')
    .replace(/_(?:number|numero|nro)$/, '')
}

/** Two cells are one word if these are equal: `D.N.I.` is `DNI`, and `aereo` is `Aéreo`. */
export function lettersOf(text: string): string {
  return wordsOf(text).join('')
}
