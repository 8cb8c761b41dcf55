import type { TrackingCode } from '../protocol-codes.ts'

/** Times in a script are milliseconds after T, when the attempt was requested. */
export type TimelineStep = {
  /** A code of the protocol. Any other text is an unmapped code. */
  readonly code: string
  /** When it happened. */
  readonly atMs: number
  /** When the courier reports it, by default at once. */
  readonly shownAtMs: number
  readonly at: 'origin' | 'destination' | null
  /** The courier's own words. */
  readonly text: string
  readonly actionRequired: boolean
  /** `twice`: listed twice with the same id. `malformed`: without a readable time. */
  readonly listed: 'once' | 'twice' | 'malformed'
}

/** The simulated courier's behavior in one scenario, as data. */
export type CourierScript = {
  readonly create: {
    /** How many of the key's first attempts go to a port where nothing listens. */
    readonly unreachableAttempts: number
    /** Calls for one reference that get 429 before one is executed. */
    readonly throttledCalls: number
    /** Whether the first credentials seen are refused until others arrive. */
    readonly credentials: 'accepted' | 'refused_until_replaced'
    readonly refusal: { readonly code: string; readonly message: string } | null
    /** Guides created by one call. */
    readonly guides: 0 | 1 | 2
    /** When they become visible to searches. */
    readonly shownAtMs: number
    readonly answer: 'whole' | 'cut' | 'half'
    /** Real time between creating the guide and answering. */
    readonly answerDelayMs: number
  }
  /** Searches for guides get 500 until this time. */
  readonly looksFailUntilMs: number
  readonly labelAtMs: number
  readonly cancelAnswer: 'whole' | 'cut'
  /** `raised`: one service fails, and the price is raised after a workspace's first quote. */
  readonly prices: 'steady' | 'raised'
  readonly trackingFails: { readonly fromMs: number; readonly untilMs: number } | null
  readonly timeline: readonly TimelineStep[]
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

const texts: Readonly<Partial<Record<TrackingCode, string>>> = {
  registered: 'Envío registrado',
  received_at_origin: 'Recibido en agencia de origen',
  in_transit: 'En tránsito',
  arrived_at_destination: 'Llegó a agencia de destino',
  ready_for_pickup: 'Disponible para recojo',
  reminder_sent: 'Recordatorio enviado al destinatario',
  last_notice: 'Último aviso al destinatario',
  collected: 'Entregado en agencia',
  delivered: 'Entregado',
  held: 'Retenido: falta un documento',
  released: 'Liberado',
  missing: 'Envío no ubicado',
  lost: 'Envío extraviado',
  found: 'Envío ubicado',
  not_collected: 'No recogido en el plazo',
  returned: 'Devuelto a agencia de origen',
}

const atOrigin: ReadonlySet<string> = new Set(['registered', 'received_at_origin', 'returned'])
const onTheWay: ReadonlySet<string> = new Set(['in_transit', 'missing', 'lost'])

export function step(
  code: TrackingCode,
  atMs: number,
  other: Partial<TimelineStep> = {},
): TimelineStep {
  const elsewhere = onTheWay.has(code) ? null : 'destination'
  return {
    code,
    atMs,
    shownAtMs: atMs,
    at: atOrigin.has(code) ? 'origin' : elsewhere,
    text: texts[code] ?? code,
    actionRequired: false,
    listed: 'once',
    ...other,
  }
}

export const toTransit: readonly TimelineStep[] = [
  step('registered', 0),
  step('received_at_origin', 2 * hourMs),
  step('in_transit', 6 * hourMs),
]
export const toDestination = [...toTransit, step('arrived_at_destination', 20 * hourMs)]
export const toReady = [...toDestination, step('ready_for_pickup', 21 * hourMs)]
export const toCollected = [...toReady, step('collected', 30 * hourMs)]

/** The happy path. Every other script lists only the differences. */
export const happyScript: CourierScript = {
  create: {
    unreachableAttempts: 0,
    throttledCalls: 0,
    credentials: 'accepted',
    refusal: null,
    guides: 1,
    shownAtMs: 0,
    answer: 'whole',
    answerDelayMs: 0,
  },
  looksFailUntilMs: 0,
  labelAtMs: 0,
  cancelAnswer: 'whole',
  prices: 'steady',
  trackingFails: null,
  timeline: toCollected,
}

export function creating(create: Partial<CourierScript['create']>): CourierScript {
  return { ...happyScript, create: { ...happyScript.create, ...create } }
}

export function after(other: Partial<Omit<CourierScript, 'create'>>): CourierScript {
  return { ...happyScript, ...other }
}

/** When a shipment can no longer be cancelled: at the first scan after registration. */
export function dropOffMs(script: CourierScript): number {
  const scans = script.timeline.filter(({ code }) => code !== 'registered')
  return Math.min(...scans.map(({ atMs }) => atMs))
}

/** When the parcel is expected to be ready, computed from the script. */
export function etaMs(script: CourierScript): number | null {
  return script.timeline.find(({ code }) => code === 'ready_for_pickup')?.atMs ?? null
}
