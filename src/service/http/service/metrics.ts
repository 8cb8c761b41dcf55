import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AnomalyCode } from '../../domain/tracking/tracking.ts'
import { serviceCounters } from './service-counters.ts'

type Pending = { readonly pending: number; readonly oldestAgeSeconds: number }

type WebhookMetrics = Pending & {
  readonly dead: number
  readonly discarded: number
  /** Failing endpoints. */
  readonly failing: number
}

/** The sources that are read with the metrics. If one throws, its figures are missing. */
type MetricSources = {
  /** Whether all checks of `/readyz` pass. */
  readonly isReady: () => Promise<boolean>
  readonly disks: () => Promise<
    readonly { readonly folder: string; readonly freeBytes: number; readonly freeRatio: number }[]
  >
  readonly unwritableFiles: () => Promise<
    readonly { readonly file: string; readonly seconds: number }[]
  >
  readonly projections: () => Promise<
    readonly {
      readonly name: string
      readonly lagSeconds: number
      /** Why it is stopped; null while it works. */
      readonly stoppedBy: string | null
    }[]
  >
  readonly operations: () => Promise<
    readonly {
      readonly status: string
      readonly count: number
      readonly oldestAgeSeconds: number
    }[]
  >
  /** Open operations that need attention, by mode and why. */
  readonly attention: () => Promise<
    readonly { readonly livemode: boolean; readonly why: string; readonly count: number }[]
  >
  readonly webhooks: () => Promise<WebhookMetrics>
  readonly erasures: () => Promise<Pending>
  readonly unsealedSeconds: () => Promise<number>
  /** Whether the ledger has lost events, and how many keys were first asked of their couriers. */
  readonly ledger: () => Promise<{
    readonly isDamaged: boolean
    readonly findFirst: Readonly<Record<'asked' | 'found' | 'created', number>>
  }>
  readonly witnesses: () => Promise<
    readonly { readonly name: string; readonly waitingSeconds: number }[]
  >
}

export type ServiceMetrics = {
  readonly registry: Registry
  /** A request was answered. `route` is the pattern of the route, never the address. */
  request(served: {
    readonly method: string
    readonly route: string
    readonly status: number
    readonly seconds: number
  }): void
  /** The store answered an append: the outcome, for example `committed` or `conflict`. */
  append(outcome: string): void
  /** This many appends were written in one transaction. */
  batch(appends: number): void
  /**
   * A checkpoint was submitted to a witness: the outcome, for example `cosigned` or `unreachable`.
   */
  witnessSubmission(made: { readonly witness: string; readonly outcome: string }): void
  /** Answered requests are missing in the request log. */
  requestsDropped(requests: number): void
  /** A request to a courier ended: the class of the status, `lost` or `not_sent`. */
  courierCall(made: {
    readonly providerCode: string
    readonly operation: string
    readonly outcome: string
    readonly seconds: number
  }): void
  /** A label cannot be read. */
  labelUnreadable(why: string): void
  /** A courier reports something wrong about a guide. */
  anomaly(code: AnomalyCode, livemode: boolean): void
  /** A webhook was sent: the outcome, for example `2xx` or `timeout`, and the time it took. */
  webhookAttempt(made: { readonly outcome: string; readonly seconds: number }): void
}

/** From the time of a cached read to the longest that a request may take. */
const requestSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3, 10, 20, 40]
/** Up to the largest number of appends in a batch. */
const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256]

