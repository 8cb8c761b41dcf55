/** Longer texts are not compared: a misspelt one rarely has only one or two wrong letters. */
const comparedLengthMax = 64

/**
 * The number of edits between two words: a letter added, left out or replaced, or two neighbours
 * exchanged. Stops counting above `most`.
 */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let value = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, (before[j - 2] ?? 0) + 1)
      }
      row.push(value)
      least = Math.min(least, value)
    }
    if (least > most) return most + 1
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

/** The letters that may differ in a word of this length. */
function mistakesMax(length: number): number {
  if (length < 4) return 0
  return length < 8 ? 1 : 2
}

/** The words that a text may be a misspelling of, closest first. */
export function closest(text: string, words: readonly string[], limit: number): readonly string[] {
  const most = mistakesMax(text.length)
  if (most === 0 || text.length > comparedLengthMax) return []
  return words
    .map((word) => ({ word, mistakes: distance(text, word, most) }))
    .filter(({ mistakes }) => mistakes <= most)
    .sort((a, b) => a.mistakes - b.mistakes)
    .slice(0, limit)
    .map(({ word }) => word)
}
