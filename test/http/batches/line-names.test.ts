import t from 'tap'
import { type AgencyIndex, agencyIndex } from '../../../src/service/couriers/agency-index.ts'
import type { Agency, PackageProduct } from '../../../src/service/couriers/catalogue.ts'
import { Problem } from '../../../src/service/errors.ts'
import { nameLines } from '../../../src/service/http/batches/line-names.ts'
import { exampleShipmentRequest } from '../../../src/service/http/openapi/examples.ts'
import type { BatchLine } from '../../../src/service/sheets/batch-line.ts'
import type { SheetLine } from '../../../src/service/sheets/read-sheet.ts'
import type { LineName } from '../../../src/service/sheets/sheet-line.ts'

const agency = (code: string, name: string, district: string, province = district): Agency => ({
  id: `agy_${code}`,
  providerCode: 'any',
  code,
  name,
  address: 'Calle Uno 1',
  department: 'Lima',
  province,
  district,
  capabilities: ['drop_off', 'pickup'],
})

const agencies = [
  agency('1', 'Agencia Centro', 'Ate', 'Lima'),
  agency('2', 'Agencia Centro', 'Wanchaq', 'Cusco'),
  agency('3', 'Agencia Miraflores', 'Miraflores', 'Lima'),
  agency('4', 'Agencia Miraflores', 'Miraflores', 'Arequipa'),
  agency('5', 'C.C. Plaza Nórte', 'Independencia'),
  agency('6', 'Óvalo 1', '12 de Octubre'),
  agency('7', 'Óvalo', '1 12 de Octubre'),
  { ...agency('8', 'Kiosco Centro', 'Ate', 'Lima'), capabilities: ['pickup' as const] },
]
const product = (code: string, name: string): PackageProduct => ({
  id: `pkg_${code}`,
  providerCode: 'any',
  code,
  name,
  maxWeightKg: 1,
  maxLengthM: 1,
  maxWidthM: 1,
  maxHeightM: 1,
})
const products = [product('1', 'Sobre'), product('2', 'Caja S'), product('3', 'caja - s')]

type Lists = { readonly index: AgencyIndex<Agency>; readonly items: readonly PackageProduct[] }

function namesIn({ index, items }: Lists) {
  return nameLines({
    livemode: false,
    catalogue: {
      agencies: async () => ({ kind: 'listed', index }),
      packageProducts: async () => ({ kind: 'listed', items }),
    },
    providerOf: (id) => (id === 'ccn_1' ? 'any' : undefined),
    chosen: { 'La de siempre': 'agy_3' },
  })
}

const lists = { index: await agencyIndex(agencies), items: products }
const ids = {
  origin_agency: '/origin/agency_id',
  destination_agency: '/destination/agency_id',
  product: '/package/product_id',
}

/** The id that a text names, or the error. */
async function found(text: string, name: keyof typeof ids = 'origin_agency', from = lists) {
  const pointer = ids[name]
  const read = await namesIn(from)(lineWith('ccn_1', [{ name, pointer, text }]))
  const [, group = '', field = ''] = pointer.split('/')
  const values = read.body?.[group as 'origin'] as Record<string, string> | undefined
  const errors = (read.errors ?? []).map(({ reason, detail }) => `${reason}: ${detail}`)
  return values?.[field] ?? errors.join()
}

/** What a text may have meant. */
async function suggested(text: string, name: keyof typeof ids = 'origin_agency', from = lists) {
  const names = [{ name, pointer: ids[name], text }]
  const read = await namesIn(from)(lineWith('ccn_1', names))
  return read.errors?.[0]?.suggestions?.map(({ label }) => label) ?? []
}

function lineWith(connection: unknown, names: readonly LineName[]): SheetLine<BatchLine> {
  const body = {
    ...exampleShipmentRequest('any'),
    courier_connection_id: connection as string,
  }
  return { line: 2, body, names }
}

t.test(
  'a misspelt agency is suggested, with one letter, accents or words in another order',
  async (t) => {
    const norte = 'C.C. Plaza Nórte, Independencia, Independencia'
    for (const text of ['CC Plaza Nrote', 'Plasa Norte', 'C.C. Norte Plaza', 'Plaza Nortte']) {
      t.equal((await suggested(text))[0], norte, text)
    }
    t.equal((await suggested('Agencia Cuzco'))[0], 'Agencia Centro, Wanchaq, Cusco')
    t.equal(
      (await suggested('Agencia Mirraflores Arequpa'))[0],
      'Agencia Miraflores, Miraflores, Arequipa',
    )
    t.same((await suggested('Sobbre', 'product'))[0], 'Sobre')
    const envelopes = { ...lists, items: [product('1', 'Sobre AB'), product('2', 'Sobre A')] }
    t.same(await suggested('Sobbre A', 'product', envelopes), ['Sobre A', 'Sobre AB'])
    t.same(await suggested('Xyz'), [])
  },
)

