import type { Options } from 'minisearch'

/** A search result: a section of a page, or an operation of the API. */
export type Passage = {
  readonly id: number
  readonly title: string
  readonly heading: string
  readonly text: string
  readonly address: string
  /** The beginning of the text. */
  readonly opening: string
  /** The page's priority: pages for API users come first. */
  readonly rank: 'first' | 'next' | 'last'
}

/** Words that readers type, and the documents' words for them. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  awb: ['guide'],
  delete: ['erase', 'cancel'],
  gdpr: ['personal', 'data'],
  library: ['client'],
  pagination: ['cursor', 'page'],
  privacy: ['personal', 'data'],
  refund: ['cancel'],
  retry: ['repeat', 'idempotency'],
  sdk: ['client'],
  status: ['state'],
  tracker: ['tracking'],
  void: ['cancel'],
  waybill: ['guide'],
}

/** Words that are ignored. */
const stopWords = new Set(
  'a an and api are as at be by can do does for from how i in is it my of on or that the to what when where which with'.split(
    ' ',
  ),
)

/** Treats `versioning`, `versions` and `version` as one word. */
function stem(word: string): string {
  return word.replace(/(?<=\w{4})(ing|ed|s)$/, '')
}

/** The same options for building the index and for reading it in the browser. */
export const searchOptions: Options<Passage> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'address', 'opening', 'rank'],
  // Splits reasons and field names, and keeps them whole too.
  tokenize: (text) => {
    const words = text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '')
    return words.flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]))
  },
  processTerm: (term) => {
    const word = term.toLowerCase()
    return stopWords.has(word) ? null : stem(word)
  },
  searchOptions: {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'OR',
    boost: { title: 6, heading: 3 },
    processTerm: (term) => {
      const word = term.toLowerCase()
      if (stopWords.has(word)) return null
      return [word, ...(synonyms[word] ?? [])].map(stem)
    },
    boostDocument: (_id, _term, stored) => {
      const { rank, heading } = stored as Pick<Passage, 'rank' | 'heading'>
      return boosts[rank] * (heading === '' ? pageBoost : 1)
    },
  },
}

/** Ranks a page above its sections. */
const pageBoost = 1.6
const boosts: Readonly<Record<Passage['rank'], number>> = { first: 2, next: 1.2, last: 0.5 }
