import type { NativeAgency } from './courier.ts'

export type AgencySearch = {
  readonly search?: string | undefined
  readonly department?: string | undefined
  readonly province?: string | undefined
  readonly district?: string | undefined
  readonly capability?: 'drop_off' | 'pickup' | undefined
}

/** What a match in each field is worth: whoever types a place's name means the agency named so. */
const fieldWeights = [
  ['name', 16],
  ['district', 8],
  ['province', 4],
  ['department', 2],
  ['address', 1],
] as const

/**
 * The agencies that fit, best match first. Case and accents are ignored; every word of `search`
 * starts a word of the name, address, district, province or department; an empty search fits all.
 * The order is total and depends on nothing but the list and the search, so that a page can go on
 * behind the agency at which the one before it ended: by worth of the matches, agencies that can do
 * more first, then by name and code.
 */
export function searchAgencies<A extends NativeAgency>(
  agencies: readonly A[],
  search: AgencySearch,
): readonly A[] {
  const words = wordsOf(search.search ?? '')
  const { capability } = search
  const fitting = agencies.flatMap((agency) => {
    if (!isIn(agency, search)) return []
    if (capability !== undefined && !agency.capabilities.includes(capability)) return []
    const worth = worthOf(agency, words)
    return worth === null ? [] : [{ agency, worth }]
  })
  return fitting
    .toSorted(
      (a, b) =>
        b.worth - a.worth ||
        b.agency.capabilities.length - a.agency.capabilities.length ||
        compared(plain(a.agency.name), plain(b.agency.name)) ||
        compared(a.agency.code, b.agency.code),
    )
    .map(({ agency }) => agency)
}

function isIn(agency: NativeAgency, search: AgencySearch): boolean {
  return (['department', 'province', 'district'] as const).every((place) => {
    const wanted = search[place]
    return wanted === undefined || plain(wanted).trim() === plain(agency[place])
  })
}

/** Sum over the words of their best match, whole words counting double; null = a word fits nowhere. */
function worthOf(agency: NativeAgency, words: readonly string[]): number | null {
  if (words.length === 0) return 0
  const fields = fieldWordsOf(agency)
  let sum = 0
  for (const word of words) {
    let best = 0
    for (const [weight, owns] of fields) {
      for (const own of owns) {
        if (own.startsWith(word)) best = Math.max(best, own === word ? weight * 2 : weight)
      }
    }
    if (best === 0) return null
    sum += best
  }
  return sum
}

type FieldWords = readonly (readonly [weight: number, words: readonly string[]])[]

/** Split once per agency: a list of 20,000 is searched in milliseconds then. Dies with the agency. */
const fieldWords = new WeakMap<NativeAgency, FieldWords>()

function fieldWordsOf(agency: NativeAgency): FieldWords {
  const known = fieldWords.get(agency)
  if (known !== undefined) return known
  const words = fieldWeights.map(([field, weight]) => [weight, wordsOf(agency[field])] as const)
  fieldWords.set(agency, words)
  return words
}

/** Lower case without accents: "Áncash" and "ancash" are one. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function wordsOf(text: string): readonly string[] {
  return plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

function compared(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
