import { createHash } from 'node:crypto'
import type { Client } from '../create-client.ts'
import type { ShipmentRequest } from '../ensure-shipped.ts'
import type { Operation, Shipment } from '../methods.ts'
import { type Action, ShippingLedgerError } from '../shipping-ledger-error.ts'
import { ToolRefusal } from './tool-result.ts'

/** What is known of a creation or cancellation when the call ends. */
export type Outcome = {
  readonly kind:
    | 'created'
    | 'rejected'
    | 'nothing_created'
    | 'cancelled'
    | 'not_cancelled'
    | 'needs_attention'
  readonly action: Action | null
  readonly shipment: Shipment | null
  readonly operation: Operation | null
}

type Bounds = { readonly signal: AbortSignal; readonly timeoutMs: number }
type Order = {
  readonly order: string
  readonly attempt: number
  readonly request: Omit<ShipmentRequest, 'external_reference'>
}

/**
 * The key of an attempt to ship an order. It depends on nothing but the workspace, the order and the
 * number of the attempt, so an agent that starts over, also after a crash, uses the same one.
 */
function orderKey(workspaceId: string, order: string, attempt: number): string {
  const name = JSON.stringify([workspaceId, order, attempt])
  return `mcp-${createHash('sha256').update(name).digest('hex')}`
}

function cancellationKey(shipmentId: string, attempt: number): string {
  return `mcp-cancel-${shipmentId}-${attempt}`
}

/** Ships an order once, however often it is called, and follows the outcome until the timeout. */
export async function shipOrder(client: Client, order: Order, bounds: Bounds): Promise<Outcome> {
  const { request, attempt } = order
  const { workspace_id: workspaceId } = request
  const external = order.order.normalize('NFC').trim()
  requireVisible(external)
  const key = orderKey(workspaceId, external, attempt)
  const { signal } = bounds
  const find = async (idempotencyKey: string) => {
    const query = { workspace_id: workspaceId, idempotency_key: idempotencyKey, limit: 1 }
    return (await client.shipments.list(query, { signal })).data[0] ?? null
  }
  // A key that is known is only asked for its outcome.
  const known = await find(key)
  if (known === null) {
    if (attempt > 1) {
      requireNoGuide(await find(orderKey(workspaceId, external, attempt - 1)), attempt)
    }
    const own = new Set(
      Array.from({ length: attempt }, (_, at) => orderKey(workspaceId, external, at + 1)),
    )
    const query = { workspace_id: workspaceId, external_reference: external, limit: 100 }
    requireNotShipped((await client.shipments.list(query, { signal })).data, own)
  }
  const body = { ...request, external_reference: external }
  try {
    return await created(client, body, { ...bounds, idempotencyKey: key })
  } catch (error) {
    const isReused =
      error instanceof ShippingLedgerError && error.reason === 'idempotency_key_reused'
    if (!isReused) throw error
    throw new ToolRefusal(error.reason, 'person', sentBefore((known ?? (await find(key)))?.id))
  }
}

/** Otherwise a model might find a way around, which would ship the order twice. */
function sentBefore(shipmentId: string | undefined): string {
  const what = shipmentId === undefined ? '' : `, as ${shipmentId}`
  return `This order was sent before with other details${what}. Use get_shipment to see it. Never use another order number for the same order.`
}

/** Otherwise two orders could look alike. */
function requireVisible(order: string): void {
  if (!/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(order)) return
  throw new ToolRefusal('invalid_input', 'fix', 'The order contains invisible characters.')
}

/** Shipments in these states have no guide, and never will. */
const withoutGuide: ReadonlySet<string> = new Set(['rejected', 'not_created', 'cancelled'])

function requireNoGuide(before: Shipment | null, attempt: number): void {
  if (before !== null && withoutGuide.has(before.status)) return
  const what = before === null ? 'was never made' : `is ${before.status}, so it may have a guide`
  const message = `Attempt ${attempt - 1} ${what}. Nothing was sent.`
  const isOpen = before?.status === 'unknown_outcome' || before?.status === 'creating'
  const action = before === null ? 'fix' : isOpen ? 'follow' : 'person'
  throw new ToolRefusal('earlier_attempt_open', action, message)
}

/** The shop's own programs use other keys, which this server does not know. */
function requireNotShipped(sameOrder: readonly Shipment[], own: ReadonlySet<string>): void {
  const standing = sameOrder.find(
    ({ status, idempotency_key: key }) => !withoutGuide.has(status) && !own.has(key),
  )
  if (standing === undefined) return
  throw new ToolRefusal(
    'order_already_shipped',
    'person',
    `The shipment ${standing.id} has the same order and may have a guide. Nothing was sent.`,
  )
}

async function created(
  client: Client,
  body: ShipmentRequest,
  { idempotencyKey, ...bounds }: Bounds & { readonly idempotencyKey: string },
): Promise<Outcome> {
  const shipped = await client.ensureShipped(idempotencyKey, body, bounds)
  const { kind, shipment } = shipped
  switch (kind) {
    case 'created':
      return shipment.status === 'cancelled'
        ? cancelled(shipment)
        : { kind, action: null, shipment, operation: null }
    case 'rejected':
      return { kind, action: 'new_key', shipment, operation: null }
    case 'nothing_created':
      return { kind, action: 'new_key', shipment, operation: shipped.operation }
    case 'needs_attention':
      if (shipped.error !== null) throw shipped.error
      return { kind, action: shipped.action, shipment, operation: shipped.operation }
  }
}

/** Cancels a shipment once, however often it is called, and follows the outcome until the timeout. */
export async function cancelOnce(
  client: Client,
  { id, attempt }: { readonly id: string; readonly attempt: number },
  { signal, timeoutMs }: Bounds,
): Promise<Outcome> {
  const before = await client.shipments.get({ id }, { signal })
  if (attempt > 1 && before.status === 'cancelled') return cancelled(before)
  try {
    const idempotencyKey = cancellationKey(id, attempt)
    return cancelled(await client.shipments.cancel({ id }, { idempotencyKey, signal }))
  } catch (error) {
    if (!(error instanceof ShippingLedgerError) || error.operationId === null) throw error
    const followed = await client.waitForOperation(error.operationId, { signal, timeoutMs })
    const shipment = await client.shipments.get({ id }, { signal })
    const { kind, operation } = followed
    if (kind === 'cancelled') return { kind, action: null, shipment, operation }
    if (kind === 'not_cancelled') return { kind, action: 'new_key', shipment, operation }
    return { kind: 'needs_attention', action: 'follow', shipment, operation }
  }
}

function cancelled(shipment: Shipment): Outcome {
  return { kind: 'cancelled', action: null, shipment, operation: null }
}
