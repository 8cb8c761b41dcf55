import type { z } from 'zod'
import type { requests } from '../service/couriers/protocol.ts'
import { etaMs, type TimelineStep } from '../service/couriers/scenarios/courier-script.ts'
import { derivedValue } from '../service/domain/ids.ts'
import { guideIn, isDue, type Play, type Reply, refusal, timeOf, unknownGuide } from './replies.ts'
import type { GuideRow, SimulatorRecord } from './simulator-record.ts'

/** The tracking events of the guide's scenario that are visible by now. */
export function track(
  record: SimulatorRecord,
  call: z.infer<typeof requests.track>,
  play: Play,
): Reply {
  const guide = guideIn(record, call)
  if (guide === undefined) return unknownGuide
  const from = timeOf(guide, play)
  const { timeline, trackingFails } = play.script
  if (
    trackingFails !== null &&
    isDue(play, from, trackingFails.fromMs) &&
    !isDue(play, from, trackingFails.untilMs)
  ) {
    return { ...refusal('out_of_order', 'Sistema no disponible.', 503), outcome: 'failed' }
  }
  const cancelledAt = guide.cancelledAt
  const shown = timeline
    .map((step, index) => ({ step, index }))
    .filter(({ step }) => isDue(play, from, step.shownAtMs))
    .filter(
      ({ step }) => cancelledAt === null || from.getTime() + step.atMs <= cancelledAt.getTime(),
    )
  const events = shown.flatMap(({ step, index }) => {
    const event = eventOf(guide, step, index, from)
    return step.listed === 'twice' ? [event, event] : [event]
  })
  if (cancelledAt !== null) events.push(cancellationOf(guide, cancelledAt))
  const eta = etaMs(play.script)
  const open = cancelledAt === null && eta !== null && !isDue(play, from, eta)
  return {
    status: 200,
    body: {
      success: true,
      eta: open ? new Date(from.getTime() + eta).toISOString() : null,
      events,
    },
    outcome: 'tracked',
  }
}

function eventOf(guide: GuideRow, step: TimelineStep, index: number, from: Date): object {
  const codes = { origin: guide.originCode, destination: guide.destinationCode }
  return {
    id: eventIdOf(guide, String(index)),
    code: step.code,
    occurred_at:
      step.listed === 'malformed'
        ? 'ayer por la tarde'
        : new Date(from.getTime() + step.atMs).toISOString(),
    agency_code: step.at === null ? null : codes[step.at],
    text: step.text,
    action_required: step.actionRequired,
  }
}

function cancellationOf(guide: GuideRow, at: Date): object {
  return {
    id: eventIdOf(guide, 'cancelled'),
    code: 'cancelled',
    occurred_at: at.toISOString(),
    agency_code: null,
    text: 'Guía anulada',
    action_required: false,
  }
}

function eventIdOf(guide: GuideRow, which: string): string {
  return derivedValue('tracking-event', guide.clientReference, guide.scenario, which)
}
