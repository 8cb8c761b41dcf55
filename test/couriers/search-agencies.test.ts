import fc from 'fast-check'
import t from 'tap'
import type { NativeAgency } from '../../src/couriers/courier.ts'
import { searchAgencies } from '../../src/couriers/search-agencies.ts'
import { simulatedAgencies } from '../../src/couriers/simulator/agencies.ts'

const codes = (agencies: readonly NativeAgency[]) => agencies.map(({ code }) => code)
const names = (search: string) =>
  searchAgencies(simulatedAgencies, { search }).map(({ name }) => name)

t.test('an empty search fits every agency, once', async (t) => {
  for (const search of [undefined, '', '   ', ' . , ', '!!!']) {
    const found = searchAgencies(simulatedAgencies, { search })
    t.equal(new Set(codes(found)).size, simulatedAgencies.length)
  }
})

t.test('case and accents make no difference', async (t) => {
  const expected = names('Jaén')
  t.strictSame(expected, ['Agencia Jaén'])
  for (const search of ['jaen', 'JAÉN', 'jae\u0301n', 'ja']) t.strictSame(names(search), expected)
})

t.test('every word must start a word, in whatever field and order', async (t) => {
  t.strictSame(names('trujillo sur'), ['Agencia Trujillo Sur'])
  t.strictSame(names('sur libertad la tru'), ['Agencia Trujillo Sur'])
  t.strictSame(names('rujillo'), [], 'the middle of a word is no start')
  t.strictSame(names('trujillo cusco'), [])
})

t.test('the best match comes first', async (t) => {
  t.equal(names('lima')[0], 'Agencia Lima Norte', 'the name before the department')
  t.ok(names('lima').includes('Agencia Miraflores'))
  t.equal(names('ica')[0], 'Agencia Ica', 'the whole word before the rest')
})

t.test('places and capabilities narrow the list', async (t) => {
  const found = searchAgencies(simulatedAgencies, { department: 'ancash', province: 'SANTA' })
  t.strictSame(codes(found).length, 1)
  t.equal(found[0]?.district, 'Chimbote')
  t.strictSame(searchAgencies(simulatedAgencies, { district: 'chimb' }), [], 'whole names only')
  const pickup = searchAgencies(simulatedAgencies, { capability: 'pickup' })
  const dropOff = searchAgencies(simulatedAgencies, { capability: 'drop_off' })
  t.equal(pickup.length, simulatedAgencies.length - 2)
  t.equal(dropOff.length, simulatedAgencies.length - 1)
})

t.test('exactly three agencies lack a capability', async (t) => {
  t.equal(simulatedAgencies.filter(({ capabilities }) => capabilities.length < 2).length, 3)
})

/** Every beginning of every word of every agency. */
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

function firstTwoWork(search: string): boolean {
  const found = searchAgencies(simulatedAgencies, { search })
  const whole = found.filter(({ capabilities }) => capabilities.length === 2)
  const firstTwo = found.slice(0, 2)
  return whole.length < 2 || firstTwo.every(({ capabilities }) => capabilities.length === 2)
}

t.test('the first two agencies of any search take in and hand out', async (t) => {
  t.strictSame(
    beginnings.filter((search) => !firstTwoWork(search)),
    [],
  )
  const word = fc.constantFrom(...beginnings)
  fc.assert(
    fc.property(fc.array(word, { minLength: 2, maxLength: 4 }), (words) => {
      return firstTwoWork(words.join(' '))
    }),
    { numRuns: 300 },
  )
  t.pass('no counterexample')
})

t.test('the order does not depend on the order of the list', async (t) => {
  const expected = codes(searchAgencies(simulatedAgencies, { search: 'a' }))
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...simulatedAgencies], { minLength: simulatedAgencies.length }),
      (shuffled) => {
        return codes(searchAgencies(shuffled, { search: 'a' })).join() === expected.join()
      },
    ),
    { numRuns: 50 },
  )
  t.ok(expected.length > 2)
})
