import { z } from 'zod'
import type { Json } from '../../domain/decider.ts'
import {
  findCurrentAttempt,
  type Shipment,
  type ShipmentStatus,
  shipmentStatuses,
} from '../../domain/shipment/shipment.ts'
import { type ShipmentPayload, shipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import { shipmentToApi } from '../../domain/shipment/shipment-to-api.ts'
import type { TrackingUrlOf } from '../../domain/shipment/tracking-link.ts'
import { phases, trackingStatuses } from '../../domain/tracking/tracking.ts'
import type { ShipmentVersion } from '../../error-kinds.ts'
import { Problem, type Reason, reasons } from '../../errors.ts'
import type { DecryptedData } from '../../processes/calls/shipment-creation.ts'
import type { ApiServices } from '../api-services.ts'
import { exampleReference, exampleShipment, exampleShipmentRequest } from '../openapi/examples.ts'
import {
  createdAt,
  describedLike,
  idOf,
  legalHold,
  livemode,
  money,
  openEnum,
  ownId,
  parcelFields,
  serviceField,
  timestamp,
  typeOf,
  updatedAt,
  valuesText,
  version,
  workspaceRef,
} from '../openapi/schemas.ts'
import type { Union } from '../openapi/unions.ts'

const trackingException = z
  .object({
    code: z.string().meta({
      description: 'Why the parcel is held up: a tracking code such as `held` or `damaged`.',
      example: 'held',
    }),
    since: timestamp.meta({ description: 'When it was reported.' }),
    action_required: z
      .boolean()
      .meta({ description: 'Whether the sender or the recipient must do something.' }),
  })
  .meta({ id: 'TrackingException', description: 'Why a parcel is held up.' })

export const trackingStatus = openEnum(trackingStatuses)
  .nullable()
  .meta({ description: 'Where the parcel is. `null` if there is no guide.' })
export const trackingPhase = openEnum(phases).nullable().meta({
  description: 'The part of the journey that the status belongs to. `null` if there is no guide.',
})
export const currentException = trackingException
  .nullable()
  .meta({ description: 'The current exception. `null` if there is none.' })

export const trackingUrlField = z.url().nullable().meta({
  description:
    "The page for the person who waits for the parcel: send it to nobody else, because whoever has it can open it. `null` without a guide, after the erasure, and while the workspace's `tracking_page` is not enabled.",
  example: exampleShipment.tracking_url,
})

/** The payload as the OpenAPI document names it. */
export const shipmentRequest = shipmentPayload.meta({
  id: 'ShipmentRequest',
  description: 'An order to ship a parcel.',
  examples: [exampleShipmentRequest(exampleReference)],
})

const { shape: asked } = shipmentPayload
const { shape: person } = shipmentPayload.shape.recipient

const failureSchema = z.object({
  reason: z.enum(reasons as [Reason, ...Reason[]]).meta({
    'x-extensible': true,
    description: 'The `reason` of the problem that the creation returned, for programs.',
  }),
  detail: z.string().nullable().meta({
    description:
      "The courier's own words, for people, or its code if it gave only that. `null` if there is neither or they were erased.",
  }),
  at: timestamp.meta({ description: 'When it failed.' }),
})

const labelStatus = openEnum(['pending', 'ready', 'erased']).meta({
  description:
    '`pending`: not made yet. `ready`: available for download. `erased`: erased with the personal data.',
})

export const shipmentSchema = z
  .object({
    id: ownId('shp'),
    object: typeOf('shipment'),
    livemode,
    workspace_id: workspaceRef,
    courier_connection_id: idOf('ccn').meta({
      description: 'The courier account that ships it.',
    }),
    external_reference: describedLike(asked.external_reference, z.string()),
    idempotency_key: z.string().meta({
      description: 'The `Idempotency-Key` of its creation.',
      example: exampleReference,
    }),
    status: openEnum(shipmentStatuses).meta({
      description: valuesText<ShipmentStatus>('Current status.', {
        creating: 'the courier is being asked for a guide.',
        created: 'it has a guide.',
        rejected: 'the courier refused it permanently.',
        not_executed: 'the courier did nothing: repeat the creation with the same key.',
        unknown_outcome: "the courier's answer was lost: follow `operation_id` and create nothing.",
        not_created: 'it is certain that there is no guide: ship the order with a new key.',
        cancelling: 'the courier is being asked to cancel the guide, or its answer was lost.',
        cancelled: 'the guide is cancelled.',
      }),
    }),
    failure: failureSchema.nullable().meta({
      description:
        'Why there is no guide: the courier refused it, or it was not executed. `null` otherwise.',
    }),
    guide_number: z.string().nullable().meta({
      description: "The courier's guide number. `null` if there is no guide.",
      example: exampleShipment.guide_number,
    }),
    pickup_code: z.string().nullable().meta({
      description:
        'The code that the recipient shows to collect the parcel. `null` if there is none or it was erased.',
      example: exampleShipment.pickup_code,
    }),
    operation_id: idOf('op').nullable().meta({
      description: 'The operation whose outcome is not certain yet. `null` if there is none.',
    }),
    ...parcelFields,
    service: serviceField,
    declared_content: describedLike(asked.declared_content, z.string().nullable()).meta({
      description: 'What is in the parcel, as declared to the courier. `null` once erased.',
    }),
    recipient: z
      .object({
        document_type: describedLike(person.document_type, z.string()).meta({ example: 'DNI' }),
        document: describedLike(person.document, z.string()),
        first_name: describedLike(person.first_name, z.string()),
        last_name: describedLike(person.last_name, z.string()),
        phone: z.string().nullable().meta({
          description: 'The phone number. `null` if the creation had none.',
          example: '+51987654321',
        }),
        email: z.string().nullable().meta({
          description: 'The e-mail address. `null` if the creation had none.',
          example: 'ana@example.com',
        }),
      })
      .nullable()
      .meta({ description: 'The person who collects the parcel. `null` once erased.' }),
    quote_id: idOf('quo').nullable().meta({
      description:
        'The quote whose price the courier is held to. `null` if the creation named none.',
    }),
    declared_value: money.nullable().meta({
      description:
        'What the content is worth, as declared to the courier. `null` if the creation named no value.',
    }),
    cash_on_delivery: money.nullable().meta({
      description:
        'What the courier collects from the recipient and pays to the shop. `null` if it collects nothing.',
    }),
    price: money.nullable().meta({
      description: 'The price of the guide. `null` if it is not known.',
    }),
    label: z
      .object({ status: labelStatus })
      .meta({ description: 'Whether the label is available.' }),
    tracking: z
      .object({ status: trackingStatus, phase: trackingPhase, exception: currentException })
      .meta({
        description: 'Where the parcel is. `GET /v1/shipments/{id}/tracking` has the details.',
      }),
    tracking_url: trackingUrlField,
    metadata: z.record(z.string(), z.string()).nullable().meta({
      description: 'Your own keys and values. `null` if there are none or they were erased.',
    }),
    sandbox_scenario: z.string().nullable().meta({
      description: 'The scenario that the simulated courier plays. `null` in live mode.',
    }),
    legal_hold: legalHold.meta({
      description:
        'Its own legal hold. `null` if it has none. A hold on its workspace also keeps its personal data; the workspace shows that hold.',
    }),
    created_at: createdAt,
    updated_at: updatedAt,
    version: version.meta({
      description:
        'The number of events in its history. `as_of` reads the shipment at any version.',
      example: exampleShipment.version,
    }),
  } satisfies Record<keyof ShipmentPayload, z.ZodType> & z.ZodRawShape)
  .meta({
    id: 'Shipment',
    description: 'An order to ship: one key, at most one guide.',
    examples: [exampleShipment],
  })

type ShipmentMember =
  | 'ShipmentWithGuide'
  | 'ShipmentWithoutGuide'
  | 'ShipmentNotExecuted'
  | 'ShipmentOfUnknownOutcome'

/** What the status says about the other fields, whatever way the shipment came to it. */
export const shipmentUnion: Union<ShipmentMember> = {
  name: 'Shipment',
  by: 'status',
  members: {
    ShipmentWithGuide: {
      description: 'A shipment that has a guide, which may have been cancelled since.',
      present: ['guide_number'],
    },
    ShipmentWithoutGuide: {
      description: 'A shipment that has no guide, or none yet.',
    },
    ShipmentNotExecuted: {
      description: 'A shipment whose creation failed: `failure` says why.',
      present: ['failure'],
    },
    ShipmentOfUnknownOutcome: {
      description: 'A shipment that may have a guide: `operation_id` finds out.',
      present: ['operation_id'],
    },
  },
  memberOf: {
    creating: 'ShipmentWithoutGuide',
    created: 'ShipmentWithGuide',
    rejected: 'ShipmentNotExecuted',
    not_executed: 'ShipmentNotExecuted',
    unknown_outcome: 'ShipmentOfUnknownOutcome',
    not_created: 'ShipmentWithoutGuide',
    cancelling: 'ShipmentWithGuide',
    cancelled: 'ShipmentWithGuide',
  } satisfies Record<ShipmentStatus, ShipmentMember>,
}

export type ShipmentObject = z.infer<typeof shipmentSchema>

/** The decrypted vault contents of some shipments, for one answer. */
type Decrypted = {
  readonly rows: ReadonlyMap<string, { readonly payload: { readonly [key: string]: Json } }>
  readonly items: ReadonlyMap<string, unknown>
  readonly trackingUrl: TrackingUrlOf
}

type Shown = Pick<ApiServices, 'vault' | 'links'>

/** Decrypts the vault contents that these shipments show, in two reads, and knows their links. */
export async function decryptFor(
  { vault, links }: Shown,
  states: readonly Shipment[],
): Promise<Decrypted> {
  const kept = states.filter((state) => state.erasedAt === null)
  const [rows, items, trackingUrl] = await Promise.all([
    vault.openAll(kept.map((state) => state.request.vault_ref)),
    vault.openItems(kept.flatMap(itemRefsOf)),
    links.urlsFor(kept.map((state) => state.request.workspace_id)),
  ])
  return { rows, items, trackingUrl }
}

/**
 * Like `decryptFor`, but uses the data that the creating request still holds, because the vault may
 * be unavailable.
 */
export async function decryptKnown(
  deps: Shown,
  state: Shipment,
  decrypted: DecryptedData | null,
): Promise<Decrypted> {
  if (decrypted === null || state.erasedAt !== null) return await decryptFor(deps, [state])
  const rows = new Map([[state.request.vault_ref, { payload: decrypted.payload }]])
  const trackingUrl = await deps.links.urlsFor([state.request.workspace_id])
  const missing = itemRefsOf(state).filter((ref) => !decrypted.items.has(ref))
  if (missing.length === 0) return { rows, items: decrypted.items, trackingUrl }
  const items = new Map([...decrypted.items, ...(await deps.vault.openItems(missing))])
  return { rows, items, trackingUrl }
}

/** The problem of a request that was carried out, but whose shipment cannot be decrypted now. */
export function executedButNotShown(
  shipment: ShipmentVersion,
  detail: string,
): (cause: unknown) => never {
  return (cause) => {
    throw new Problem('dependency_unavailable', {
      shipment,
      outcome: 'executed',
      retryAfterSeconds: 1,
      detail,
      cause,
    })
  }
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
  return shipmentToApi(shipmentId, state, state.erasedAt !== null || payload === undefined, {
    trackingUrl: decrypted.trackingUrl,
    personal: {
      payload,
      pickupCode: itemOf(decrypted, attempt?.guide?.pickupCodeRef, 'pickup_code'),
      refusalText:
        itemOf(decrypted, attempt?.refusalRef, 'text') ??
        itemOf(decrypted, attempt?.refusalRef, 'code'),
    },
  })
}
