import t from 'tap'
import type { CallOutcome, LookResult } from '../../src/service/domain/operation/kind.ts'
import type { Guide } from '../../src/service/domain/operation/machine.ts'
import { isCounted, mayFreeQuotaPlace } from '../../src/service/domain/quota.ts'
import { type Shipment, statusOf } from '../../src/service/domain/shipment/shipment.ts'
import { days, hours, minutes, seconds } from '../support/given.ts'
import { play, type ScriptedCourier } from './timeline.ts'

const guide: Guide = { guideNumber: 'G-1', price: null, pickupCodeRef: null }
const nothing: LookResult = { kind: 'guides', guides: [] }
const found: LookResult = { kind: 'guides', guides: [guide] }
const lost: CallOutcome = { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true }
const notSent: CallOutcome = {
  kind: 'not_sent',
  reason: 'courier_unreachable',
  retryAfterSeconds: null,
}

const answering = (outcome: CallOutcome, look: ScriptedCourier['look'] = () => nothing) => ({
  call: { atMs: seconds(1), outcome },
  look,
})
const stateAfter = (courier: ScriptedCourier, forMs: number) =>
  play(courier, forMs).past.state as Shipment

t.test('quota counts a shipment that may have a guide and returns one that has none', (t) => {
  const issued: CallOutcome = { kind: 'issued', guide }
  const rejected: CallOutcome = { kind: 'rejected', detailRef: null }
  const summaryOf = (state: Shipment) => [
    statusOf(state),
    isCounted(state),
    mayFreeQuotaPlace(state),
  ]
  t.same(summaryOf(stateAfter({ call: null, look: () => nothing }, 0)), ['creating', true, false])
  t.same(summaryOf(stateAfter(answering(issued), minutes(1))), ['created', true, false])
  t.same(summaryOf(stateAfter(answering(rejected), minutes(1))), ['rejected', false, true])
  t.same(summaryOf(stateAfter(answering(notSent), minutes(1))), ['not_executed', false, true])
  t.same(summaryOf(stateAfter(answering(lost), minutes(1))), ['unknown_outcome', true, false])
  t.same(summaryOf(stateAfter(answering(lost), minutes(10))), ['not_created', false, true])
  t.same(
    summaryOf(
      stateAfter(
        answering(lost, () => found),
        hours(1),
      ),
    ),
    ['created', true, false],
  )
  t.end()
})

t.test('a guide found after its quota was returned is counted again', (t) => {
  const late = answering(lost, (at) => (at < hours(1) ? nothing : found))
  const state = stateAfter(late, days(2))
  t.ok(state.attempts.some(({ contradicted }) => contradicted))
  t.ok(isCounted(state))
  t.ok(mayFreeQuotaPlace(state))
  t.end()
})
