import { type Followed, followDefaultMs, followOperation } from './follow-operation.ts'
import type { Answered, CallOptions, Methods, Operation, Schemas, Shipment } from './methods.ts'
import { isNewer } from './newer-version.ts'
import { backOffMs } from './retry-delay.ts'
import { type Action, ShippingLedgerError } from './shipping-ledger-error.ts'
import { abortedCall, pause } from './transport.ts'

export type ShipmentRequest = Schemas['ShipmentRequest']

/** A shipment whose guide exists. Its `status` is `cancelled` if it was cancelled later. */
export type ShipmentWithGuide = Answered<Schemas['ShipmentWithGuide']>

/**
 * How an order ended. Only after `rejected`, with a corrected order, and after `nothing_created` is
 * another key right. After `needs_attention` the guide may exist: calling again with the same key
 * continues.
 */
export type Shipped =
  | { readonly kind: 'created'; readonly shipment: ShipmentWithGuide }
  | {
      /** Refused for good under this key. `error` says what to correct. */
      readonly kind: 'rejected'
      readonly error: ShippingLedgerError
      readonly shipment: Shipment | null
    }
  | {
      /** It is certain that no guide was created. */
      readonly kind: 'nothing_created'
      readonly shipment: Shipment | null
      /** Null if it had ended before this call. */
      readonly operation: Operation | null
    }
  | {
      readonly kind: 'needs_attention'
      /**
       * `fix`: correct the request; the key is still free. `person`: someone must act, in review or
       * on what `error` says. `follow` and `same_key`: the timeout passed; call again later.
       */
      readonly action: Exclude<Action, 'new_key'>
      /** Null if the timeout passed while following. */
      readonly error: ShippingLedgerError | null
      readonly shipment: Shipment | null
      readonly operation: Operation | null
    }

export type EnsureOptions = {
  /**
   * Called, and awaited, with each newer version of the shipment or of its operation. Store it: a
   * later version is also in the result and in webhooks. An error that it throws ends the call.
   */
  readonly onChange?: (shipment: Shipment, operation: Operation | null) => void | Promise<void>
  /** Stops waiting with the error `aborted`. Calling again with the same key continues. */
  readonly signal?: AbortSignal
  /** How long to repeat and follow, in milliseconds. Default: four minutes. */
  readonly timeoutMs?: number
  /** A scenario from `GET /v1/sandbox/scenarios`, for test keys. */
  readonly scenario?: string
}

/**
 * Ships an order: sends the request, repeats it with the same key while that is safe and useful, and
 * follows the operation if the outcome is unknown. It never uses another key. Call it again after a
 * restart, with the same key.
 */
export type EnsureShipped = (
  key: string,
  request: ShipmentRequest,
  options?: EnsureOptions,
) => Promise<Shipped>

/** Refusals that use up the key: the same request with it is refused for ever. */
const usesUpKey: readonly string[] = ['courier_rejected', 'quote_price_changed']

export function ensureShipped(methods: Methods): EnsureShipped {
  return async (key, request, options = {}) => {
    const { signal, timeoutMs = followDefaultMs, scenario } = options
    const endsAt = performance.now() + timeoutMs
    const sight = new Sight(methods, endsAt, options)
    const create = async (): Promise<Shipped> => {
      const call = { ...sight.call(), ...(scenario === undefined ? {} : { scenario }) }
      const shipment = await methods.shipments.create(request, { ...call, idempotencyKey: key })
      await sight.of(shipment, null)
      return { kind: 'created', shipment: shipment as ShipmentWithGuide }
    }
    for (let tries = 1; ; tries++) {
      try {
        const shipped = await create().catch((error: unknown) => afterRefusal(error, sight))
        if (shipped.kind !== 'needs_attention' || shipped.action !== 'same_key') return shipped
        const waitMs = Math.max(shipped.error?.retryAfterMs ?? 0, backOffMs(tries, Math.random))
        if (performance.now() + waitMs >= endsAt) return shipped
        await pause(waitMs, signal)
      } catch (error) {
        throw signal?.aborted === true && error === signal.reason ? abortedCall(key, error) : error
      }
    }
  }
}

/** What a call has seen so far, and what it tells the shop. */
class Sight {
  shipment: Answered<Shipment> | null = null
  operation: Operation | null = null
  readonly methods: Methods
  readonly endsAt: number
  readonly options: EnsureOptions

  constructor(methods: Methods, endsAt: number, options: EnsureOptions) {
    this.methods = methods
    this.endsAt = endsAt
    this.options = options
  }

  /** One request at least, and no retries after the timeout. */
  call(): CallOptions {
    const { signal } = this.options
    const retry = { totalMs: Math.max(1, this.endsAt - performance.now()) }
    return signal === undefined ? { retry } : { retry, signal }
  }

  async of(shipment: Answered<Shipment> | null, operation: Operation | null): Promise<void> {
    const isNews =
      (shipment !== null && isNewer(this.shipment, shipment)) ||
      (operation !== null && (this.operation?.version ?? 0) < operation.version)
    this.shipment = shipment ?? this.shipment
    this.operation = operation ?? this.operation
    if (isNews && this.shipment !== null) {
      await this.options.onChange?.(this.shipment, this.operation)
    }
  }

  async readShipment(id: string | null): Promise<Answered<Shipment> | null> {
    if (id !== null) await this.of(await this.methods.shipments.get({ id }, this.call()), null)
    return this.shipment
  }
}

/** The end that a refusal means, or the refusal of a read that belongs to it. */
async function afterRefusal(error: unknown, sight: Sight): Promise<Shipped> {
  if (!(error instanceof ShippingLedgerError) || error.reason === 'aborted') throw error
  try {
    return await endOf(error, sight)
  } catch (other) {
    if (!(other instanceof ShippingLedgerError) || other.reason === 'aborted') throw other
    return attention(other, sight)
  }
}

async function endOf(error: ShippingLedgerError, sight: Sight): Promise<Shipped> {
  const { action, reason, operationId, shipmentId } = error
  if (action === 'same_key') return attention(error, sight)
  const shipment = await sight.readShipment(shipmentId)
  if (action === 'follow' && operationId !== null) return await followed(operationId, sight)
  if (action === 'new_key') return { kind: 'nothing_created', shipment, operation: null }
  if (usesUpKey.includes(reason)) return { kind: 'rejected', error, shipment }
  return attention(error, sight)
}

function attention(error: ShippingLedgerError, { shipment, operation }: Sight): Shipped {
  const action = error.action === 'new_key' ? 'person' : error.action
  return { kind: 'needs_attention', action, error, shipment, operation }
}

async function followed(operationId: string, sight: Sight): Promise<Shipped> {
  const { signal } = sight.options
  const read = async (id: string) => {
    const operation = await sight.methods.operations.get({ id }, sight.call())
    await sight.of(null, operation)
    return operation
  }
  const { kind, operation } = await followOperation(read, operationId, {
    timeoutMs: Math.max(0, sight.endsAt - performance.now()),
    ...(signal === undefined ? {} : { signal }),
  })
  const shipment = await sight.readShipment(operation.shipment_id)
  if (kind === 'nothing_created') return { kind, shipment, operation }
  if (hasGuide(kind)) return { kind: 'created', shipment: shipment as ShipmentWithGuide }
  const action = kind === 'reconciling' ? 'follow' : 'person'
  return { kind: 'needs_attention', action, error: null, shipment, operation }
}

/** The operation of a cancellation means that the guide existed; `status` shows what became of it. */
function hasGuide(kind: Followed['kind']): boolean {
  return kind === 'guide_exists' || kind === 'cancelled' || kind === 'not_cancelled'
}