t.test('a text that the client chose an id for has this id', async (t) => {
  t.equal(await found('LA DE SIEMPRE'), 'agy_3')
})

t.test('a name is equal whatever its case, accents and punctuation', async (t) => {
  for (const text of ['C.C. Plaza Nórte', 'c c plaza norte', '  C/C PLAZA -NORTE']) {
    t.equal(await found(text), 'agy_5')
  }
  for (const text of ['Plaza Norte', 'C.C. Plaza', 'C.C. Plaza Norte 2']) {
    t.match(await found(text), /^agency_not_found/, text)
  }
})

t.test('one of several agencies is named with its places', async (t) => {
  for (const text of [
    'Agencia Centro, Ate',
    'agencia centro - ate',
    'Agencia Centro (Ate, Lima)',
  ]) {
    t.equal(await found(text), 'agy_1')
  }
  t.equal(await found('Agencia Centro, Cusco'), 'agy_2')
  t.equal(await found('Agencia Miraflores, Miraflores, Arequipa'), 'agy_4')
  t.equal(
    await found('Agencia Miraflores, Miraflores'),
    'agency_ambiguous: Column `origin_agency`: Several agencies have this name: Agencia Miraflores, Miraflores, Lima (agy_3); Agencia Miraflores, Miraflores, Arequipa (agy_4). Add the district or province to the name, or give the id in `origin_agency_id`.',
  )
  t.match(await found('Agencia Centro'), /^agency_ambiguous/)
  const clash = await found('Óvalo 1, 12 de Octubre')
  t.match(clash, /^agency_ambiguous.*agy_7.*agy_6/, 'a name with a place has no precedence')
})

t.test('of many agencies with a name, five are named', async (t) => {
  const many = Array.from({ length: 8 }, (_, n) => agency(`m${n}`, 'Agencia', `Distrito ${n}`))
  const text = await found('agencia', 'origin_agency', { ...lists, index: await agencyIndex(many) })
  t.equal(text.match(/agy_/g)?.length, 5)
  t.match(text, '(agy_m4), and 3 more.')
})

t.test('similar agencies with the capability are suggested, and never taken', async (t) => {
  const text = await found('Agencia Sentro')
  t.match(text, /^agency_not_found: .*has no agency of this name\. Similar ones: Agencia/)
  t.match(await found('Agencia Zentro Ate'), /Similar ones: Agencia Centro, Ate, Lima \(agy_1\)\.$/)
  t.notMatch(await found('Centro'), 'agy_8')
  t.match(await found('Centro', 'destination_agency'), 'Kiosco Centro, Ate, Lima (agy_8)')
  t.equal(
    await found('Xyz'),
    'agency_not_found: Column `origin_agency`: The courier has no agency of this name.',
  )
  t.match(await found('...'), /^agency_not_found/)
})

t.test('a product has one name', async (t) => {
  t.equal(await found('SOBRE', 'product'), 'pkg_1')
  t.match(await found('Caja S', 'product'), /^product_ambiguous: .*pkg_2.*pkg_3.*`product_id`/)
  t.match(await found('Caja', 'product'), /^product_not_found: .*Sobre \(pkg_1\); Caja S/)
})

t.test('the order of the lists does not matter', async (t) => {
  const turned = {
    index: await agencyIndex(agencies.toReversed()),
    items: products.toReversed(),
  }
  for (const text of ['Agencia Centro, Ate', 'C.C. Plaza Norte', 'Agencia Centro', 'Óvalo 1']) {
    const [one, other] = await Promise.all([found(text), found(text, 'origin_agency', turned)])
    if (one.startsWith('agy_')) t.equal(other, one)
    else t.equal(other.slice(0, 20), one.slice(0, 20))
  }
})

t.test('a line without a known connection is refused, and others are as they were', async (t) => {
  const name = namesIn(lists)
  const plain = lineWith('ccn_1', [])
  t.equal(await name(plain), plain)
  const names = [{ name: 'product', pointer: ids.product, text: 'Sobre' }]
  for (const [connection, reason] of [
    [undefined, 'required'],
    [7, 'required'],
    ['ccn_2', 'connection_not_found'],
  ] as const) {
    const { body, errors } = await name(lineWith(connection, names))
    t.equal(body, null)
    t.match(errors, [{ pointer: '/courier_connection_id', reason }])
  }
})

t.test('a list that cannot be read refuses all lines, to be sent again', async (t) => {
  const unread = nameLines({
    livemode: false,
    catalogue: {
      agencies: async () => ({ kind: 'not_sent', cause: 'unreachable' }),
      packageProducts: async () => ({ kind: 'absent' }),
    },
    providerOf: () => 'any',
    chosen: {},
  })
  const names = [{ name: 'product', pointer: ids.product, text: 'Sobre' }]
  const error = await unread(lineWith('ccn_1', names)).catch((reason: unknown) => reason)
  t.ok(error instanceof Problem)
  t.match(error, { reason: 'courier_unreachable', options: { retryAfterSeconds: 5 } })
})
