import t from 'tap'
import type { LookResult } from '../../src/service/domain/operation/kind.ts'
import { evolve, type Shipment, type State } from '../../src/service/domain/shipment/shipment.ts'
import type { ShipmentEvent } from '../../src/service/domain/shipment/shipment-events.ts'
import { renderedWebhooks } from '../../src/service/domain/webhooks/webhook-render.ts'
import {
  hours,
  minutes,
  operationId,
  type Past,
  request,
  seconds,
  shipmentId,
  start,
  uuid,
} from '../support/given.ts'
import { act, play, type ScriptedCourier, type Timeline } from './timeline.ts'

/** The alerts of a history, each with the webhooks of the same event before it. */
function alertsOf({ past }: Timeline) {
  return renderedOf(past).filter(({ resource }) => resource.type === 'alert')
}

function renderedOf(past: Past) {
  let before: State = null
  return past.events.flatMap((event, index) => {
    const at = event.occurredAt ?? start
    const recorded = { ...event, version: index + 1, occurredAt: at, recordedAt: at }
    const after = evolve(before, recorded) as Shipment
    const rendered = renderedWebhooks({
      shipmentId,
      before,
      event: recorded as typeof recorded & ShipmentEvent,
      after,
    })
    before = after
    return rendered
  })
}

const stateOf = ({ type, object }: ReturnType<typeof alertsOf>[number]) => `${type} ${object.state}`

const lost: ScriptedCourier['call'] = {
  atMs: seconds(1),
  outcome: { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true },
}
const guide = { guideNumber: 'G-1', price: null, pickupCodeRef: uuid(7) }
const found: LookResult = { kind: 'guides', guides: [guide] }
const away: LookResult = { kind: 'inconclusive' }

function decided(line: Timeline, at: number): Timeline {
  const verdict = { decision: 'nothing_created', guide: null, resolutionRef: uuid(9) } as const
  return act(line, { do: 'resolve', operationId, now: at, ...verdict }, at)
}

function seen(line: Timeline, at: number): Timeline {
  const look = { startedAt: at, by: 'reconciliation', result: found } as const
  return act(line, { do: 'record_look', operationId, ...look }, at)
}

const inReview = play({ call: lost, look: () => away }, hours(9))

t.test('an operation raises one alert when it needs review, and resolves it once', async (t) => {
  t.same(alertsOf(inReview).map(stateOf), ['alert.review_needed firing'])
  const [firing] = alertsOf(inReview)
  t.match(firing, {
    resource: { type: 'alert', id: /^alr_\w{22}$/ },
    object: {
      object: 'alert',
      livemode: request.livemode,
      workspace_id: request.workspace_id,
      subject: { type: 'operation', id: operationId },
      shipment_id: shipmentId,
      reason: 'deadline_passed',
      resolved_at: null,
    },
    previous: null,
  })
  const more = act(
    inReview,
    {
      do: 'record_look',
      operationId,
      by: 'operator',
      startedAt: start + hours(9),
      result: away,
    },
    start + hours(9),
  )
  t.equal(alertsOf(more).length, 1, 'another look changes nothing')
  const closed = alertsOf(decided(more, start + hours(10)))
  t.same(closed.map(stateOf), ['alert.review_needed firing', 'alert.review_needed resolved'])
  const [, resolved] = closed
  t.match(resolved, {
    resource: { id: firing?.resource.id },
    object: { since: firing?.object.since, reason: 'deadline_passed', resolved_at: String },
    previous: { state: 'firing', resolved_at: null },
  })
  t.ok(Number(resolved?.resource.version) > Number(firing?.resource.version))
})

t.test('a contradiction raises both alerts, and a person ends both', async (t) => {
  const against = seen(decided(inReview, start + hours(10)), start + hours(24))
  const later = seen(against, start + hours(48))
  const ended = decided(later, start + hours(49))
  t.same(alertsOf(ended).slice(2).map(stateOf), [
    'alert.contradicted firing',
    'alert.review_needed firing',
    'alert.contradicted resolved',
    'alert.review_needed resolved',
  ])
  const reasons = alertsOf(ended).map(({ object }) => object.reason)
  t.same(reasons.slice(2), ['contradicted', 'contradicted', 'contradicted', 'contradicted'])
  const ids = new Set(alertsOf(ended).map(({ resource }) => resource.id))
  t.equal(ids.size, 2, 'the same id each time')
  const again = alertsOf(seen(ended, start + hours(72)))
  t.same(again.slice(-2).map(stateOf), ['alert.contradicted firing', 'alert.review_needed firing'])
})

t.test('an outcome that becomes certain by itself raises no alert', async (t) => {
  t.same(alertsOf(play({ call: lost, look: () => found }, minutes(10))), [])
  const issued = { atMs: seconds(1), outcome: { kind: 'issued', guide } } as const
  t.same(alertsOf(play({ call: issued, look: () => found }, minutes(10))), [])
})
