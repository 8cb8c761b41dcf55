import fc from 'fast-check'
import t from 'tap'
import { type AgencySearch, agencyIndex } from '../../src/service/couriers/agency-index.ts'
import type { NativeAgency } from '../../src/service/couriers/courier.ts'
import { sortInSlices } from '../../src/service/couriers/slices.ts'
import { simulatedAgencies } from '../../src/simulator/agencies.ts'

const withId = (agency: NativeAgency) => ({ ...agency, id: agency.code })
const list = simulatedAgencies.map(withId)
const index = await agencyIndex(list)
const all = { after: null, limit: list.length }

const found = (search: AgencySearch) => index.page(search, all) ?? []
const names = (search: string) => found({ search }).map(({ name }) => name)
const codes = (agencies: readonly NativeAgency[]) => agencies.map(({ code }) => code)

t.test('an empty search returns every agency once', async (t) => {
  for (const search of [undefined, '', '   ', ' . , ', '!!!']) {
    t.equal(new Set(codes(found({ search }))).size, simulatedAgencies.length)
  }
  t.strictSame(found({}), index.items)
})

t.test('search ignores case and accents', async (t) => {
  const expected = names('Jaén')
  t.strictSame(expected, ['Agencia Jaén'])
  for (const search of ['jaen', 'JAÉN', 'jae\u0301n', 'ja']) t.strictSame(names(search), expected)
})

t.test('every search word must match the start of a word, in any field and order', async (t) => {
  t.strictSame(names('trujillo sur'), ['Agencia Trujillo Sur'])
  t.strictSame(names('sur libertad la tru'), ['Agencia Trujillo Sur'])
  t.strictSame(names('rujillo'), [], 'the middle of a word does not match')
  t.strictSame(names('trujillo cusco'), [])
})

t.test('the best match comes first', async (t) => {
  t.equal(names('lima')[0], 'Agencia Lima Norte', 'the name before the department')
  t.ok(names('lima').includes('Agencia Miraflores'))
  t.equal(names('ica')[0], 'Agencia Ica', 'the whole word before the rest')
})

t.test('department, province, district and capability filter the list', async (t) => {
  const narrowed = found({ department: 'ancash', province: 'SANTA' })
  t.strictSame(codes(narrowed).length, 1)
  t.equal(narrowed[0]?.district, 'Chimbote')
  t.strictSame(found({ district: 'chimb' }), [], 'whole names only')
  t.equal(found({ capability: 'pickup' }).length, simulatedAgencies.length - 2)
  t.equal(found({ capability: 'drop_off' }).length, simulatedAgencies.length - 1)
})

t.test('exactly three simulated agencies lack a capability', async (t) => {
  t.equal(simulatedAgencies.filter(({ capabilities }) => capabilities.length < 2).length, 3)
})

t.test('if two agencies have the same id, the last one is used', async (t) => {
  const [first] = list
  if (first === undefined) throw new Error('the list is empty')
  const renamed = { ...first, name: 'Renamed' }
  const { items, find, page } = await agencyIndex([...list, renamed])
  t.equal(items.length, list.length)
  t.equal(find(first.id), renamed)
  t.strictSame(page({ search: 'renamed' }, all), [renamed])
  t.equal(find('nowhere'), undefined)
})

/** Every prefix of every word of every agency. */
const beginnings = [
  ...new Set(
    simulatedAgencies
      .flatMap((agency) => [
        agency.name,
        agency.address,
        agency.department,
        agency.province,
        agency.district,
      ])
      .flatMap((text) => text.split(' '))
      .flatMap((word) => Array.from(word, (_, end) => word.slice(0, end + 1))),
  ),
]

function firstTwoOfferBoth(search: string): boolean {
  const fitting = found({ search })
  const whole = fitting.filter(({ capabilities }) => capabilities.length === 2)
  const firstTwo = fitting.slice(0, 2)
  return whole.length < 2 || firstTwo.every(({ capabilities }) => capabilities.length === 2)
}

t.test('the first two agencies of any search offer both drop-off and pickup', async (t) => {
  t.strictSame(
    beginnings.filter((search) => !firstTwoOfferBoth(search)),
    [],
  )
  const word = fc.constantFrom(...beginnings)
  fc.assert(
    fc.property(fc.array(word, { minLength: 2, maxLength: 4 }), (words) => {
      return firstTwoOfferBoth(words.join(' '))
    }),
    { numRuns: 300 },
  )
  t.pass('no counterexample')
})

t.test('the order of results does not depend on the order of the list', async (t) => {
  const expected = codes(found({ search: 'a' }))
  const shuffles = fc.shuffledSubarray(list, { minLength: list.length })
  await fc.assert(
    fc.asyncProperty(shuffles, async (shuffled) => {
      const { page } = await agencyIndex(shuffled)
      return codes(page({ search: 'a' }, all) ?? []).join() === expected.join()
    }),
    { numRuns: 50 },
  )
  t.ok(expected.length > 2)
})

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text: string) => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []
const weights = { name: 16, district: 8, province: 4, department: 2, address: 1 } as const
const fields = Object.keys(weights) as (keyof typeof weights)[]

