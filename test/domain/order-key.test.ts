import t from 'tap'
import { orderKeyOf, plainReference } from '../../src/service/domain/shipment/order-key.ts'

const isOne = (a: string, b: string) => plainReference(a) === plainReference(b)

t.test('two spellings of a reference are one order, and two orders stay two', async (t) => {
  const same = [
    ['PEDIDO-\u00d11', 'PEDIDO-N\u03031'],
    ['8001', '8001.0'],
    ['8001', '８００１'],
    ['８００１．０', '8001'],
    ['A\u00a01', 'A 1'],
    ['\ufb01n-1', 'fin-1'],
    ['Ⅷ', 'ⅷ'],
    ['Ⓐ1', 'ⓐ1'],
  ] as const
  for (const [one, other] of same) t.ok(isOne(one, other), `${one} ${other}`)
  const different = [
    ['a-1', 'A-1'],
    ['123', '00123'],
    ['8001', '80010'],
    ['8001.0', '8001.00'],
    ['.0', '0'],
    ['#1001', '1001'],
    ['\u00d1', 'N'],
  ] as const
  for (const [one, other] of different) t.notOk(isOne(one, other), `${one} ${other}`)
})

t.test('the key of an order is of its workspace and mode, and does not show it', async (t) => {
  const order = { workspaceId: 'ws_1', livemode: false, reference: '8001' }
  const key = orderKeyOf(order)
  t.equal(orderKeyOf({ ...order, reference: '8001.0' }), key)
  const others = [{ workspaceId: 'ws_2' }, { livemode: true }, { reference: '8002' }]
  for (const other of others) t.not(orderKeyOf({ ...order, ...other }), key)
  t.match(key, /^[\w-]{43}$/)
})
