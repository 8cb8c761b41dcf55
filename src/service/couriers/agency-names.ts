import { type AgencyIndex, type AgencySearch, searchWordsMax, wordsOf } from './agency-index.ts'
import type { NativeAgency } from './courier.ts'
import { forEachInSlices, nextTurn, type Pause } from './slices.ts'

/** The agencies that a text names. */
export type AgencyNames<A> = (text: string) => readonly A[]

/**
 * Finds agencies by the whole name, alone or followed by places: "Agencia Centro",
 * "agencia centro - Wanchaq", "Agencia Centro (Cusco)". Case, accents and punctuation are ignored,
 * and no agency has precedence.
 */
export async function agencyNames<A extends NativeAgency>(
  agencies: readonly A[],
  pause: Pause = nextTurn,
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

/** Two names are equal if these are. */
export function plainWords(text: string): string {
  return wordsOf(text).join(' ')
}

/** A word that was mistyped is most often right at its beginning. */
const beginningLength = 4

/** Agencies whose names or places are like the text, for a person to choose from. */
export async function similarAgencies<A>(
  index: AgencyIndex<A>,
  { search = '', ...narrower }: AgencySearch,
  limit: number,
  pause: Pause = nextTurn,
): Promise<readonly A[]> {
  const find = async (words: readonly string[]) => {
    if (words.length === 0) return []
    await pause()
    return index.page({ ...narrower, search: words.join(' ') }, { after: null, limit }) ?? []
  }
  const words = wordsOf(search).slice(0, searchWordsMax)
  const found = await find(words)
  if (found.length > 0) return found
  const known: string[] = []
  for (const word of words) {
    const beginning = word.slice(0, beginningLength)
    if ((await find([beginning])).length > 0) known.push(beginning)
  }
  return await find(known)
}