/** The score of a word for an agency: its best match in any field. */
function worthOf(agency: NativeAgency, word: string): number {
  const worths = fields.flatMap((field) =>
    wordsOf(agency[field])
      .filter((own) => own.startsWith(word))
      .map((own) => weights[field] * (own === word ? 2 : 1)),
  )
  return Math.max(0, ...worths)
}

/** The same search, by checking every agency. */
function searched<A extends NativeAgency>(agencies: readonly A[], search: AgencySearch): A[] {
  const words = wordsOf(search.search ?? '')
  const isIn = (agency: A, place: 'department' | 'province' | 'district') =>
    search[place] === undefined || plain(search[place]).trim() === plain(agency[place])
  const worths = new Map<A, number>()
  for (const agency of agencies) {
    const each = words.map((word) => worthOf(agency, word))
    const can = search.capability === undefined || agency.capabilities.includes(search.capability)
    const isThere = (['department', 'province', 'district'] as const).every((p) => isIn(agency, p))
    if (can && isThere && !each.includes(0)) {
      worths.set(
        agency,
        each.reduce((sum, worth) => sum + worth, 0),
      )
    }
  }
  const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
  return [...worths]
    .sort(
      ([a, worthA], [b, worthB]) =>
        worthB - worthA ||
        b.capabilities.length - a.capabilities.length ||
        compare(plain(a.name), plain(b.name)) ||
        compare(a.code, b.code),
    )
    .map(([agency]) => agency)
}

const someText = fc
  .array(fc.constantFrom('a', 'Á', 'ab', 'Ab', 'ábc', 'b', 'bc', 'ñ', 'N', '1', '12', '-', ''))
  .map((words) => words.join(' '))
const somePlace = fc.constantFrom('Lima', 'lima', 'Líma', 'Lima Norte', ' Ica ', 'Ica', '')
const someCapabilities = fc.subarray<'drop_off' | 'pickup'>(['drop_off', 'pickup'])
const someAgency = fc.record({
  code: fc.stringMatching(/^[A-C][0-9]$/),
  name: someText,
  address: someText,
  department: somePlace,
  province: somePlace,
  district: fc.oneof(somePlace, someText),
  capabilities: someCapabilities,
})
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const someSearch = fc.record({
  search: maybe(someText),
  department: maybe(somePlace),
  province: maybe(somePlace),
  district: maybe(somePlace),
  capability: maybe(fc.constantFrom('drop_off' as const, 'pickup' as const)),
})

t.test('paging through a search finds the same agencies as checking every agency', async (t) => {
  const agencies = fc
    .uniqueArray(someAgency, { selector: ({ code }) => code, maxLength: 30 })
    .map((each) => each.map(withId))
  await fc.assert(
    fc.asyncProperty(
      agencies,
      fc.array(someSearch, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 7 }),
      async (each, searches, limit) => {
        const { page } = await agencyIndex(each)
        for (const search of searches) {
          const paged: NativeAgency[] = []
          let after: string | null = null
          for (;;) {
            const next: typeof each | null = [...(page(search, { after, limit }) ?? [])]
            paged.push(...next)
            after = next.at(-1)?.id ?? null
            if (next.length < limit) break
          }
          if (codes(paged).join() !== codes(searched(each, search)).join()) return false
        }
        return true
      },
    ),
    { numRuns: 500 },
  )
  t.pass('no counterexample')
})

t.test('a page cannot start after an agency that is not in the results', async (t) => {
  const [lima] = found({ search: 'lima' })
  t.equal(index.page({ search: 'trujillo' }, { after: lima?.id ?? '', limit: 5 }), null)
  t.equal(index.page({ department: 'Cusco' }, { after: lima?.id ?? '', limit: 5 }), null)
  t.equal(index.page({}, { after: 'nowhere', limit: 5 }), null)
  const last = index.items.at(-1)?.id ?? ''
  t.strictSame(index.page({}, { after: last, limit: 5 }), [], 'nothing follows the last one')
})

t.test('sorting in slices gives the same stable order as a single sort', async (t) => {
  let pauses = 0
  const pause = async () => void pauses++
  const items = Array.from({ length: 20_000 }, (_, n) => [(n * 7_919) % 5_003, n] as const)
  const compare = ([a]: readonly [number, number], [b]: readonly [number, number]) => a - b
  t.strictSame(await sortInSlices(items, compare, pause), items.toSorted(compare))
  t.ok(pauses > 10)
  t.strictSame(await sortInSlices([], compare, pause), [])
})
