import {
  after,
  type CourierScript,
  creating,
  dayMs,
  happyScript,
  hourMs,
  minuteMs,
  step,
  toCollected,
  toDestination,
  toReady,
  toTransit,
} from './courier-script.ts'
import {
  cancelCall,
  createCall,
  createWithQuoteCall,
  ownConnectionCalls,
  quoteCall,
  type ScenarioCall,
} from './scenario-calls.ts'

export const scenarioNames = [
  'happy_path',
  'slow_success',
  'courier_rejected',
  'credentials_invalid',
  'courier_throttled',
  'courier_unreachable',
  'lost_response_guide_created',
  'lost_response_nothing_created',
  'lost_response_late_guide',
  'lost_response_human_review',
  'duplicate_guides',
  'malformed_success',
  'label_delayed',
  'quote_partial',
  'cancel_response_lost',
  'delivery_exception',
  'not_collected_returned',
  'lost_parcel',
  'noisy_tracking',
] as const
export type ScenarioName = (typeof scenarioNames)[number]
export const defaultScenario: ScenarioName = 'happy_path'

/** What a test, or a reader, sees when the scenario is played. */
export type ScenarioEnd = {
  /** The answer of the API to the (last) listed call. */
  readonly answer: Answer
  /** The same request again once the scenario has ended. */
  readonly repeated: Answer
  /** How the operation ends, null where none is opened. */
  readonly operation: 'guide_exists' | 'nothing_created' | 'human_review' | 'cancelled' | null
  readonly shipment: string
  /** Where tracking ends, null where there is nothing to track. */
  readonly tracking: string | null
  /** How far the clock has to be advanced from T until all of this holds. */
  readonly afterMs: number
}
type Answer = { readonly status: number; readonly reason: string | null }

export type Scenario = {
  readonly number: number
  readonly summary: string
  readonly steps: readonly string[]
  /** The expected end in words. */
  readonly ends: string
  /** The calls that run it, in order; most need one. */
  readonly calls: readonly ScenarioCall[]
  readonly expected: ScenarioEnd
  readonly script: CourierScript
}

const created: Answer = { status: 201, reason: null }
const unknown: Answer = { status: 409, reason: 'unknown_outcome' }
const collected: ScenarioEnd = {
  answer: created,
  repeated: created,
  operation: null,
  shipment: 'created',
  tracking: 'delivered',
  afterMs: 33 * hourMs,
}
const foundLater: ScenarioEnd = { ...collected, answer: unknown, operation: 'guide_exists' }
const never = { tracking: null, afterMs: 0 } as const

