import type { Options } from 'minisearch'

/** A part of a page that the search finds: a section, or an operation of the API. */
export type Passage = {
  readonly id: number
  readonly title: string
  readonly heading: string
  readonly text: string
  readonly address: string
  /** The beginning of the text. */
  readonly opening: string
}

/** The build writes the index with these, and the browser reads it with them. */
export const searchOptions: Options<Passage> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'address', 'opening'],
  // A reason or a field is one word, and its parts are words too.
  tokenize: (text) => {
    const words = text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '')
    return words.flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]))
  },
  searchOptions: { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, heading: 3 } },
}
