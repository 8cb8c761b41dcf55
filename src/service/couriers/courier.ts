import type { exchangeFailures } from '../domain/event-fields.ts'
import type { LineKind } from '../domain/invoices/line-kind.ts'
import type { Sums } from '../domain/quote.ts'
import type { ShipmentPayload } from '../domain/shipment/shipment-payload.ts'
import type { Deadline } from './deadline.ts'

/**
 * The courier port. Every call is safe to repeat except `createGuide` and `cancelGuide`, which are
 * made once per attempt. No method throws for a failure of the courier or the network: the answer
 * describes it. The port itself never retries.
 */
export interface Courier {
  /** Creates one guide for `clientReference`. Nothing is sent after `notAfter`. */
  createGuide(call: CreateGuide): Promise<CreateGuideAnswer>
  /** The body that `createGuide` will send, as it appears in its exchange. Sends nothing. */
  createGuideBody(call: Omit<CreateGuide, keyof CallContext>): Buffer
  /**
   * Asks which guides exist under our reference (and, if given, whether this number is one of
   * them). With `includeCancelled` the answer also has cancelled guides.
   */
  findGuides(call: FindGuides): Promise<FindGuidesAnswer>
  /** Asks the courier to void a guide. */
  cancelGuide(call: CancelGuide): Promise<CancelGuideAnswer>
  /** All tracking events of a guide that the courier has. */
  track(call: GuideCall): Promise<TrackAnswer>
  /** The label as a PDF. */
  label(call: GuideCall & { readonly size: LabelSize }): Promise<LabelAnswer>
  /** Prices for a package on a route. */
  quote(call: QuoteCall): Promise<QuoteAnswer>
  /** Whether the courier accepts these credentials. */
  verifyCredentials(call: CallContext): Promise<VerifyAnswer>
  /** The courier's whole list of agencies (at most 20,000), no credentials needed. */
  agencies(): Promise<CatalogueAnswer<NativeAgency>>
  /** The courier's whole list of package products (at most 1,000), no credentials needed. */
  packageProducts(): Promise<CatalogueAnswer<NativePackageProduct>>
  /** The courier's invoice for a month. Called only for couriers with the capability `invoices`. */
  invoice(call: InvoiceCall): Promise<InvoiceAnswer>
  /**
   * Erases the personal data of a reference; false = not confirmed, call again. Absent if the
   * courier does not support it.
   */
  erase?(clientReference: string): Promise<boolean>
  /** Its capabilities and what it asks for; `null` while it is unreachable. */
  describe(): Promise<CourierDescription | null>
}

export type CourierCapabilities = {
  readonly find: boolean
  readonly cancel: boolean
  readonly tracking: boolean
  readonly label: boolean
  readonly quote: boolean
  readonly invoices: boolean
  readonly cash_on_delivery: boolean
  readonly declared_value: boolean
  /** Whether it takes the recipient's phone and e-mail address. */
  readonly recipient_phone: boolean
}

/** What the simulated courier says, and what is assumed of one that cannot be read. */
export const everyCapability: CourierCapabilities = {
  find: true,
  cancel: true,
  tracking: true,
  label: true,
  quote: true,
  invoices: true,
  cash_on_delivery: true,
  declared_value: true,
  recipient_phone: true,
}

/** A field of the account's credentials that the courier asks for. */
export type CredentialField = {
  readonly name: string
  readonly label: string
  readonly secret: boolean
  readonly required: boolean
}

export type CourierDescription = {
  readonly capabilities: CourierCapabilities
  readonly credentialFields: readonly CredentialField[]
}

/** The values of the courier's credential fields, by name. */
export type Credentials = { readonly [name: string]: string }