/**
 * The nineteen scenarios: the one table that drives the simulated courier, the sandbox route, the
 * page about it and the test that plays them all.
 */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  happy_path: {
    number: 1,
    summary: 'The guide is created and the parcel is collected.',
    steps: [
      'The courier creates the guide at once.',
      'Origin +2 h, in transit +6 h, at destination +20 h, ready +21 h, collected +30 h.',
    ],
    ends: 'delivered',
    calls: [createCall('happy_path')],
    expected: collected,
    script: happyScript,
  },
  slow_success: {
    number: 2,
    summary: 'The courier takes three seconds to answer.',
    steps: [
      'The courier creates the guide at once and answers after 3 s of real time.',
      'A second request with the same key waits meanwhile and gets the same answer.',
    ],
    ends: 'delivered',
    calls: [createCall('slow_success')],
    expected: collected,
    script: creating({ answerDelayMs: 3_000 }),
  },
  courier_rejected: {
    number: 3,
    summary: 'The courier refuses with HTTP 200 and `success: false`.',
    steps: ['The courier refuses.', 'The same key gets the same refusal for ever.'],
    ends: 'rejected',
    calls: [createCall('courier_rejected')],
    expected: {
      answer: { status: 422, reason: 'courier_rejected' },
      repeated: { status: 422, reason: 'courier_rejected' },
      operation: null,
      shipment: 'rejected',
      ...never,
    },
    script: creating({
      refusal: { code: 'destination_suspended', message: 'Destino suspendido temporalmente.' },
      guides: 0,
    }),
  },
  credentials_invalid: {
    number: 4,
    summary: 'The courier refuses the credentials until they are replaced.',
    steps: [
      'The courier answers 401; the connection is parked as `needs_reauth`.',
      'PATCH the connection with other credentials and repeat with the same key: 201.',
    ],
    ends: 'the connection is parked; after PATCH the same key succeeds',
    calls: ownConnectionCalls('credentials_invalid'),
    expected: {
      answer: { status: 424, reason: 'connection_needs_reauth' },
      repeated: { status: 424, reason: 'connection_needs_reauth' },
      operation: null,
      shipment: 'not_executed',
      ...never,
    },
    script: creating({ credentials: 'refused_until_replaced' }),
  },
  courier_throttled: {
    number: 5,
    summary: 'The courier asks to slow down twice, then creates.',
    steps: ['429 with `Retry-After: 1`, twice.', 'The third call creates the guide.'],
    ends: 'created',
    calls: [createCall('courier_throttled')],
    expected: collected,
    script: creating({ throttledCalls: 2 }),
  },
  courier_unreachable: {
    number: 6,
    summary: 'Nothing listens where the first attempt is addressed.',
    steps: [
      'Attempt 1 of the key, its safe retries included, goes to a closed port: 503.',
      'The same key again is attempt 2 and reaches the courier: 201.',
    ],
    ends: 'same key again: 201',
    calls: [createCall('courier_unreachable')],
    expected: {
      ...collected,
      answer: { status: 503, reason: 'courier_unreachable' },
      shipment: 'not_executed',
      ...never,
    },
    script: creating({ unreachableAttempts: 1 }),
  },
  lost_response_guide_created: {
    number: 7,
    summary: 'The guide is created and the answer is lost.',
    steps: ['The courier creates the guide, then cuts the connection.', 'The first look finds it.'],
    ends: 'guide_exists at the first look; same key: 201',
    calls: [createCall('lost_response_guide_created')],
    expected: foundLater,
    script: creating({ answer: 'cut' }),
  },
  lost_response_nothing_created: {
    number: 8,
    summary: 'The connection is cut and nothing was created.',
    steps: [
      'The courier cuts the connection without creating anything.',
      'Looks find nothing; three that count after settling conclude it.',
      'A new key without the scenario: 201.',
    ],
    ends: 'nothing_created after settling and three counted looks',
    calls: [createCall('lost_response_nothing_created')],
    expected: {
      answer: unknown,
      repeated: { status: 409, reason: 'nothing_created' },
      operation: 'nothing_created',
      shipment: 'not_created',
      tracking: null,
      afterMs: 4 * minuteMs,
    },
    script: creating({ answer: 'cut', guides: 0 }),
  },
  lost_response_late_guide: {
    number: 9,
    summary: 'The guide shows only three minutes later.',
    steps: [
      'The courier cuts the connection.',
      'The guide shows from T+180 s, after looks that found nothing, two of which counted.',
    ],
    ends: 'guide_exists: proof that nothing is concluded early',
    calls: [createCall('lost_response_late_guide')],
    expected: foundLater,
    script: creating({ answer: 'cut', shownAtMs: 180_000 }),
  },
  lost_response_human_review: {
    number: 10,
    summary: 'The answer is lost and the courier cannot be asked for twenty hours.',
    steps: [
      'The courier creates the guide and cuts the connection.',
      'Every look fails with 5xx until T+20 h; at T+8 h a human is asked.',
      'Deciding `nothing_created` is contradicted at T+24 h, when a look finds the guide.',
    ],
    ends: 'human_review at T+8 h',
    calls: [createCall('lost_response_human_review')],
    expected: {
      answer: unknown,
      repeated: unknown,
      operation: 'human_review',
      shipment: 'unknown_outcome',
      tracking: null,
      afterMs: 8 * hourMs + minuteMs,
    },
    script: {
      ...creating({ answer: 'cut' }),
      looksFailUntilMs: 20 * hourMs,
    },
  },
  duplicate_guides: {
    number: 11,
    summary: 'The answer is lost and the courier shows two guides.',
    steps: ['The courier creates two guides and cuts the connection.', 'The look finds both.'],
    ends: 'human_review with both as evidence',
    calls: [createCall('duplicate_guides')],
    expected: {
      answer: unknown,
      repeated: unknown,
      operation: 'human_review',
      shipment: 'unknown_outcome',
      tracking: null,
      afterMs: minuteMs,
    },
    script: creating({ answer: 'cut', guides: 2 }),
  },
  malformed_success: {
    number: 12,
    summary: 'The answer says success and breaks off in the middle.',
    steps: ['The courier creates the guide and answers 200 with half a body.', 'A look finds it.'],
    ends: 'guide_exists',
    calls: [createCall('malformed_success')],
    expected: foundLater,
    script: creating({ answer: 'half' }),
  },
  label_delayed: {
    number: 13,
    summary: 'The label comes ten minutes after the guide.',
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
      'The first quote of a workspace has the old price, every later one the new.',
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
    },
    script: after({ prices: 'raised' }),
  },
  cancel_response_lost: {
    number: 15,
    summary: 'The cancellation is accepted and its answer lost.',
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
      afterMs: minuteMs,
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
    expected: { ...collected, afterMs: 57 * hourMs },
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
    summary: 'Nobody collects the parcel and it goes back.',
    steps: [
      'As in happy_path until it is ready.',
      'Reminder +5 d, last notice +12 d, not collected +15 d, returned +18 d.',
    ],
    ends: 'returned',
    calls: [createCall('not_collected_returned')],
    expected: { ...collected, tracking: 'returned', afterMs: 18 * dayMs + 7 * hourMs },
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
    expected: { ...collected, afterMs: 13 * dayMs + 7 * hourMs },
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
    summary: 'Tracking repeats itself, comes out of order and fails for six hours.',
    steps: [
      'Every scan before the destination is told twice, the newest first.',
      'One code is unmapped and one event malformed; from +8 h to +14 h tracking answers 503.',
      'A late origin scan comes at +31 h, after delivery.',
    ],
    ends: 'delivered; no regression; monitoring unreachable → active',
    calls: [createCall('noisy_tracking')],
    expected: { ...collected, afterMs: 56 * hourMs },
    script: after({
      trackingFails: { fromMs: 8 * hourMs, untilMs: 14 * hourMs },
      timeline: [
        step('received_at_origin', 31 * hourMs),
        ...toCollected.slice(3).toReversed(),
        { ...step('in_transit', 7 * hourMs), code: 'sorted_on_belt', text: 'Clasificado en faja' },
        step('in_transit', 7 * hourMs, { told: 'malformed' }),
        ...toTransit.toReversed().map((scan) => ({ ...scan, told: 'twice' as const })),
      ],
    }),
  },
}

export function isScenarioName(text: string): text is ScenarioName {
  return Object.hasOwn(scenarios, text)
}