export function serviceMetrics(sources: MetricSources): ServiceMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests answered, by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: requestSeconds,
    registers,
  })
  const appends = new Counter({
    name: 'ledger_appends_total',
    help: 'Appends answered by the event store, by outcome',
    labelNames: ['outcome'] as const,
    registers,
  })
  const batches = new Histogram({
    name: 'ledger_append_batch_size',
    help: 'Appends written in one transaction',
    buckets: batchSizes,
    registers,
  })
  const attempts = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Attempts at deliveries of webhooks, by outcome',
    labelNames: ['outcome'] as const,
    buckets: requestSeconds,
    registers,
  })
  const { submissions, dropped, anomalies, unreadable } = serviceCounters(registers)
  const courierCalls = courierCallTimes(registers)
  serviceGauges(registers, sources)
  stateGauges(registers, sources)
  attentionGauge(registers, sources.attention)
  witnessGauge(registers, sources.witnesses)
  webhookGauges(registers, sources)
  erasureGauges(registers, sources)
  ledgerGauges(registers, sources)
  return {
    registry,
    request: ({ seconds, status, ...labels }) =>
      requests.observe({ ...labels, status: String(status) }, seconds),
    append: (outcome) => appends.inc({ outcome }),
    batch: (size) => batches.observe(size),
    courierCall: ({ providerCode, operation, outcome, seconds }) =>
      courierCalls.observe({ provider_code: providerCode, operation, outcome }, seconds),
    anomaly: (code, livemode) => anomalies.inc({ code, livemode: String(livemode) }),
    witnessSubmission: (made) => submissions.inc(made),
    labelUnreadable: (why) => unreadable.inc({ why }),
    requestsDropped: (requests) => dropped.inc(requests),
    webhookAttempt: ({ outcome, seconds }) => attempts.observe({ outcome }, seconds),
  }
}

function erasureGauges(registers: Registry[], { erasures }: Pick<MetricSources, 'erasures'>): void {
  pendingGauges(
    registers,
    erasures,
    {
      name: 'erasures_pending',
      help: 'Unfinished erasures of personal data; counted up to 10,000',
    },
    {
      name: 'erasures_oldest_pending_seconds',
      help: 'Age of the oldest unfinished erasure; 0 = none',
    },
  )
}

function courierCallTimes(registers: Registry[]) {
  return new Histogram({
    name: 'courier_call_duration_seconds',
    help: 'Requests to couriers, by courier, operation and outcome',
    labelNames: ['provider_code', 'operation', 'outcome'] as const,
    buckets: requestSeconds,
    registers,
  })
}

function serviceGauges(registers: Registry[], sources: MetricSources): void {
  new Gauge({
    name: 'service_ready',
    help: 'Whether this process can use everything that it needs, as in readyz: 1 or 0',
    registers,
    collect: collected(async () => Number(await sources.isReady())),
  })
  const disks = together(sources.disks)
  const free = [
    ['disk_free_bytes', 'Free space of the disk that holds a folder', 'freeBytes'],
    [
      'disk_free_ratio',
      'Free part of the space or the inodes of that disk, whichever is smaller: 0 to 1',
      'freeRatio',
    ],
  ] as const
  for (const [name, help, figure] of free) {
    new Gauge({
      name,
      help,
      labelNames: ['folder'] as const,
      registers,
      async collect() {
        this.reset()
        for (const disk of await orNone(disks)) this.set({ folder: disk.folder }, disk[figure])
      },
    })
  }
  new Gauge({
    name: 'ledger_file_unwritable_seconds',
    help: 'How long a file in CHECKPOINT_DIR has not been writable; missing = it is writable',
    labelNames: ['file'] as const,
    registers,
    async collect() {
      this.reset()
      for (const { file, seconds } of await orNone(sources.unwritableFiles)) {
        this.set({ file }, seconds)
      }
    },
  })
}

function attentionGauge(registers: Registry[], attention: MetricSources['attention']): void {
  new Gauge({
    name: 'operations_attention',
    help: 'Operations that need attention, by mode and why; counted up to 10,000',
    labelNames: ['livemode', 'why'] as const,
    registers,
    async collect() {
      this.reset()
      for (const { livemode, why, count } of await orNone(attention)) {
        this.set({ livemode: String(livemode), why }, count)
      }
    },
  })
}

function stateGauges(registers: Registry[], sources: MetricSources): void {
  new Gauge({
    name: 'projection_stopped',
    help: 'Whether a projection has stopped at an event that it cannot apply: 1 or 0',
    labelNames: ['projection'] as const,
    registers,
    async collect() {
      this.reset()
      for (const { name, stoppedBy } of await orNone(sources.projections)) {
        this.set({ projection: name }, stoppedBy === null ? 0 : 1)
      }
    },
  })
  new Gauge({
    name: 'projection_lag_seconds',
    help: 'Age of the oldest event that a projection has not applied; 0 = all are applied',
    labelNames: ['projection'] as const,
    registers,
    async collect() {
      this.reset()
      for (const { name, lagSeconds } of await orNone(sources.projections)) {
        this.set({ projection: name }, lagSeconds)
      }
    },
  })
  new Gauge({
    name: 'operations',
    help: 'Operations, by status',
    labelNames: ['status'] as const,
    registers,
    async collect() {
      this.reset()
      for (const { status, count } of await orNone(sources.operations)) this.set({ status }, count)
    },
  })
  new Gauge({
    name: 'operations_oldest_age_seconds',
    help: 'Age of the oldest operation, by status',
    labelNames: ['status'] as const,
    registers,
    async collect() {
      this.reset()
      for (const { status, oldestAgeSeconds } of await orNone(sources.operations)) {
        this.set({ status }, oldestAgeSeconds)
      }
    },
  })
}

