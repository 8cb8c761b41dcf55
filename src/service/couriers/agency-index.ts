import type { NativeAgency } from './courier.ts'
import { forEachInSlices, type Pause, sortInSlices, yieldToEventLoop } from './slices.ts'

export type AgencySearch = {
  readonly search?: string | undefined
  readonly department?: string | undefined
  readonly province?: string | undefined
  readonly district?: string | undefined
  readonly capability?: 'drop_off' | 'pickup' | undefined
}

/** A courier's list of agencies, prepared once for all searches. */
export type AgencyIndex<A> = {
  /** Every agency once, in the order of an empty search. */
  readonly items: readonly A[]
  find(id: string): A | undefined
  /**
   * The first matching agencies, best match first, or those after the agency with the id `after`;
   * null if that agency does not match.
   *
   * Case and accents are ignored. Every word of `search` must start a word of the name, address,
   * district, province or department; without a word all agencies match. The order is total and
   * depends only on the list and the search: by score, then agencies with more capabilities first,
   * then by name and code.
   */
  page(
    search: AgencySearch,
    cut: { readonly after: string | null; readonly limit: number },
  ): readonly A[] | null
}

/** Each word is looked up in every agency. A complete address has fewer words. */
export const searchWordsMax = 12

/**
 * The score of a match in each field; a whole word counts double. Each score is at most half of the
 * one before it, so a match in an earlier field always wins.
 */
const fieldWeights = [
  ['name', 16],
  ['district', 8],
  ['province', 4],
  ['department', 2],
  ['address', 1],
] as const
const fieldCount = fieldWeights.length
const placeFields = ['department', 'province', 'district'] as const

/** The index that a search reads. Texts are replaced by numbers. */
type Prepared<A> = {
  readonly items: readonly A[]
  /** By id: the agency's position in `items`. */
  readonly ranks: ReadonlyMap<string, number>
  readonly places: Numbers
  /** The numbers of the agency's places, by rank and place field. */
  readonly placesOf: readonly number[]
  /** Every word of every agency, sorted; its position is the word's number. */
  readonly vocabulary: readonly string[]
  /** The numbers of each field's words, ascending. */
  readonly words: readonly number[]
  /**
   * The offset of each field's words in `words`, by rank and field. They end at the next offset.
   */
  readonly starts: readonly number[]
}

/** Numbers of texts, in the order in which the texts arrived. */
type Numbers = Map<string, number>

function numberOf(text: string, numbers: Numbers): number {
  const known = numbers.get(text)
  if (known !== undefined) return known
  numbers.set(text, numbers.size)
  return numbers.size - 1
}

/** If several agencies have the same id, the last one counts. */
export async function agencyIndex<A extends NativeAgency & { readonly id: string }>(
  agencies: readonly A[],
  pause: Pause = yieldToEventLoop,
): Promise<AgencyIndex<A>> {
  const prepared = await prepare(agencies, pause)
  const { items, ranks } = prepared
  return {
    items,
    find(id) {
      const rank = ranks.get(id)
      return rank === undefined ? undefined : items[rank]
    },
    page(search, { after, limit }) {
      const page: A[] = []
      let isBehind = after === null
      for (const rank of foundRanks(prepared, search, after)) {
        if (page.length === limit) break
        const agency = items[rank] as A
        if (isBehind) page.push(agency)
        else isBehind = agency.id === after
      }
      return isBehind ? page : null
    },
  }
}

async function prepare<A extends NativeAgency & { readonly id: string }>(
  agencies: readonly A[],
  pause: Pause,
): Promise<Prepared<A>> {
  const numbers: Numbers = new Map()
  const places: Numbers = new Map()
  const entries = new Map<string, Entry<A>>()
  const enter = (agency: A) => entries.set(agency.id, entryOf(agency, numbers, places))
  await forEachInSlices(agencies, enter, pause)

  const byWord = await sortInSlices([...numbers], ([a], [b]) => compared(a, b), pause)
  const vocabulary: string[] = []
  const positions = new Int32Array(byWord.length)
  for (const [word, number] of byWord) positions[number] = vocabulary.push(word) - 1

  const items: A[] = []
  const ranks = new Map<string, number>()
  const placesOf: number[] = []
  const words: number[] = []
  const starts = [0]
  const pack = (entry: Entry<A>, rank: number) => {
    items.push(entry.agency)
    ranks.set(entry.agency.id, rank)
    placesOf.push(...entry.places)
    for (const field of entry.words) {
      words.push(...field.map((number) => positions[number] ?? 0).sort(ascending))
      starts.push(words.length)
    }
  }
  await forEachInSlices(await sortInSlices([...entries.values()], byRank, pause), pack, pause)
  return { items, ranks, places, placesOf, vocabulary, words, starts }
}

