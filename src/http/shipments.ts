import { z } from 'zod'
import { type Json, rfc3339 } from '../domain/decider.ts'
import {
  latestAttempt,
  openOperationOf,
  type Shipment,
  shipmentStatuses,
  statusOf,
} from '../domain/shipment.ts'
import { phaseOf, trackingStatuses } from '../domain/tracking.ts'
import { type Reason, reasons } from '../errors.ts'
import type { Known } from '../processes/creation.ts'
import type { Vault } from '../security/vault.ts'
import { exampleShipment } from './examples.ts'
import { idOf, money, openEnum, timestamp } from './schemas.ts'

export const phases = [
  'pre_transit',
  'origin',
  'transit',
  'destination',
  'return',
  'final',
] as const
export const trackingException = z
  .object({ code: z.string(), since: timestamp, action_required: z.boolean() })
  .meta({ id: 'TrackingException' })

const agency = z.object({ agency_id: idOf('agy') })
export const shipmentSchema = z
  .object({
    id: idOf('shp'),
    object: z.literal('shipment'),
    livemode: z.boolean(),
    workspace_id: idOf('ws'),
    courier_connection_id: idOf('ccn'),
    external_reference: z.string(),
    idempotency_key: z.string(),
    status: openEnum(shipmentStatuses),
    failure: z
      .object({
        reason: z.enum(reasons as [Reason, ...Reason[]]).meta({ 'x-extensible': true }),
        detail: z.string().nullable(),
        at: timestamp,
      })
      .nullable(),
    guide_number: z.string().nullable(),
    pickup_code: z.string().nullable(),
    operation_id: idOf('op').nullable().meta({ description: 'The operation that is open' }),
    origin: agency,
    destination: agency,
    package: z.object({
      product_id: idOf('pkg'),
      quantity: z.int(),
      weight_kg: z.number(),
      height_m: z.number(),
      length_m: z.number(),
      width_m: z.number(),
    }),
    service: z.object({ mode: z.string(), payer: z.string() }),
    declared_content: z.string().nullable(),
    recipient: z
      .object({
        document_type: z.string(),
        document: z.string(),
        first_name: z.string(),
        last_name: z.string(),
      })
      .nullable(),
    quote_id: idOf('quo').nullable(),
    price: money.nullable(),
    label: z.object({ status: openEnum(['pending', 'ready', 'erased']) }),
    tracking: z.object({
      status: openEnum(trackingStatuses).nullable(),
      phase: openEnum(phases).nullable(),
      exception: trackingException.nullable(),
    }),
    metadata: z.record(z.string(), z.string()).nullable(),
    sandbox_scenario: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    version: z
      .int()
      .meta({ description: 'Events in its history; any of them can be asked for with `as_of`' }),
  })
  .meta({ id: 'Shipment', examples: [exampleShipment] })
export type ShipmentObject = z.infer<typeof shipmentSchema>

/** What the vault holds of some shipments, opened for one answer. */
export type Opened = {
  readonly rows: ReadonlyMap<string, { readonly payload: { readonly [key: string]: Json } }>
  readonly items: ReadonlyMap<string, unknown>
}

/** Opens what these shipments show of their vaults, in two reads. */
export async function openFor(vault: Vault, states: readonly Shipment[]): Promise<Opened> {
  const kept = states.filter((state) => state.erasedAt === null)
  const [rows, items] = await Promise.all([
    vault.openAll(kept.map((state) => state.request.vault_ref)),
    vault.openItems(kept.flatMap(itemRefsOf)),
  ])
  return { rows, items }
}

/** The same, from what the request that made the shipment still knows: the vault may be away. */
export async function openKnown(
  vault: Vault,
  state: Shipment,
  known: Known | null,
): Promise<Opened> {
  if (known === null || itemRefsOf(state).some((ref) => !known.items.has(ref))) {
    return await openFor(vault, [state])
  }
  const rows = new Map([[state.request.vault_ref, { payload: known.payload }]])
  return { rows, items: known.items }
}

function itemRefsOf(state: Shipment): readonly string[] {
  const attempt = latestAttempt(state)
  return [attempt?.guide?.pickupCodeRef ?? null, attempt?.refusalRef ?? null].filter(
    (ref) => ref !== null,
  )
}

function itemOf(opened: Opened, ref: string | null | undefined, field: string): string | null {
  const item =
    ref == null ? undefined : (opened.items.get(ref) as Record<string, unknown> | undefined)
  const value = item?.[field]
  return typeof value === 'string' ? value : null
}

function failureOf(state: Shipment, opened: Opened): ShipmentObject['failure'] {
  const attempt = latestAttempt(state)
  if (attempt === null) return null
  const at = rfc3339(attempt.concludedAt ?? attempt.updatedAt)
  if (attempt.status === 'rejected' || (attempt.status === 'nothing_created' && attempt.refused)) {
    // Rows that were folded before there were quotes do not have it.
    const reason = attempt.priceChanged ? 'quote_price_changed' : 'courier_rejected'
    return { reason, detail: itemOf(opened, attempt.refusalRef, 'text'), at }
  }
  if (attempt.status !== 'not_sent' || attempt.notSent === null) return null
  const { reason } = attempt.notSent
  return { reason: reason === 'too_late' ? 'dependency_unavailable' : reason, detail: null, at }
}

/** The object of product, "Objects". Once erased, what was personal is null. */
export function shipmentObject(
  shipmentId: string,
  state: Shipment,
  opened: Opened,
): ShipmentObject {
  const { request, tracking } = state
  const attempt = latestAttempt(state)
  const payload = opened.rows.get(request.vault_ref)?.payload
  const isErased = state.erasedAt !== null || payload === undefined
  const { exception } = tracking
  return {
    id: shipmentId,
    object: 'shipment',
    livemode: request.livemode,
    workspace_id: request.workspace_id,
    courier_connection_id: request.courier_connection_id,
    external_reference: request.external_reference,
    idempotency_key: request.idempotency_key,
    status: statusOf(state),
    failure: failureOf(state, opened),
    guide_number: attempt?.guide?.guideNumber ?? null,
    pickup_code: itemOf(opened, attempt?.guide?.pickupCodeRef, 'pickup_code'),
    operation_id: openOperationOf(state)?.operationId ?? null,
    origin: request.origin,
    destination: request.destination,
    package: request.package,
    service: request.service,
    declared_content: (payload?.declared_content as string | undefined) ?? null,
    recipient: (payload?.recipient as ShipmentObject['recipient'] | undefined) ?? null,
    quote_id: request.quote_id,
    price: attempt?.guide?.price ?? null,
    label: { status: isErased ? 'erased' : state.label === null ? 'pending' : 'ready' },
    tracking: {
      status: tracking.status,
      phase: phaseOf(tracking),
      exception:
        exception === null
          ? null
          : {
              code: exception.code,
              since: rfc3339(exception.since),
              action_required: exception.actionRequired,
            },
    },
    metadata: (payload?.metadata as Record<string, string> | undefined) ?? null,
    sandbox_scenario: request.sandbox_scenario,
    created_at: rfc3339(state.createdAt),
    updated_at: rfc3339(state.updatedAt),
    version: state.version,
  }
}