/** Whether the ledger is complete and sealed, and what happened to keys after a recovery. */
function ledgerGauges(
  registers: Registry[],
  sources: Pick<MetricSources, 'ledger' | 'unsealedSeconds'>,
): void {
  new Gauge({
    name: 'ledger_unsealed_seconds',
    help: 'Age of the oldest event that no signed checkpoint covers; 0 = all are covered',
    registers,
    collect: collected(sources.unsealedSeconds),
  })
  new Gauge({
    name: 'ledger_damaged',
    help: 'Whether the ledger has lost events and is not recovered: 1 or 0',
    registers,
    collect: collected(async () => ((await sources.ledger()).isDamaged ? 1 : 0)),
  })
  new Gauge({
    name: 'ledger_find_first_keys',
    help: 'Keys that were first asked of their courier since the last recovery, by outcome',
    labelNames: ['outcome'] as const,
    registers,
    async collect() {
      this.reset()
      const [found] = await orNone(async () => [await sources.ledger()])
      const counts = Object.entries(found?.findFirst ?? {})
      for (const [outcome, count] of counts) this.set({ outcome }, count)
    },
  })
}

function witnessGauge(registers: Registry[], witnesses: MetricSources['witnesses']): void {
  new Gauge({
    name: 'ledger_witness_waiting_seconds',
    help: 'Age of the oldest checkpoint after the last one that a witness cosigned; 0 = none waits',
    labelNames: ['witness'] as const,
    registers,
    async collect() {
      this.reset()
      for (const { name, waitingSeconds } of await orNone(witnesses)) {
        this.set({ witness: name }, waitingSeconds)
      }
    },
  })
}

function webhookGauges(registers: Registry[], sources: MetricSources): void {
  const webhooks = together(sources.webhooks)
  pendingGauges(
    registers,
    webhooks,
    {
      name: 'webhook_deliveries_pending',
      help: 'Deliveries waiting for their first or next attempt; counted up to 10,000',
    },
    {
      name: 'webhook_oldest_undelivered_seconds',
      help: 'Age of the oldest waiting delivery, deferred ones included; 0 = none waits',
    },
  )
  const gauges = [
    ['webhook_deliveries_dead', 'Deliveries that are dead letters; counted up to 10,000', 'dead'],
    [
      'webhook_deliveries_discarded',
      'Deliveries discarded because their endpoint was disabled or deleted; counted up to 10,000',
      'discarded',
    ],
    [
      'webhook_endpoints_failing',
      'Enabled endpoints that have failed three times in a row or more',
      'failing',
    ],
  ] as const
  for (const [name, help, figure] of gauges) {
    new Gauge({ name, help, registers, collect: collected(async () => (await webhooks())[figure]) })
  }
}

type PendingGauge = { readonly name: string; readonly help: string }

/** Gauges of pending work: how much, and the age of the oldest. */
function pendingGauges(
  registers: Registry[],
  source: MetricSources['erasures'],
  pending: PendingGauge,
  oldest: PendingGauge,
): void {
  new Gauge({ ...pending, registers, collect: collected(async () => (await source()).pending) })
  const age = async () => (await source()).oldestAgeSeconds
  new Gauge({ ...oldest, registers, collect: collected(age) })
}

/** Gauges collected at the same time share one call. */
function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }
}

/** Sets the gauge to a figure that is read with the metrics. */
function collected(figure: () => Promise<number>) {
  return async function (this: Gauge): Promise<void> {
    const [found] = await orNone(async () => [await figure()])
    if (found !== undefined) this.set(found)
  }
}

/** An unavailable source must not hide the other figures. */
async function orNone<T>(source: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await source()
  } catch {
    return []
  }
}
