import {
  after,
  dayMs,
  hourMs,
  minuteMs,
  step,
  toCollected,
  toDestination,
  toReady,
  toTransit,
} from './courier-script.ts'
import {
  collected,
  createdWithLabel,
  never,
  type Scenario,
  unknown,
  untilReady,
  untilTransit,
  updates,
} from './scenario.ts'
import { cancelCall, createCall, createWithQuoteCall, quoteCall } from './scenario-calls.ts'

/** Scenarios 13 to 19: label, price, cancellation and the parcel's journey. */
export const laterScenarios = {
  label_delayed: {
    number: 13,
    summary: 'The label is ready ten minutes after the guide.',
    steps: ['The guide is created at once.', 'Until T+10 min the label is 409 `label_not_ready`.'],
    ends: 'webhook label.ready',
    calls: [createCall('label_delayed')],
    expected: collected,
    script: after({ labelAtMs: 10 * minuteMs }),
  },
  quote_partial: {
    number: 14,
    summary: 'One service is priced, one fails, and the price rises.',
    steps: [
      'The first quote of a workspace has the old price, every later one the new price.',
      'Creating with the old quote is refused: 409 `quote_price_changed`.',
      'A fresh quote and a new key, both under the scenario: 201.',
    ],
    ends: 'created with a fresh quote and a new key',
    calls: [quoteCall('quote_partial'), createWithQuoteCall('quote_partial')],
    expected: {
      answer: { status: 409, reason: 'quote_price_changed' },
      repeated: { status: 409, reason: 'quote_price_changed' },
      operation: null,
      shipment: 'rejected',
      ...never,
      webhooks: ['shipment.rejected'],
    },
    script: after({ prices: 'raised' }),
  },
  cancel_response_lost: {
    number: 15,
    summary: 'The cancellation is accepted and its answer is lost.',
    steps: [
      'The courier cancels and cuts the connection.',
      'After drop-off (T+2 h) it refuses to cancel.',
    ],
    ends: 'cancelled; cancelled too late: delivered',
    calls: [createCall('cancel_response_lost'), cancelCall()],
    expected: {
      answer: unknown,
      repeated: { status: 200, reason: null },
      operation: 'cancelled',
      shipment: 'cancelled',
      tracking: 'cancelled',
      tracked: ['registered', 'cancelled'],
      webhooks: [
        ...createdWithLabel,
        'shipment.cancelled',
        'operation.resolved',
        // Our scan appears at once, and the courier's own scan then replaces it.
        ...updates(2),
      ],
      afterMs: hourMs + minuteMs,
    },
    script: after({ cancelAnswer: 'cut' }),
  },
  delivery_exception: {
    number: 16,
    summary: 'The parcel is held for a day and then collected.',
    steps: [
      'As in happy_path to +20 h.',
      'Held, action required, +20 h; released +44 h; ready +45 h; collected +54 h.',
    ],
    ends: 'delivered; exception raised and resolved',
    calls: [createCall('delivery_exception')],
    expected: {
      ...collected,
      tracked: [
        ...untilTransit,
        'held raised',
        'arrived_at_destination',
        'held resolved',
        'ready_for_pickup',
        'delivered',
      ],
      webhooks: [
        ...createdWithLabel,
        ...updates(4),
        'tracking.exception_raised',
        'tracking.updated',
        'tracking.exception_resolved',
        ...updates(2),
        'tracking.delivered',
      ],
      afterMs: 57 * hourMs,
    },
    script: after({
      timeline: [
        ...toDestination,
        step('held', 20 * hourMs, { actionRequired: true }),
        step('released', 44 * hourMs),
        step('ready_for_pickup', 45 * hourMs),
        step('collected', 54 * hourMs),
      ],
    }),
  },
  not_collected_returned: {
    number: 17,
    summary: 'The recipient never collects the parcel, and it goes back.',
    steps: [
      'As in happy_path until it is ready.',
      'Reminder +5 d, last notice +12 d, not collected +15 d, returned +18 d.',
    ],
    ends: 'returned',
    calls: [createCall('not_collected_returned')],
    expected: {
      ...collected,
      tracking: 'returned',
      tracked: [...untilReady, 'returning', 'returned'],
      webhooks: [...createdWithLabel, ...updates(9), 'tracking.returned'],
      afterMs: 18 * dayMs + 7 * hourMs,
    },
    script: after({
      timeline: [
        ...toReady,
        step('reminder_sent', 5 * dayMs),
        step('last_notice', 12 * dayMs),
        step('not_collected', 15 * dayMs),
        step('returned', 18 * dayMs),
      ],
    }),
  },
  lost_parcel: {
    number: 18,
    summary: 'The parcel is declared lost, found and delivered.',
    steps: [
      'As in happy_path to in transit.',
      'Missing +3 d, lost +10 d, found +12 d, delivered +13 d.',
    ],
    ends: 'lost, then reopened and delivered',
    calls: [createCall('lost_parcel')],
    expected: {
      ...collected,
      tracked: [
        ...untilTransit,
        'missing raised',
        'missing resolved',
        'lost',
        'in_transit',
        'delivered',
      ],
      webhooks: [
        ...createdWithLabel,
        ...updates(4),
        'tracking.exception_raised',
        'tracking.updated',
        'tracking.lost',
        'tracking.exception_resolved',
        ...updates(2),
        'tracking.delivered',
      ],
      afterMs: 13 * dayMs + 7 * hourMs,
    },
    script: after({
      timeline: [
        ...toTransit,
        step('missing', 3 * dayMs),
        step('lost', 10 * dayMs),
        step('found', 12 * dayMs),
        step('delivered', 13 * dayMs),
      ],
    }),
  },
  noisy_tracking: {
    number: 19,
    summary: 'Tracking repeats events, reports them out of order and fails for six hours.',
    steps: [
      'Every scan before the destination is listed twice, newest first.',
      'One code is unmapped and one event malformed; from +8 h to +14 h tracking answers 503.',
      'A late origin scan comes at +31 h, after delivery.',
    ],
    ends: 'delivered; no regression; monitoring unreachable → active',
    calls: [createCall('noisy_tracking')],
    expected: {
      ...collected,
      tracked: [...untilReady, 'delivered', 'anomaly'],
      webhooks: [
        ...createdWithLabel,
        ...updates(7),
        'tracking.delivered',
        // The late scan is kept but does not change the status.
        'tracking.updated',
      ],
      afterMs: 56 * hourMs,
    },
    script: after({
      trackingFails: { fromMs: 8 * hourMs, untilMs: 14 * hourMs },
      timeline: [
        step('received_at_origin', 31 * hourMs),
        ...toCollected.slice(3).toReversed(),
        { ...step('in_transit', 7 * hourMs), code: 'sorted_on_belt', text: 'Clasificado en faja' },
        step('in_transit', 7 * hourMs, { listed: 'malformed' }),
        ...toTransit.toReversed().map((scan) => ({ ...scan, listed: 'twice' as const })),
      ],
    }),
  },
} as const satisfies Readonly<Record<string, Scenario>>
