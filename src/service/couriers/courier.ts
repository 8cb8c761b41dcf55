import type { exchangeFailures } from '../domain/event-fields.ts'
import type { ShipmentPayload } from '../domain/shipment/shipment-payload.ts'
import type { Deadline } from './deadline.ts'

/**
 * The courier port. Every call may be repeated safely except `createGuide` and `cancelGuide`, which
 * are made once per attempt. No method throws for a fault of the courier or the network: the answer
 * describes it. The port itself never retries.
 */
export interface Courier {
  /** Creates one guide for `clientReference`. A call is never written after `notAfter`. */
  createGuide(call: CreateGuide): Promise<CreateGuideAnswer>
  /** The body that `createGuide` will send, as its exchange shows it. Sends nothing. */
  createGuideBody(call: Omit<CreateGuide, keyof CallContext>): Buffer
  /**
   * Asks which guides exist under our reference (and, if given, whether this number is one of
   * them). With `includeCancelled` the answer also has cancelled guides.
   */
  findGuides(call: FindGuides): Promise<FindGuidesAnswer>
  /** Asks the courier to void a guide. */
  cancelGuide(call: CancelGuide): Promise<CancelGuideAnswer>
  /** All tracking events the courier knows of a guide. */
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
  /** What the courier bills for a month. Only a courier with the capability `invoices` is asked. */
  invoice(call: InvoiceCall): Promise<InvoiceAnswer>
  /**
   * Erases the personal data behind a reference; false = not confirmed, ask again. Absent if the
   * courier has no way to be told.
   */
  erase?(clientReference: string): Promise<boolean>
  /** What the courier supports; `null` while it is unreachable. */
  capabilities(): Promise<CourierCapabilities | null>
}

export type CourierCapabilities = {
  readonly find: boolean
  readonly cancel: boolean
  readonly tracking: boolean
  readonly label: boolean
  readonly quote: boolean
  readonly invoices: boolean
}

export type Credentials = { readonly username: string; readonly password: string }

/** What the simulated courier needs to play a scenario; null on every call to a real courier. */
export type SandboxContext = {
  readonly scenario: string
  /** The attempt's number for its key, from 1. */
  readonly attempt: number
  /** T: when the attempt's guide was requested, on the workspace's clock. */
  readonly attemptAt: Date
  /** The workspace's clock now. Whatever is due by then is visible. */
  readonly now: Date
  /**
   * The courier account (the connection's id), so that "until the credentials are replaced" is
   * judged per connection. Without it, the client reference or user name is used.
   */
  readonly account?: string
}

export type ExchangeFailure = (typeof exchangeFailures)[number]

export type CallContext = {
  readonly requestId: string | null
  /** For whom: calls of organizations share what there is in turn. The courier does not hear of it. */
  readonly organizationId: string
  readonly credentials: Credentials
  readonly sandbox: SandboxContext | null
  /**
   * When the answer must have arrived (`performance.now()`), if sooner than the adapter's own
   * limit.
   */
  readonly answerByMs?: number
  /**
   * Hears of the request of a creation, cancellation or look before the call answers, whatever came
   * of it.
   */
  readonly onExchange?: (exchange: CourierExchange) => void
}

/** One request to the courier and what came of it. */
export type CourierExchange = {
  readonly call: 'create' | 'cancel' | 'look'
  /** Whether a byte of it left; `unknown`: it may have. */
  readonly sent: 'yes' | 'no' | 'unknown'
  readonly statusCode: number | null
  readonly failure: ExchangeFailure | null
  readonly latencyMs: number
  /** The courier's own id of the request, if it gave one in the usual form. */
  readonly courierRequestId: string | null
  /** The body as sent, without credentials and what only the simulator reads. */
  readonly request: Buffer
  /** The body as received, credentials removed; null = none. */
  readonly response: Buffer | null
}

type AgencyRef = { readonly code: string }

/** What is sent and where, by the courier's own codes. */
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
    /** The adapter checks it before it writes, the connector before it executes. */
    readonly notAfter: Deadline
    /** The shop's request. The adapter sends those of its fields that the protocol names. */
    readonly payload: ShipmentPayload
    readonly quotedAmount: Money | null
  }

/** By the codes of the connector protocol; a quote may name a service that no payload asked for. */
type Service = { readonly mode: string; readonly payer: string }

/** Integer minor units. */
export type Money = { readonly amount: number; readonly currency: string }

export type Guide = {
  readonly guideNumber: string
  /** Secret the recipient shows at the agency; personal. */
  readonly pickupCode: string | null
  readonly price: Money | null
}

/** Why a call's outcome is unknown. */
export type UnknownCause =
  | 'response_lost'
  | 'response_unreadable'
  | 'courier_error'
  | 'deadline_passed'

/** No byte of the request left, or it was refused before execution. */
export type NotSentCause = 'unreachable' | 'too_late'

export type CourierFailure =
  /**
   * The courier understood and refused. `text` is in its own words: personal until proven
   * otherwise.
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

/** `unclear`: the courier's status cannot be read. Absent = active. */
export type FoundGuide = Guide & { readonly status?: 'active' | 'cancelled' | 'unclear' }

/**
 * `found` lists every guide that exists under the reference; an empty list means certainly absent
 * now. Cancelled guides are included only on request.
 */
export type FindGuidesAnswer =
  | { readonly kind: 'found'; readonly guides: readonly FoundGuide[] }
  /** With the answer's status, if an answer came. */
  | (CourierFailure & { readonly statusCode?: number })

export type GuideCall = CallContext & {
  readonly clientReference: string
  readonly guideNumber: string
}

export type CancelGuide = GuideCall & { readonly notAfter: Deadline }
export type CancelGuideAnswer = { readonly kind: 'cancelled' } | CourierFailure

/** One event as the courier reports it, still in its own words. */
export type NativeTrackingEvent = {
  /** The courier's id of the event; null if it has none. */
  readonly id: string | null
  /** A normalized code of the connector protocol, or anything else = unmapped. */
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
      /** The number of events that could not be read. They do not affect the others. */
      readonly malformed: number
      readonly eta: Date | null
    }
  | CourierFailure

export type LabelSize = 'a6' | 'a4'
export type LabelAnswer =
  | { readonly kind: 'label'; readonly pdf: Uint8Array }
  | { readonly kind: 'not_ready' }
  /** It was answered with something that is no PDF. */
  | { readonly kind: 'not_a_pdf' }
  | CourierFailure

export type QuoteCall = CallContext &
  Consignment & {
    readonly workspaceReference: string
    readonly service: Service | null
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
  readonly guideNumber: string
  readonly amount: number
  readonly currency: string
  /** Of all pieces together. */
  readonly weightKg: number | null
  /** A day, as the courier names it. */
  readonly date: string | null
  readonly clientReference: string | null
}
export type InvoiceAnswer =
  | {
      readonly kind: 'billed'
      /** The invoice's number, the same each time the month is asked for. */
      readonly reference: string
      readonly lines: readonly BilledGuide[]
    }
  | CourierFailure

/** Real-time limits of a courier call. */
export const courierTimes = {
  connectMs: 3_000,
  /** One call with its safe retries. */
  callMs: 10_000,
  /** From the append of the intent to the moment after which nothing may be sent. */
  callDeadlineMs: 20_000,
  safeRetriesMax: 3,
  retryAfterMsMax: 2_000,
} as const
