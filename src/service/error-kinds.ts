/** What a call that changes something did, unless the code that answers it knows better. */
export type Outcome = 'not_executed' | 'executed' | 'unknown'

/** What the caller does next. The text is for the documentation. */
export const actions = {
  same_key:
    'repeat the same request, after `Retry-After` if there is one, and with the same key if it had one. With its key this is always safe.',
  follow:
    'read the operation in `operation_id` until it has ended. Create or cancel nothing meanwhile.',
  new_key: 'nothing was created or cancelled: do it again with a new key.',
  fix: 'correct the request, or the program that sends it. If the key was used up, as by `courier_rejected`, the corrected request needs a new one.',
  person:
    'a person must do something that the program cannot. Then repeat, with the same key if there was one.',
} as const
export type Action = keyof typeof actions

export type ErrorEntry = {
  readonly status: number
  readonly title: string
  readonly retryable: boolean
  readonly outcome: Outcome
  readonly action: Action
  /** What the caller can do, in words. */
  readonly remedy: string
}

const no = { retryable: false, outcome: 'not_executed' } as const
export const fix = { ...no, action: 'fix' } as const
export const person = { ...no, action: 'person' } as const
export const malformed = { ...fix, status: 400 } as const
export const forbidden = { ...person, status: 403 } as const
/** Its action is said where it is used. */
export const conflict = { ...no, status: 409 } as const
export const conflictToFix = { ...conflict, action: 'fix' } as const
export const conflictForPerson = { ...conflict, action: 'person' } as const
export const unprocessable = { ...fix, status: 422 } as const
export const retry = {
  retryable: true,
  outcome: 'not_executed',
  action: 'same_key',
} as const
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

/** The reasons that only test keys meet; a part of the error table. */
export const sandboxErrors = {
  scenario_conflict: {
    ...malformed,
    title: 'The header and the metadata name different scenarios',
    remedy: 'Name only one scenario.',
  },
  sandbox_only: {
    ...malformed,
    title: 'Scenarios and the clock are for test keys',
    remedy: 'Use a key with the test prefix.',
  },
  unknown_scenario: {
    ...malformed,
    title: 'No such scenario',
    remedy: 'Use a name that `GET /v1/sandbox/scenarios` lists.',
  },
  clock_advancing: {
    ...busy,
    title: "The workspace's clock is already being advanced",
    remedy: 'Wait until the advance has finished.',
  },
} as const satisfies Record<string, ErrorEntry>
