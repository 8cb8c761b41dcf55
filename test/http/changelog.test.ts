import t from 'tap'
import { changelogPage, type Entry, nextEntries } from '../docs/changes/changelog.ts'
import { committedDocument } from '../support/declared-answers.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests change the document in every place
type Change = (document: any) => void
const day = '2026-03-01'

function changed(change: Change): object {
  const copy = structuredClone(committedDocument)
  change(copy)
  return copy
}

function entryOf(change: Change): Entry | undefined {
  return nextEntries([], { before: committedDocument, now: changed(change), date: day })[0]
}

const addField: Change = (document) => {
  document.components.schemas.ShipmentWithGuide.properties.carrier_note = { type: 'string' }
}

t.test('a document that is as it was adds nothing to the changelog', async (t) => {
  t.equal(
    entryOf((document) => {
      document.components.schemas.Shipment.description = 'Other words.'
    }),
    undefined,
  )
})

const additions: Readonly<Record<string, readonly [Change, readonly string[]]>> = {
  'a route': [
    (d) => {
      d.paths['/v1/parcels'] = {
        get: { ...d.paths['/v1/couriers'].get, summary: 'List parcels' },
      }
    },
    ['GET /v1/parcels', 'is new:', 'List parcels'],
  ],
  'a field of an answer': [addField, ['Shipment', 'has', 'carrier_note']],
  'a field inside a field': [
    (d) => {
      d.components.schemas.ShipmentWithGuide.properties.recipient.anyOf[0].properties.nickname = {}
    },
    ['Shipment.recipient', 'has', 'nickname'],
  ],
  'a query parameter': [
    (d) => d.paths['/v1/couriers'].get.parameters.push({ in: 'query', name: 'mode', schema: {} }),
    ['GET /v1/couriers', 'takes', 'mode'],
  ],
  'a value of an enumeration': [
    (d) => d.components.schemas.ShipmentWithGuide.properties.status.enum.push('paused'),
    ['Shipment.status', 'may be', 'paused'],
  ],
  'a reason': [
    (d) => {
      const { responses } = d.paths['/v1/couriers'].get
      responses['404'] = d.paths['/v1/workspaces/{id}'].get.responses['404']
    },
    ['GET /v1/couriers', 'may answer', '404 not_found'],
  ],
  'a deprecation': [
    (d) => {
      const { get } = d.paths['/v1/couriers']
      get.deprecated = true
      get['x-deprecation'] = { since: '2026-03-01', sunset: '2027-03-01' }
    },
    ['GET /v1/couriers', 'is deprecated:', 'since 2026-03-01; it will be removed on 2027-03-01'],
  ],
}

for (const [what, [change, statement]] of Object.entries(additions)) {
  t.test(`the changelog says that ${what} was added, and nothing else`, async (t) => {
    t.strictSame(entryOf(change), { date: day, added: [statement], removed: [] })
  })
}

t.test('changes of one day are one entry, and what was taken back is in none', async (t) => {
  const withField = changed(addField)
  const first = nextEntries([], { before: committedDocument, now: withField, date: day })
  const taken = nextEntries(first, { before: withField, now: committedDocument, date: day })
  t.strictSame(taken, [])
  const later = nextEntries(first, {
    before: withField,
    now: committedDocument,
    date: '2026-03-02',
  })
  t.strictSame(
    later.map(({ date }) => date),
    ['2026-03-02', day],
  )
  t.strictSame(later[0]?.removed, [['Shipment', 'has', 'carrier_note']])
})

t.test('the changelog takes statements together', async (t) => {
  const page = changelogPage([
    {
      date: day,
      added: [
        ['GET /v1/a', 'takes', 'limit'],
        ['GET /v1/b', 'takes', 'limit'],
        ['Shipment', 'has', 'one'],
        ['Shipment', 'has', 'two'],
        ['GET /v1/c', 'is new:', 'List things'],
      ],
      removed: [['Quote.status', 'may be', 'old']],
    },
  ])
  t.match(page, '## 2026-03-01\n\n- `GET /v1/a`, `GET /v1/b` take `limit`.\n')
  t.match(page, '- `Shipment` has `one`, `two`.\n')
  t.match(page, '- `GET /v1/c` is new: List things.\n')
  t.match(page, '- No longer: `Quote.status` may be `old`.\n')
})