type Entry<A> = {
  readonly agency: A
  readonly name: string
  readonly places: readonly number[]
  /** The numbers of each field's words. */
  readonly words: readonly (readonly number[])[]
}

function entryOf<A extends NativeAgency>(agency: A, words: Numbers, places: Numbers): Entry<A> {
  const numbersOf = (text: string) => wordsOf(text).map((word) => numberOf(word, words))
  return {
    agency,
    name: withoutMarks(agency.name),
    places: placeFields.map((field) => numberOf(withoutMarks(agency[field]), places)),
    words: fieldWeights.map(([field]) => numbersOf(agency[field])),
  }
}

function byRank(a: Entry<NativeAgency>, b: Entry<NativeAgency>): number {
  return (
    b.agency.capabilities.length - a.agency.capabilities.length ||
    compared(a.name, b.name) ||
    compared(a.agency.code, b.agency.code)
  )
}

/** The ranks of the matching agencies, best match first. May omit those before `after`. */
function foundRanks<A extends NativeAgency>(
  prepared: Prepared<A>,
  search: AgencySearch,
  after: string | null,
): Iterable<number> {
  const words = wordsOf(search.search ?? '')
  if (words.length === 0) {
    const first = after === null ? 0 : (prepared.ranks.get(after) ?? prepared.items.length)
    return fittingRanks(prepared, search, first)
  }
  const wanted = words.map((word) => wantedWord(word, prepared.vocabulary))
  /** Ranks by score. Agencies with the same score keep their order. */
  const found: number[][] = []
  for (const rank of fittingRanks(prepared, search, 0)) {
    const worth = worthOf(rank, wanted, prepared)
    if (worth === null) continue
    found[worth] ??= []
    found[worth].push(rank)
  }
  return found.reverse().flat()
}

/**
 * The ranks, starting at `from`, of the agencies in the requested places and with the capability.
 */
function* fittingRanks<A extends NativeAgency>(
  { items, places, placesOf }: Prepared<A>,
  search: AgencySearch,
  from: number,
): Generator<number> {
  const { capability } = search
  const wanted = placeFields.flatMap((field, offset) => {
    const place = search[field]
    return place === undefined ? [] : [{ offset, number: places.get(withoutMarks(place).trim()) }]
  })
  for (let rank = from; rank < items.length; rank++) {
    const first = rank * placeFields.length
    if (capability !== undefined && !items[rank]?.capabilities.includes(capability)) continue
    if (wanted.every(({ offset, number }) => placesOf[first + offset] === number)) yield rank
  }
}

/** Words with the same prefix are adjacent: their numbers run from `from` to below `to`. */
type WantedWord = { readonly from: number; readonly to: number; readonly isWord: boolean }

function wantedWord(word: string, vocabulary: readonly string[]): WantedWord {
  const from = firstWhere(vocabulary, (each) => each >= word)
  const to = firstWhere(vocabulary, (each) => each >= word && !each.startsWith(word))
  return { from, to, isWord: vocabulary[from] === word }
}

/** The sum of each word's best match; null if a word matches nothing. */
function worthOf<A>(
  rank: number,
  wanted: readonly WantedWord[],
  { words, starts }: Prepared<A>,
): number | null {
  let sum = 0
  for (const { from, to, isWord } of wanted) {
    let worth = 0
    for (let field = 0; field < fieldCount && worth === 0; field++) {
      const at = rank * fieldCount + field
      const number = firstFrom(from, words, starts[at] ?? 0, starts[at + 1] ?? 0)
      if (number < to) worth = fieldWeights[field]![1] * (isWord && number === from ? 2 : 1)
    }
    if (worth === 0) return null
    sum += worth
  }
  return sum
}

/** The first number in the range `start` to below `end` that is at least `least`; else Infinity. */
function firstFrom(least: number, numbers: readonly number[], start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const number = numbers[at] ?? 0
    if (number >= least) return number
  }
  return Number.POSITIVE_INFINITY
}

/** The first position of a sorted list where `holds` is true; the list's length if it never is. */
function firstWhere(list: readonly string[], holds: (text: string) => boolean): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(list[middle] ?? '')) high = middle
    else low = middle + 1
  }
  return low
}

/** Lower case without accents: "Áncash" becomes "ancash". */
export function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The words of a search text. */
export function wordsOf(text: string): readonly string[] {
  return withoutMarks(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

function ascending(a: number, b: number): number {
  return a - b
}

function compared(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
