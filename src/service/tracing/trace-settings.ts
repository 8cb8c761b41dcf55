export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Where spans are exported to, and which. */
export type TraceSettings = {
  /** Of the collector, without a slash at the end; `/v1/traces` is added. */
  readonly endpoint: string
  /** Sent with each export. They may be secret. */
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly sampler: (typeof samplers)[number]
  /** The share of traces for the samplers that need one, from 0 to 1. */
  readonly ratio: number
  /** What the process does. */
  readonly roles: ReadonlySet<string>
}
