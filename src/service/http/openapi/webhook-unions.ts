import { type WebhookType, webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import { nullable, reference, type Schema, type Schemas, unionOf, withValues } from './unions.ts'
import { webhookOnlyObjects } from './webhook-objects.ts'

type Json = Record<string, unknown>

/** The webhooks about one kind of resource, and what their bodies have in common. */
type Kind = {
  /** The `object` of the resource. */
  readonly resource: string
  /** The name of its component. */
  readonly object: string
  readonly isVersioned: boolean
  /** The fields whose former values are sent: all, some, or none since nothing was there before. */
  readonly previous: 'all' | readonly string[] | null
}

const ofShipment = { isVersioned: true, previous: 'all' } as const
const ofRow = { isVersioned: true } as const
const unversioned = { isVersioned: false, previous: null } as const

const kinds = {
  ShipmentWebhook: { ...ofShipment, resource: 'shipment', object: 'Shipment' },
  OperationWebhook: { ...ofShipment, resource: 'operation', object: 'Operation' },
  TrackingWebhook: { ...ofShipment, resource: 'tracking', object: 'TrackingUpdate' },
  ConnectionWebhook: {
    ...ofRow,
    resource: 'courier_connection',
    object: 'ParkedConnection',
    previous: ['status'],
  },
  EndpointWebhook: {
    ...ofRow,
    resource: 'webhook_endpoint',
    object: 'DisabledEndpoint',
    previous: ['status', 'disabled_reason'],
  },
  AlertWebhook: {
    ...ofRow,
    resource: 'alert',
    object: 'Alert',
    previous: ['state', 'resolved_at'],
  },
  InvoiceWebhook: {
    ...ofRow,
    resource: 'courier_invoice',
    object: 'CourierInvoice',
    previous: null,
  },
  BatchWebhook: { ...unversioned, resource: 'batch', object: 'Batch' },
  QuotaWebhook: { ...unversioned, resource: 'quota', object: 'Quota' },
} as const satisfies Record<string, Kind>
type KindName = keyof typeof kinds

type Family = WebhookType extends infer T ? (T extends `${infer F}.${string}` ? F : never) : never

/** A family of types that is missing here does not compile. */
const kindOfFamily: Readonly<Record<Family, KindName>> = {
  shipment: 'ShipmentWebhook',
  label: 'ShipmentWebhook',
  operation: 'OperationWebhook',
  tracking: 'TrackingWebhook',
  connection: 'ConnectionWebhook',
  webhook_endpoint: 'EndpointWebhook',
  quota: 'QuotaWebhook',
  batch: 'BatchWebhook',
  courier_invoice: 'InvoiceWebhook',
  alert: 'AlertWebhook',
}

function kindOf(type: WebhookType): KindName {
  return kindOfFamily[type.slice(0, type.indexOf('.')) as Family]
}

/**
 * Makes unions by `type` of the event's components, given their single schemas: what is delivered,
 * and what `GET /v1/events` lists. Each member has its own object and former values.
 */
export function declareWebhookUnions(schemas: Schemas, payload: Schema, event: Schema): void {
  declareObjects(schemas)
  for (const [name, kind] of Object.entries(kinds)) {
    const types = webhookTypeNames.filter((type) => kindOf(type) === name)
    schemas[name] = memberOf(schemas, payload, kind, types)
    schemas[`${name}Event`] = memberOf(schemas, event, kind, types)
  }
  const union = (base: Schema, suffix: string) => {
    const names = webhookTypeNames.map((type) => [type, `${kindOf(type)}${suffix}`])
    const text = 'A union by `type`, which may get more types: ignore those that you do not know.'
    return {
      ...unionOf('type', Object.fromEntries(names)),
      description: `${base.description} ${text}`,
      examples: base.examples,
    }
  }
  schemas.WebhookPayload = union(payload, '')
  schemas.WebhookEvent = union(event, 'Event')
}

/** The objects that are other than in answers. */
function declareObjects(schemas: Schemas): void {
  const { alert, quota, omitted } = webhookOnlyObjects()
  schemas.Alert = alert
  schemas.Quota = quota
  const { Tracking, CourierConnection, WebhookEndpoint } = schemas as Record<string, Schema>
  if (Tracking !== undefined) {
    schemas.TrackingUpdate = {
      ...withFields(Tracking, { events_omitted: omitted }),
      required: [...Tracking.required, 'events_omitted'],
      description: 'Where a parcel is, with the new scans only.',
    }
  }
  if (CourierConnection !== undefined) {
    schemas.ParkedConnection = {
      ...withFields(CourierConnection, nulls(CourierConnection, ['display_name'])),
      description: 'A connection whose credentials the courier refused, without your own texts.',
    }
  }
  if (WebhookEndpoint !== undefined) {
    schemas.DisabledEndpoint = {
      ...withFields(WebhookEndpoint, nulls(WebhookEndpoint, ['url', 'description'])),
      description: 'An endpoint that was disabled, without your own texts.',
    }
  }
}

function withFields({ examples: _, ...base }: Schema, fields: Record<string, Json>): Schema {
  return { ...base, properties: { ...base.properties, ...fields } } as Schema
}

function nulls({ properties }: Schema, fields: readonly string[]): Record<string, Json> {
  return Object.fromEntries(
    fields.map((field) => [
      field,
      nullable({
        type: 'string',
        description: `${properties[field]?.description} Always \`null\` here.`,
      }),
    ]),
  )
}

/** Fields that change with every event, and lists that grow, are not sent again. */
const neverPrevious: ReadonlySet<string> = new Set([
  ...['updated_at', 'version'],
  ...['events', 'events_omitted', 'looks', 'resolutions', 'comments'],
])

function memberOf(
  schemas: Schemas,
  base: Schema,
  { resource, object, isVersioned, previous }: Kind,
  types: readonly WebhookType[],
): Schema {
  const { properties } = base
  const about = properties.resource as unknown as Schema
  const { version, type, id } = about.properties
  const shown = schemas[object] as Schema | undefined
  const own = {
    resource: withFields(about, {
      type: { ...type, enum: [resource], example: resource },
      id: { type: 'string', description: id?.description },
      ...(isVersioned ? { version: { ...version, type: 'integer' } } : {}),
    }),
    // A service with fewer routes does not have every component.
    data:
      shown === undefined ? properties.data : dataOf(properties.data as unknown as Schema, object),
    previous: properties.previous,
  }
  if (shown !== undefined && previous !== null) {
    const fields = Object.entries(shown.properties).filter(([field]) =>
      previous === 'all' ? !neverPrevious.has(field) : previous.includes(field),
    )
    schemas[`${object}Changes`] = {
      type: 'object',
      properties: Object.fromEntries(fields),
      description: 'The former values of the fields that changed.',
    }
    const { description } = properties.previous ?? {}
    own.previous = { anyOf: [reference(`${object}Changes`), { type: 'null' }], description }
  }
  const { examples: _, ...rest } = withValues(base, 'type', types)
  return {
    ...rest,
    description: `${base.description} It is about the \`${resource}\` in \`data.object\`.`,
    properties: { ...rest.properties, ...own },
  } as Schema
}

function dataOf(data: Schema, object: string): Schema {
  const { description } = data.properties.object ?? {}
  return withFields(data, { object: { ...reference(object), description } })
}
