import { createHash, randomUUID } from 'node:crypto'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import canonicalize from 'canonicalize'
import { z } from 'zod'
import {
  type Instant,
  instant,
  type JsonObject,
  type Recorded,
  rfc3339,
} from '../domain/decider.ts'
import { vaultRefsIn } from '../domain/event-fields.ts'
import { type AuditEvent, auditEventSchemas } from '../domain/ledger/audit-event.ts'
import {
  type Decided,
  type ShipmentEvent,
  shipmentEventSchemas,
} from '../domain/shipment/shipment-events.ts'
import type { NewEvent, StoredEvent } from './event-store.ts'
import { eventVersion, type Upcasters, upcast, upcasters } from './upcasting.ts'

export const actorTypes = [
  'api_key',
  'reconciliation',
  'poller',
  'system',
  'cli',
  'operator',
] as const

/** Who caused an event. An operator is identified by id only: the name stays in the operator's row. */
export type Actor =
  /** `keyId` is null if the operator used the command line. */
  | { readonly type: 'operator'; readonly operatorId: string; readonly keyId: string | null }
  /** `systemUser`: the operating system's user who ran the command; absent if unknown. */
  | { readonly type: 'cli'; readonly keyId: null; readonly systemUser?: string }
  | {
      readonly type: Exclude<(typeof actorTypes)[number], 'operator' | 'cli'>
      readonly keyId: string | null
    }

/** The data that all events of one append share. */
export type Envelope = {
  readonly organizationId: string
  readonly workspaceId: string | null
  readonly shipmentId: string | null
  readonly livemode: boolean
  readonly actor: Actor
  readonly requestId: string | null
  /** The event that caused this one; null if only the request did. */
  readonly causationId: string | null
  /** The id of the stream's first event; null while that is being written. */
  readonly correlationId: string | null
  readonly recordedAt: Instant
  /** Commitments to what these events store in the vault, by reference. */
  readonly commitments?: ReadonlyMap<string, string>
}

/**
 * The actor as stored. Events written before a member existed lack it, and a null would change their
 * leaf, so a member without a value is omitted.
 */
export const storedActor = {
  type: z.enum(actorTypes),
  key_id: z.string().nullable(),
  operator_id: z.string().exactOptional(),
  system_user: z.string().exactOptional(),
}
const actorSchema = z.object(storedActor)

function actorToStore(actor: Actor): z.infer<typeof actorSchema> {
  const { type, keyId: key_id } = actor
  switch (type) {
    case 'operator':
      return { type, operator_id: actor.operatorId, key_id }
    case 'cli':
      return actor.systemUser === undefined
        ? { type, key_id }
        : { type, key_id, system_user: actor.systemUser }
    default:
      return { type, key_id }
  }
}

const time = z.iso.datetime({ precision: 3 })
const metadataSchema = z.object({
  schema: z.int().min(1),
  recorded_at: time,
  occurred_at: time,
  organization_id: z.string(),
  workspace_id: z.string().nullable(),
  shipment_id: z.string().nullable(),
  livemode: z.boolean(),
  actor: actorSchema,
  request_id: z.string().nullable(),
  causation_id: z.string().nullable(),
  correlation_id: z.string(),
  leaf: z.string().length(64),
})
type Metadata = z.infer<typeof metadataSchema>
/** The allowed keys of metadata; any other key would not be covered by the leaf. */
export const metadataKeys: ReadonlySet<string> = new Set(Object.keys(metadataSchema.shape))
/** The allowed keys of the actor in the metadata. */
export const actorKeys: ReadonlySet<string> = new Set(Object.keys(storedActor))

/**
 * The event as the API and auditors see it, without position and leaf. The leaf is the hash of this.
 */
function hashed(
  { id, type, revision, data }: Pick<StoredEvent, 'id' | 'type' | 'revision' | 'data'>,
  m: Omit<Metadata, 'leaf'>,
) {
  return {
    object: 'ledger_event' as const,
    id,
    livemode: m.livemode,
    created_at: m.recorded_at,
    type,
    schema: m.schema,
    shipment_id: m.shipment_id,
    revision,
    recorded_at: m.recorded_at,
    occurred_at: m.occurred_at,
    workspace_id: m.workspace_id,
    actor: m.actor,
    request_id: m.request_id,
    causation_id: m.causation_id,
    correlation_id: m.correlation_id,
    data,
  }
}

