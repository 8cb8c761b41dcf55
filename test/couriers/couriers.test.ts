import t from 'tap'
import { connector } from '../../src/service/couriers/connector.ts'
import { couriers, type LiveCourier } from '../../src/service/couriers/couriers.ts'
import { createCall, createdBody, httpAnswer, played, rawServer } from './support.ts'

t.test('a test-mode request gets the simulator, whatever courier it names', async (t) => {
  const { courier: simulator } = await played((end) => t.teardown(end))
  const server = await rawServer(
    (end) => t.teardown(end),
    (socket) => {
      socket.write(httpAnswer(200, createdBody))
    },
  )
  const courier = connector({ baseUrl: server.url })
  t.teardown(() => courier.close())
  const live = new Map<string, LiveCourier>([['real_one', { displayName: 'Real one', courier }]])
  const { courierFor, available } = couriers({ simulator, live })

  await t.test('a test-mode request makes no call to a live courier', async (t) => {
    for (const providerCode of ['mock', 'real_one']) {
      const own = courierFor({ livemode: false, providerCode })
      t.equal(own, simulator)
      t.match(await own?.createGuide(createCall()), { kind: 'created' })
    }
    await available({ livemode: false })
    t.equal(server.requests.length, 0)
  })

  await t.test('a live request gets registered couriers only, never the simulator', async (t) => {
    t.equal(courierFor({ livemode: true, providerCode: 'real_one' }), courier)
    t.equal(courierFor({ livemode: true, providerCode: 'mock' }), null)
    live.set('mock', { displayName: 'Not the simulator', courier })
    t.equal(courierFor({ livemode: true, providerCode: 'mock' }), null)
    t.equal(courierFor({ livemode: false, providerCode: 'mock' }), simulator)
    live.delete('mock')
  })

  await t.test('an unknown code gets no courier in either mode', async (t) => {
    for (const providerCode of ['', 'nobody', '__proto__', 'constructor']) {
      t.equal(courierFor({ livemode: false, providerCode }), null)
      t.equal(courierFor({ livemode: true, providerCode }), null)
    }
  })

  await t.test("the couriers listed are those available in the key's mode", async (t) => {
    const capabilities = {
      find: true,
      cancel: true,
      tracking: true,
      label: true,
      quote: true,
      invoices: true,
      cash_on_delivery: true,
      declared_value: true,
      recipient_phone: true,
    }
    const credentialFields = [
      { name: 'username', label: 'User name', secret: false, required: true },
      { name: 'password', label: 'Password', secret: true, required: true },
    ]
    const can = { capabilities, credentialFields }
    t.strictSame(await available({ livemode: false }), [
      { providerCode: 'mock', displayName: 'Simulated courier', modes: ['test'], ...can },
      { providerCode: 'real_one', displayName: 'Real one', modes: ['test', 'live'], ...can },
    ])
    t.match(await available({ livemode: true }), [
      { providerCode: 'real_one', modes: ['test', 'live'], capabilities: null },
    ])
  })
})

t.test(
  'a connector that says only what the first version had is described as before',
  async (t) => {
    let isDown = false
    const server = await rawServer(
      (end) => t.teardown(end),
      (socket) => {
        const can = { find: true, cancel: true, tracking: true, label: true, quote: true }
        const said = JSON.stringify({ protocol: 'v1', name: 'Old', capabilities: can })
        if (isDown) socket.destroy()
        else socket.write(httpAnswer(200, said))
      },
    )
    const courier = connector({ baseUrl: server.url })
    t.teardown(() => courier.close())
    const live = new Map<string, LiveCourier>([['old', { displayName: 'Old', courier }]])
    const { describe } = couriers({ simulator: courier, live })
    const old = {
      capabilities: { cash_on_delivery: false, declared_value: false, recipient_phone: false },
      credentialFields: [
        { name: 'username', label: 'User name', secret: false, required: true },
        { name: 'password', label: 'Password', secret: true, required: true },
      ],
    }
    t.match(await describe({ livemode: true, providerCode: 'old' }), old)
    isDown = true
    t.equal(await courier.describe(), null)
    t.match(
      await describe({ livemode: true, providerCode: 'old' }),
      old,
      'a connector that is down is what it last said',
    )
    t.equal(await describe({ livemode: true, providerCode: 'nobody' }), null)
  },
)

t.test('nothing is known of a connector that has never answered', async (t) => {
  const server = await rawServer(
    (end) => t.teardown(end),
    (socket) => socket.destroy(),
  )
  const courier = connector({ baseUrl: server.url })
  t.teardown(() => courier.close())
  const live = new Map<string, LiveCourier>([['down', { displayName: 'Down', courier }]])
  const { describe } = couriers({ simulator: courier, live })
  t.equal(await describe({ livemode: true, providerCode: 'down' }), null)
})
