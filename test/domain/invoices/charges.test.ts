import t from 'tap'
import {
  type BilledBefore,
  type Charge,
  compareCharges,
} from '../../../src/service/domain/invoices/charges.ts'
import type { Candidate, InvoiceLine } from '../../../src/service/domain/invoices/finding.ts'
import { shareLines } from '../../../src/service/domain/invoices/shared-number.ts'
import { days, start } from '../../support/given.ts'

const guideNumber = 'G-1'
const shipment = (more: Partial<Candidate> = {}): Candidate => ({
  shipmentId: 'shp_1',
  version: 3,
  status: 'created',
  createdAt: start,
  guideNumber,
  seenGuides: [],
  expected: { price: { amount: 2_500, currency: 'PEN' }, weightGrams: 900 },
  cashOnDelivery: null,
  isErased: false,
  ...more,
})
const priceless = shipment({ expected: { price: null, weightGrams: 900 } })
const chargesOf = (amounts: readonly number[], more: Partial<Charge> = {}): readonly Charge[] =>
  amounts.map((amount, index) => {
    return { line: index + 1, amount, currency: 'PEN', weightGrams: null, ...more }
  })
const compared = (
  amounts: readonly number[],
  found: Candidate | null = shipment(),
  before: BilledBefore | null = null,
) => compareCharges(guideNumber, chargesOf(amounts), found, before)
const findingsOf = (...given: Parameters<typeof compared>) =>
  compared(...given).map(({ finding }) => finding)
const pen = (...amounts: readonly number[]): BilledBefore => ({
  amounts: amounts.map((amount) => ({ amount, currency: 'PEN' })),
})

t.test(
  "the sum of a guide's charges is compared, and the last of them has the finding",
  async (t) => {
    const right = compared([1_800, 200, 500])
    t.match(right, [
      { finding: 'part_of', expected: null, billedBefore: null },
      { finding: 'part_of', expected: null, billedBefore: null },
      { finding: 'matched', expected: { price: { amount: 2_500 } }, billedBefore: null },
    ])
    for (const each of right) t.strictSame(each.billing, { line: 3, lines: 3, amount: 2_500 })
    t.strictSame(findingsOf([1_800, 200, 501]), ['part_of', 'part_of', 'amount_differs'])
    t.strictSame(findingsOf([2_500, 300]), ['part_of', 'amount_differs'], 'with a surcharge')
    t.strictSame(findingsOf([2_600]), ['amount_differs'])
    t.strictSame(compared([2_500])[0]?.billing, null)
    const mixed = [...chargesOf([1_000]), { ...chargesOf([1_500])[0]!, line: 2, currency: 'USD' }]
    t.match(compareCharges(guideNumber, mixed, shipment(), null), [
      { finding: 'part_of' },
      { finding: 'amount_differs', billing: { line: 2, lines: 2, amount: null } },
    ])
  },
)

t.test('a guide is billed twice once it was billed in full', async (t) => {
  t.strictSame(findingsOf([2_500, 2_500]), ['matched', 'billed_twice'])
  t.match(compared([1_800, 700, 2_000, 500]), [
    { finding: 'part_of', billedBefore: null, billing: { line: 2, lines: 2, amount: 2_500 } },
    { finding: 'matched', billedBefore: null },
    { finding: 'part_of', billedBefore: 2, billing: { line: 4, lines: 2, amount: 2_500 } },
    { finding: 'billed_twice', billedBefore: 2 },
  ])
  t.match(compared([2_500], shipment(), pen(2_500)), [
    { finding: 'billed_twice', billedBefore: 'earlier', expected: null },
  ])
  t.strictSame(findingsOf([1_800, 700], shipment(), pen(2_000, 500)), ['part_of', 'billed_twice'])
  t.strictSame(findingsOf([300], shipment(), pen(2_800)), ['billed_twice'])
  t.match(compared([700], shipment(), pen(1_800)), [
    { finding: 'matched', billedBefore: 'earlier' },
  ])
  t.strictSame(findingsOf([900], shipment(), pen(1_800)), ['amount_differs'])
  const dollars = { amounts: [{ amount: 700, currency: 'USD' }] }
  t.strictSame(findingsOf([2_500], shipment(), dollars), ['billed_twice'])
})

t.test(
  'without a price, the same amount again is billed twice and others are charges',
  async (t) => {
    t.strictSame(findingsOf([3_000, 3_000], priceless), ['matched', 'billed_twice'])
    t.strictSame(findingsOf([3_000, 500, 200], priceless), ['part_of', 'part_of', 'matched'])
    t.strictSame(findingsOf([3_000], priceless, pen(100)), ['billed_twice'])
    t.strictSame(findingsOf([10, 20], null), ['part_of', 'unknown_guide'])
    t.strictSame(findingsOf([10, 10], null), ['unknown_guide', 'billed_twice'])
    const cancelled = shipment({ status: 'cancelled' })
    t.strictSame(findingsOf([1_800, 700], cancelled), ['part_of', 'cancelled_guide'])
    t.strictSame(findingsOf([1_800, 700], shipment({ status: 'creating' })), [
      'part_of',
      'unresolved',
    ])
  },
)

t.test('charges have the weight of the shipment, or of its pieces', async (t) => {
  const weighed = (...grams: readonly (number | null)[]) => {
    const each = chargesOf(grams.map(() => 2_500 / grams.length))
    const charges = each.map((charge, index) => ({ ...charge, weightGrams: grams[index] ?? null }))
    return compareCharges(guideNumber, charges, shipment(), null).at(-1)?.finding
  }
  t.equal(weighed(900, 900), 'matched')
  t.equal(weighed(400, 500), 'matched')
  t.equal(weighed(900, null), 'matched')
  t.equal(weighed(900, 500), 'weight_differs')
})

t.test('each shipment with a number gets its own lines', async (t) => {
  const first = shipment({ shipmentId: `shp_${'1'.repeat(22)}` })
  const second = shipment({ shipmentId: `shp_${'2'.repeat(22)}`, createdAt: start + days(30) })
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  const lineOf = (line: number, more: Partial<InvoiceLine> = {}) => ({
    line,
    kind: 'charge' as const,
    guideNumber,
    amount: 2_500,
    currency: 'PEN',
    weightGrams: null,
    date: null,
    clientReference: null,
    foundBefore: null,
    ...more,
  })
  const shared = (lines: readonly ReturnType<typeof lineOf>[], billed: readonly string[] = []) => {
    const before = (id: string) => (billed.includes(id) ? pen(2_500) : null)
    const of = shareLines(lines, [second, first], before)
    return lines.map(({ line }) => (of.get(line) === first ? 1 : 2))
  }
  const late = dayOf(start + days(31))
  t.strictSame(shared([lineOf(1), lineOf(2)]), [1, 2], 'one after the other')
  t.strictSame(shared([lineOf(1, { clientReference: second.shipmentId }), lineOf(2)]), [2, 1])
  t.strictSame(shared([lineOf(1, { date: late }), lineOf(2, { date: dayOf(start) })]), [2, 1])
  t.strictSame(shared([lineOf(1, { date: late }), lineOf(2, { date: late })]), [2, 1])
  t.strictSame(shared([lineOf(1)], [first.shipmentId]), [2], 'the other was billed before')
  const parts = [1, 2, 3, 4].map((line) =>
    lineOf(line, { amount: 1_250, date: line < 3 ? dayOf(start) : late }),
  )
  t.strictSame(shared(parts), [1, 1, 2, 2], 'with all their charges')
  t.strictSame(shared([lineOf(1), lineOf(2), lineOf(3)]), [1, 2, 2], 'one too many')
})
