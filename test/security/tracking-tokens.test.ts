import t from 'tap'
import { base62Alphabet } from '../../src/service/domain/ids.ts'
import { linkNumberMax } from '../../src/service/domain/shipment/tracking-link.ts'
import { trackingTokens } from '../../src/service/security/tracking-links/tracking-tokens.ts'

const tokens = trackingTokens(Buffer.alloc(32, 7))
const values = ['0'.repeat(22), 'z'.repeat(22), '0aB1cD2eF3gH4iJ5kL6mN7', '0000000000000000000001']

t.test('a token is always the same and leads back to its shipment and number', async (t) => {
  for (const value of values) {
    for (const number of [0, 1, linkNumberMax]) {
      const link = { shipmentId: `shp_${value}`, number }
      const token = tokens.of(link)
      t.match(token, /^[0-9A-Za-z]{46}$/)
      t.equal(tokens.of(link), token)
      t.same(tokens.read(token), link)
      t.notOk(token.includes(value), 'the id is not in it')
    }
  }
})

t.test('the next token of a shipment has nothing in common with the one before', async (t) => {
  const shipmentId = `shp_${values[2]}`
  const [first = '', second = ''] = [0, 1].map((number) => tokens.of({ shipmentId, number }))
  const alike = [...first].filter((character, at) => second[at] === character).length
  t.ok(alike < 10, `${alike} of 46 characters are the same`)
})

t.test('no other text is a token', async (t) => {
  const token = tokens.of({ shipmentId: `shp_${values[2]}`, number: 0 })
  const altered = [...token].map((character, at) => {
    const next = base62Alphabet[(base62Alphabet.indexOf(character) + 1) % 62] as string
    return token.slice(0, at) + next + token.slice(at + 1)
  })
  const texts = [
    '',
    'x',
    token.slice(1),
    `${token}0`,
    `${token}/`,
    ` ${token.slice(1)}`,
    token.toLowerCase(),
    'z'.repeat(46),
    '0'.repeat(46),
    '😀'.repeat(23),
    'a'.repeat(10_000),
    ...altered,
  ]
  for (const text of texts) t.equal(tokens.read(text), null, text.slice(0, 60))
  t.equal(trackingTokens(Buffer.alloc(32, 8)).read(token), null, 'another service')
})
