import { z } from 'zod'
import type { Json } from '../../domain/decider.ts'
import {
  findCurrentAttempt,
  type Shipment,
  shipmentStatuses,
} from '../../domain/shipment/shipment.ts'
import { type ShipmentPayload, shipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import { shownShipment } from '../../domain/shipment/shown-shipment.ts'
import { phases, trackingStatuses } from '../../domain/tracking/tracking.ts'
import { type Reason, reasons } from '../../errors.ts'
import type { Known } from '../../processes/calls/create-shipment.ts'
import type { Vault } from '../../security/vault/vault.ts'
import { exampleReference, exampleShipment, exampleShipmentRequest } from '../openapi/examples.ts'
import { agencyRef, idOf, legalHold, money, openEnum, timestamp } from '../openapi/schemas.ts'

export const trackingException = z
  .object({ code: z.string(), since: timestamp, action_required: z.boolean() })
  .meta({ id: 'TrackingException' })

/** The payload as the OpenAPI document names it. */
export const shipmentRequest = shipmentPayload.meta({
  id: 'ShipmentRequest',
  examples: [exampleShipmentRequest(exampleReference)],
})

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
    operation_id: idOf('op').nullable().meta({ description: 'The open operation' }),
    origin: agencyRef,
    destination: agencyRef,
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
    legal_hold: legalHold.meta({
      description:
        'Its own legal hold. One on its workspace also keeps its personal data, and is shown there',
    }),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int().meta({
      description: 'Number of events in its history; `as_of` reads the shipment at any of them',
    }),
  } satisfies Record<keyof ShipmentPayload, z.ZodType> & z.ZodRawShape)
  .meta({ id: 'Shipment', examples: [exampleShipment] })
export type ShipmentObject = z.infer<typeof shipmentSchema>

/** The decrypted vault contents of some shipments, for one answer. */
type Decrypted = {
  readonly rows: ReadonlyMap<string, { readonly payload: { readonly [key: string]: Json } }>
  readonly items: ReadonlyMap<string, unknown>
}

/** Decrypts the vault contents that these shipments show, in two reads. */
export async function decryptFor(vault: Vault, states: readonly Shipment[]): Promise<Decrypted> {
  const kept = states.filter((state) => state.erasedAt === null)
  const [rows, items] = await Promise.all([
    vault.openAll(kept.map((state) => state.request.vault_ref)),
    vault.openItems(kept.flatMap(itemRefsOf)),
  ])
  return { rows, items }
}

/** The same, using what the creating request still knows, because the vault may be unavailable. */
export async function decryptKnown(
  vault: Vault,
  state: Shipment,
  known: Known | null,
): Promise<Decrypted> {
  if (known === null || state.erasedAt !== null) return await decryptFor(vault, [state])
  const rows = new Map([[state.request.vault_ref, { payload: known.payload }]])
  const missing = itemRefsOf(state).filter((ref) => !known.items.has(ref))
  if (missing.length === 0) return { rows, items: known.items }
  return { rows, items: new Map([...known.items, ...(await vault.openItems(missing))]) }
}

function itemRefsOf(state: Shipment): readonly string[] {
  const attempt = findCurrentAttempt(state)
  return [attempt?.guide?.pickupCodeRef ?? null, attempt?.refusalRef ?? null].filter(
    (ref) => ref !== null,
  )
}

function itemOf(
  decrypted: Decrypted,
  ref: string | null | undefined,
  field: string,
): string | null {
  const item =
    ref == null ? undefined : (decrypted.items.get(ref) as Record<string, unknown> | undefined)
  const value = item?.[field]
  return typeof value === 'string' ? value : null
}

/** The API's shipment. After an erasure, its personal fields are null. */
export function shipmentObject(
  shipmentId: string,
  state: Shipment,
  decrypted: Decrypted,
): ShipmentObject {
  const payload = decrypted.rows.get(state.request.vault_ref)?.payload
  const attempt = findCurrentAttempt(state)
  return shownShipment(shipmentId, state, state.erasedAt !== null || payload === undefined, {
    payload,
    pickupCode: itemOf(decrypted, attempt?.guide?.pickupCodeRef, 'pickup_code'),
    refusalText: itemOf(decrypted, attempt?.refusalRef, 'text'),
  })
}
