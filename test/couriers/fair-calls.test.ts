import type { Socket } from 'node:net'
import t from 'tap'
import { connector } from '../../src/service/couriers/connector.ts'
import { InFlightCalls } from '../../src/service/processes/calls/in-flight-calls.ts'
import { eventually } from '../support/eventually.ts'
import { createCall, createdBody, httpAnswer, rawServer } from './support.ts'

const waitingMax = 480
const runningMax = 48

t.test('an organization with many slow calls leaves the courier to others', async (t) => {
  const held: Socket[] = []
  let holds = true
  const answer = (socket: Socket) => socket.write(httpAnswer(200, createdBody))
  const server = await rawServer(
    (end) => t.teardown(end),
    (socket) => {
      if (holds && held.length < runningMax) held.push(socket)
      else answer(socket)
    },
  )
  const courier = connector({ baseUrl: server.url, callMs: 60_000 })
  t.teardown(() => courier.close())
  const of = (organizationId: string) => courier.createGuide(createCall({ organizationId }))

  const tooMany = 20
  const greedy = Array.from({ length: runningMax + waitingMax + tooMany }, () => of('org_greedy'))
  await eventually(
    () => held.length,
    (count) => count === runningMax,
  )
  t.equal((await of('org_other')).kind, 'created', 'which does not wait for them')
  t.equal(server.requests.length, runningMax + 1)
  holds = false
  for (const socket of held) answer(socket)
  const kinds = (await Promise.all(greedy)).map(({ kind }) => kind)
  t.equal(kinds.filter((kind) => kind === 'created').length, runningMax + waitingMax)
  t.equal(
    kinds.filter((kind) => kind === 'not_sent').length,
    tooMany,
    'what did not fit was not sent',
  )
  t.equal(server.requests.length, runningMax + waitingMax + 1)
})

t.test(
  'an organization has its share of the calls of a process while there are many',
  async (t) => {
    const inFlightCalls = new InFlightCalls()
    const ends: (() => void)[] = []
    const begin = (organizationId: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      inFlightCalls.trackCall(
        { organizationId, operationId: `${organizationId}-${ends.length}` },
        promise,
      )
    }
    const beginAll = (organizationId: string) => {
      let begun = 0
      for (; !inFlightCalls.isFullFor(organizationId); begun++) begin(organizationId)
      return begun
    }
    t.equal(beginAll('org_1'), 2_000, 'all of them, alone')
    t.equal(beginAll('org_2'), 1_000, 'half of them, beside another')
    t.equal(beginAll('org_3'), 667)
    t.equal(beginAll('org_4'), 333, 'at twice the limit no more are accepted')
    t.ok(inFlightCalls.isFullFor('org_5'))
    for (const end of ends) end()
    await inFlightCalls.idle()
    t.equal(beginAll('org_1'), 2_000)
  },
)
