/** In small letters without accents. */
export function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Two names are equal if these are. */
export function plainWords(text: string): string {
  return wordsOf(text).join(' ')
}

export function wordsOf(text: string): readonly string[] {
  return withoutMarks(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Two values of a list are equal if these are: `D.N.I.` is `DNI`. */
export function lettersOf(text: string): string {
  return wordsOf(text).join('')
}