/** Parameters of the simulated courier's scenario; null on every call to a real courier. */
export type SandboxContext = {
  readonly scenario: string
  /** The attempt's number for its key, from 1. */
  readonly attempt: number
  /** T: when the attempt's guide was requested, on the workspace's clock. */
  readonly attemptAt: Date
  /** The workspace's clock now. The courier shows what happened up to this time. */
  readonly now: Date
  /**
   * The courier account (the connection's id): credentials that a scenario refuses are tracked for
   * each account. Default: the client reference or user name.
   */
  readonly account?: string
}

export type ExchangeFailure = (typeof exchangeFailures)[number]

export type CallContext = {
  readonly requestId: string | null
  /** Counts the safe repetitions of the call, from 1. Not sent to the courier. */
  readonly attempt?: number
  /** Calls of different organizations share the connections fairly. Not sent to the courier. */
  readonly organizationId: string
  readonly credentials: Credentials
  readonly sandbox: SandboxContext | null
  /**
   * When the answer must have arrived (`performance.now()`), if sooner than the adapter's own
   * limit.
   */
  readonly answerByMs?: number
  /**
   * Called with the request of a creation, cancellation or look before the call returns, whether it
   * succeeded or failed.
   */
  readonly onExchange?: (exchange: CourierExchange) => void
}

/** One request to the courier and its outcome. */
export type CourierExchange = {
  readonly call: 'create' | 'cancel' | 'look'
  /** Whether a byte of the request was sent; `unknown`: it may have been. */
  readonly sent: 'yes' | 'no' | 'unknown'
  readonly statusCode: number | null
  readonly failure: ExchangeFailure | null
  readonly latencyMs: number
  /** The courier's own id of the request, if it returned one in a valid form. */
  readonly courierRequestId: string | null
  /** The body as sent, without credentials and sandbox fields. */
  readonly request: Buffer
  /** The body as received, credentials removed; null if there was no body. */
  readonly response: Buffer | null
}

type AgencyRef = { readonly code: string }

/** The package and its route, in the courier's own codes. */
export type Consignment = {
  readonly origin: AgencyRef
  readonly destination: AgencyRef
  readonly package: {
    readonly productCode: string
    readonly quantity: number
    readonly weightKg: number
    readonly heightM: number
    readonly lengthM: number
    readonly widthM: number
  }
}

export type CreateGuide = CallContext &
  Consignment & {
    /** Our shipment id. `findGuides` finds the guide by it. */
    readonly clientReference: string
    /** The adapter checks it before it sends, the connector before it executes. */
    readonly notAfter: Deadline
    /** The shop's request. The adapter sends the fields that the protocol has. */
    readonly payload: ShipmentPayload
    readonly quotedAmount: Money | null
  }

/** Codes of the connector protocol. A quote may name a service that the payload did not request. */
type Service = { readonly mode: string; readonly payer: string }

/** Integer minor units. */
export type Money = { readonly amount: number; readonly currency: string }

export type Guide = {
  readonly guideNumber: string
  /** A secret that the recipient shows at the agency. Personal data. */
  readonly pickupCode: string | null
  readonly price: Money | null
}

/** Why a call's outcome is unknown. */
export type UnknownCause =
  | 'response_lost'
  | 'response_unreadable'
  | 'courier_error'
  | 'deadline_passed'

/** No byte of the request was sent, or it was refused before execution. */
export type NotSentCause = 'unreachable' | 'too_late'

export type CourierFailure =
  /**
   * The courier understood the request and refused it. `text` is written by the courier and is
   * treated as personal data.
   */
  | {
      readonly kind: 'rejected'
      readonly code: string | null
      readonly text: string | null
      /** With `quote_price_changed`: today's price, if the courier gives it. */
      readonly newPrice: Money | null
    }
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  | { readonly kind: 'not_sent'; readonly cause: NotSentCause }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause }

export type CreateGuideAnswer = { readonly kind: 'created'; readonly guide: Guide } | CourierFailure

export type FindGuides = CallContext & {
  readonly clientReference: string
  readonly guideNumber?: string
  readonly includeCancelled?: boolean
}

/** `unclear`: the status could not be read. Absent = active. */
export type FoundGuide = Guide & { readonly status?: 'active' | 'cancelled' | 'unclear' }

