import { type AgencyIndex, type AgencySearch, searchWordsMax, wordsOf } from './agency-index.ts'
import type { NativeAgency } from './courier.ts'
import { forEachInSlices, type Pause, yieldToEventLoop } from './slices.ts'
import { closest } from './spelling.ts'

/** Finds the agencies that a text names. */
export type AgencyNames<A> = (text: string) => readonly A[]

/**
 * Finds agencies by the whole name, alone or followed by places: "Agencia Centro", "agencia centro
 * - Wanchaq", "Agencia Centro (Cusco)". Case, accents and punctuation are ignored. All agencies
 * with the name are returned.
 */
export async function agencyNames<A extends NativeAgency>(
  agencies: readonly A[],
  pause: Pause = yieldToEventLoop,
): Promise<AgencyNames<A>> {
  const byName = new Map<string, A[]>()
  const enter = (agency: A) => {
    for (const name of namesOf(agency)) {
      const same = byName.get(name)
      if (same === undefined) byName.set(name, [agency])
      else same.push(agency)
    }
  }
  await forEachInSlices(agencies, enter, pause)
  return (text) => byName.get(plainWords(text)) ?? []
}

function namesOf(agency: NativeAgency): ReadonlySet<string> {
  const name = plainWords(agency.name)
  const district = plainWords(agency.district)
  const province = plainWords(agency.province)
  const department = plainWords(agency.department)
  const places = [
    [],
    [district],
    [province],
    [department],
    [district, province],
    [district, department],
    [province, department],
    [district, province, department],
  ]
  return new Set(places.map((all) => [name, ...all].join(' ')))
}

/** The form in which names are compared. */
export function plainWords(text: string): string {
  return wordsOf(text).join(' ')
}

/** A mistyped word usually begins correctly. */
const beginningLength = 4
/** Words that a mistyped word may have been. */
const meantMax = 3

/** Agencies with similar names or places, as suggestions for a person. */
export async function similarAgencies<A extends NativeAgency>(
  index: AgencyIndex<A>,
  { search = '', ...narrower }: AgencySearch,
  limit: number,
  pause: Pause = yieldToEventLoop,
): Promise<readonly A[]> {
  const find = async (words: readonly string[]) => {
    if (words.length === 0) return []
    await pause()
    return index.page({ ...narrower, search: words.join(' ') }, { after: null, limit }) ?? []
  }
  const words = wordsOf(search).slice(0, searchWordsMax)
  const found = await find(words)
  if (found.length > 0) return found
  const spelt: string[] = []
  const known: string[] = []
  for (const word of words) {
    const isKnown = (await find([word])).length > 0
    const [meant] = isKnown ? [word] : await meantBy(word, index, pause)
    if (meant !== undefined) spelt.push(meant)
    const beginning = word.slice(0, beginningLength)
    if ((await find([beginning])).length > 0) known.push(beginning)
  }
  const corrected = await find(spelt)
  return corrected.length > 0 ? corrected : await find(known)
}

const vocabularies = new WeakMap<object, readonly string[]>()

/** The words of agencies that a word may be a misspelling of, closest first. */
async function meantBy<A extends NativeAgency>(
  word: string,
  index: AgencyIndex<A>,
  pause: Pause,
): Promise<readonly string[]> {
  const words = vocabularies.get(index) ?? (await vocabularyOf(index, pause))
  vocabularies.set(index, words)
  await pause()
  return closest(word, words, meantMax)
}

async function vocabularyOf<A extends NativeAgency>(
  { items }: AgencyIndex<A>,
  pause: Pause,
): Promise<readonly string[]> {
  const words = new Set<string>()
  const enter = ({ name, district, province, department }: A) => {
    for (const word of wordsOf(`${name} ${district} ${province} ${department}`)) words.add(word)
  }
  await forEachInSlices(items, enter, pause)
  return [...words]
}