/** SHA-256 of the RFC 8785 form, in lower-case hexadecimal. */
export function leafOf(ledgerEvent: ReturnType<typeof hashed>): string {
  const text = canonicalize(ledgerEvent)
  if (text === undefined) throw new Error('bug: the event is not JSON')
  return createHash('sha256').update(text).digest('hex')
}

/** An event of another category (audit), already checked against its own schema. */
type OtherEvent = { readonly type: string; readonly data: JsonObject }

/** The event does not match its own schema. If it were written, it could never be read again. */
export class UnwritableEvent extends Error {
  override readonly name = 'UnwritableEvent'
}

// Formats are not validated here: the patterns define what times look like.
const ajv = new Ajv2020({ strict: false, validateFormats: false })
/** At most one entry per event schema. */
const compiledChecks = new WeakMap<z.ZodType, ValidateFunction>()

/**
 * Whether a JSON value fits a schema that transforms nothing. The check is compiled from the JSON
 * Schema at its first use; it takes a fifth of the schema's own time and copies nothing. It may return
 * false for a value that the schema would accept by dropping something, so after a false the schema
 * itself must decide and explain. Lengths count characters here, but UTF-16 units in the schema.
 */
export function fits(schema: z.ZodType, value: unknown): boolean {
  const known = compiledChecks.get(schema)
  if (known !== undefined) return known(value)
  const check = ajv.compile(z.toJSONSchema(schema))
  compiledChecks.set(schema, check)
  return check(value)
}

function schemaIn(schemas: Readonly<Record<string, z.ZodType>>, type: string): z.ZodType | null {
  return Object.hasOwn(schemas, type) ? (schemas[type] ?? null) : null
}

const allSchemas = { ...shipmentEventSchemas, ...auditEventSchemas }

function refuseUnreadable(event: Decided | OtherEvent): void {
  const schema = schemaIn(allSchemas, event.type)
  if (schema === null || fits(schema, event.data)) return
  const parsed = schema.safeParse(event.data)
  if (!parsed.success) throw new UnwritableEvent(`${event.type}: ${issuesOf(parsed.error)}`)
}

/** The event with commitments to what it stores in the vault. */
function committing(
  event: Decided | OtherEvent,
  commitments: ReadonlyMap<string, string> = new Map(),
): Decided | OtherEvent {
  const known = vaultRefsIn(event.data).flatMap((ref) => {
    const commitment = commitments.get(ref)
    return commitment === undefined ? [] : [[ref, commitment]]
  })
  if (known.length === 0) return event
  return { ...event, data: { ...event.data, commitments: Object.fromEntries(known) } } as OtherEvent
}

/** Encodes events for an append, the first at `revision`, and gives each its id. */
export function encodeEvents(
  decided: readonly (Decided | OtherEvent)[],
  revision: number,
  envelope: Envelope,
): readonly NewEvent[] {
  let correlationId = envelope.correlationId
  return decided.map((bare, index) => {
    const event = committing(bare, envelope.commitments)
    refuseUnreadable(event)
    const id = randomUUID()
    correlationId ??= id
    const occurredAt = 'occurredAt' in event ? event.occurredAt : undefined
    const metadata = {
      schema: eventVersion(event.type),
      recorded_at: rfc3339(envelope.recordedAt),
      occurred_at: rfc3339(occurredAt ?? envelope.recordedAt),
      organization_id: envelope.organizationId,
      workspace_id: envelope.workspaceId,
      shipment_id: envelope.shipmentId,
      livemode: envelope.livemode,
      actor: actorToStore(envelope.actor),
      request_id: envelope.requestId,
      causation_id: envelope.causationId,
      correlation_id: correlationId,
    }
    const { type, data } = event as OtherEvent
    const leaf = leafOf(hashed({ id, type, revision: revision + index, data }, metadata))
    return { id, type, data, metadata: { ...metadata, leaf } }
  })
}