/**
 * `found` lists every guide that exists under the reference. An empty list means that none exists
 * now. Cancelled guides are included only on request.
 */
export type FindGuidesAnswer =
  | { readonly kind: 'found'; readonly guides: readonly FoundGuide[] }
  /** With the HTTP status, if there was an answer. */
  | (CourierFailure & { readonly statusCode?: number })

export type GuideCall = CallContext & {
  readonly clientReference: string
  readonly guideNumber: string
}

export type CancelGuide = GuideCall & { readonly notAfter: Deadline }
export type CancelGuideAnswer = { readonly kind: 'cancelled' } | CourierFailure

/** One event as the courier reports it, not yet normalized. */
export type NativeTrackingEvent = {
  /** The courier's id of the event; null if it has none. */
  readonly id: string | null
  /** A code of the connector protocol. Any other text is unmapped. */
  readonly code: string
  readonly occurredAt: Date
  readonly agencyCode: string | null
  readonly text: string | null
  readonly actionRequired: boolean
}
export type TrackAnswer =
  | {
      readonly kind: 'tracked'
      readonly events: readonly NativeTrackingEvent[]
      /** The number of events that could not be read and were left out. */
      readonly malformed: number
      readonly eta: Date | null
    }
  | CourierFailure

export type LabelSize = 'a6' | 'a4'
export type LabelAnswer =
  | { readonly kind: 'label'; readonly pdf: Uint8Array }
  | { readonly kind: 'not_ready' }
  /** The answer is not a PDF. */
  | { readonly kind: 'not_a_pdf' }
  | CourierFailure

export type QuoteCall = CallContext &
  Consignment & {
    readonly workspaceReference: string
    readonly service: Service | null
    /** Only those that the courier has the capability for. */
    readonly sums: Sums
  }
export type QuoteAnswer =
  | {
      readonly kind: 'quoted'
      readonly rates: readonly {
        readonly service: Service
        readonly price: Money
        readonly breakdown: readonly { readonly code: string; readonly amount: number }[]
        readonly transitDays: { readonly min: number; readonly max: number }
      }[]
      readonly errors: readonly {
        readonly service: Service
        readonly reason: string
        readonly text: string | null
      }[]
    }
  | CourierFailure

type VerifyAnswer = { readonly kind: 'accepted' } | CourierFailure

export type NativeAgency = {
  readonly code: string
  readonly name: string
  readonly address: string
  readonly department: string
  readonly province: string
  readonly district: string
  readonly capabilities: readonly ('drop_off' | 'pickup')[]
}
export type NativePackageProduct = {
  readonly code: string
  readonly name: string
  readonly maxWeightKg: number
  readonly maxLengthM: number
  readonly maxWidthM: number
  readonly maxHeightM: number
}
export type CatalogueAnswer<T> =
  | { readonly kind: 'listed'; readonly items: readonly T[] }
  | CourierFailure

export type InvoiceCall = CallContext & {
  /** A calendar month in UTC, such as 2026-02. */
  readonly month: string
}
type BilledGuide = {
  readonly kind: LineKind
  readonly guideNumber: string
  readonly amount: number
  readonly currency: string
  /** The weight of all pieces together. */
  readonly weightKg: number | null
  /** A date given by the courier. */
  readonly date: string | null
  readonly clientReference: string | null
}
export type InvoiceAnswer =
  | {
      readonly kind: 'billed'
      /** The invoice's number, the same on every request for the month. */
      readonly reference: string
      readonly lines: readonly BilledGuide[]
    }
  | CourierFailure

/** Limits of a courier call, in real time. */
export const courierTimes = {
  connectMs: 3_000,
  /** One call with its safe retries. */
  callMs: 10_000,
  /** From the append of the intent until nothing may be sent any more. */
  callDeadlineMs: 20_000,
  safeRetriesMax: 3,
  retryAfterMsMax: 2_000,
} as const
