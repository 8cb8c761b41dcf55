/** What a call that changes something did, unless the code that answers it knows better. */
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

/** The shipment that a problem is about, at the version shown to the caller. Higher is newer. */
export type ShipmentVersion = {
  readonly id: string
  /** Null for a batch line that was refused before refusals had a version. */
  readonly version: number | null
}

export type ProblemOptions = {
  readonly detail?: string
  readonly outcome?: Outcome
  readonly retryable?: boolean
  readonly errors?: readonly FieldError[]
  readonly operationId?: string
  readonly shipment?: ShipmentVersion
  /** Integer minor units. */
  readonly price?: { readonly amount: number; readonly currency: string }
  readonly retryAfterSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}