export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'
  readonly why: string
  constructor(event: StoredEvent, why: string) {
    super(`Event ${event.id} (${event.type}) at position ${event.position} cannot be read: ${why}`)
    this.why = why
  }
}

function issuesOf(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ')
}

export function metadataOf(event: StoredEvent): Metadata {
  if (fits(metadataSchema, event.metadata)) return event.metadata as Metadata
  const parsed = metadataSchema.safeParse(event.metadata)
  if (!parsed.success) throw new UnreadableEvent(event, issuesOf(parsed.error))
  return parsed.data
}

export type LedgerEvent = Recorded<ShipmentEvent> & {
  readonly id: string
  readonly stored: StoredEvent
  readonly metadata: Metadata
}

/** The event's data, upcast to the newest version and checked. */
function readable(
  event: StoredEvent,
  version: number,
  schemas: Readonly<Record<string, z.ZodType>>,
  table: Upcasters,
): unknown {
  const schema = schemaIn(schemas, event.type)
  if (schema === null) {
    throw new UnreadableEvent(event, 'this version of the code does not know its type')
  }
  if (version > eventVersion(event.type, table)) {
    throw new UnreadableEvent(event, `its schema version ${version} is newer than this code`)
  }
  const data = upcast(event.type, version, event.data, table)
  if (fits(schema, data)) return data
  const parsed = schema.safeParse(data)
  if (!parsed.success) throw new UnreadableEvent(event, issuesOf(parsed.error))
  return parsed.data
}

/**
 * A shipment event as the domain knows it, upcast to the newest version of its type; `stored` is
 * the event as written, which the leaf covers. Throws UnreadableEvent if no schema fits.
 */
export function decodeEvent(event: StoredEvent, table: Upcasters = upcasters): LedgerEvent {
  if (table !== upcasters) return decodeOnce(event, table)
  const known = decodedEvents.get(event)
  if (known !== undefined) return known
  const made = decodeOnce(event)
  decodedEvents.set(event, made)
  return made
}

/** Projections that read the same events at the same time share the decoded events. */
const decodedEvents = new WeakMap<StoredEvent, LedgerEvent>()

/** Like `decodeEvent`, but without caching: for many events that are needed only once. */
export function decodeOnce(event: StoredEvent, table: Upcasters = upcasters): LedgerEvent {
  const metadata = metadataOf(event)
  const data = readable(event, metadata.schema, shipmentEventSchemas, table)
  return {
    type: event.type,
    data,
    id: event.id,
    version: event.revision + 1,
    occurredAt: instant(metadata.occurred_at),
    recordedAt: instant(metadata.recorded_at),
    operatorId: metadata.actor.operator_id ?? null,
    keyId: metadata.actor.key_id,
    stored: event,
    metadata,
  } as LedgerEvent
}

/** Like `decodeEvent`, for an event of an audit stream. */
export function decodeAuditEvent(event: StoredEvent, table: Upcasters = upcasters): AuditEvent {
  const { schema } = metadataOf(event)
  return {
    type: event.type,
    data: readable(event, schema, auditEventSchemas, table),
  } as AuditEvent
}

/** A decoded event of an audit stream, with the stored event that the leaf covers. */
export type Act = {
  readonly stored: StoredEvent
  readonly event: AuditEvent
  /** The organization's id, or `platform`. */
  readonly owner: string
}

/** Decodes an event of an audit stream. Throws UnreadableEvent if no schema fits. */
export function actOf(stored: StoredEvent): Act {
  const { organization_id: owner } = metadataOf(stored)
  return { stored, event: decodeAuditEvent(stored), owner }
}

/** The ledger event object of the API. */
export function ledgerEventObject(event: StoredEvent) {
  const { leaf, ...metadata } = metadataOf(event)
  return {
    ...hashed(event, metadata),
    position: event.position,
    leaf,
  }
}

/** Whether the stored leaf matches the content. */
export function leafHolds(event: StoredEvent): boolean {
  const { leaf, ...metadata } = metadataOf(event)
  return leaf === leafOf(hashed(event, metadata))
}
