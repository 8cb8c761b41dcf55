/** What a changing call did, unless the answering code knows better. */
export type Outcome = 'not_executed' | 'executed' | 'unknown'

export type ErrorEntry = {
  readonly status: number
  readonly title: string
  readonly retryable: boolean
  readonly outcome: Outcome
  /** What the caller can do. */
  readonly remedy: string
}

export const no = { retryable: false, outcome: 'not_executed' } as const
export const malformed = { ...no, status: 400 } as const
export const forbidden = { ...no, status: 403 } as const
export const conflict = { ...no, status: 409 } as const
export const unprocessable = { ...no, status: 422 } as const
export const retry = { retryable: true, outcome: 'not_executed' } as const
export const busy = { ...retry, status: 409 } as const
export const unavailable = { ...retry, status: 503 } as const

export type FieldError = {
  /** RFC 6901 pointer into the body, or `#/query/<name>`, `#/headers/<name>`. */
  readonly pointer: string
  readonly reason: string
  readonly detail: string
}

/** A shipment that a problem is about, as the caller was shown it: a higher version is newer. */
export type ShownVersion = {
  readonly id: string
  /** Null: a line of a batch was refused before refusals had it. */
  readonly version: number | null
}

export type ProblemOptions = {
  readonly detail?: string
  readonly outcome?: Outcome
  readonly retryable?: boolean
  readonly errors?: readonly FieldError[]
  readonly operationId?: string
  readonly shipment?: ShownVersion
  /** Integer minor units. */
  readonly price?: { readonly amount: number; readonly currency: string }
  readonly retryAfterSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}
