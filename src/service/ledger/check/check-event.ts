import type { JsonObject } from '../../domain/decider.ts'
import { auditStream, isId, platform, shipmentStream } from '../../domain/ids.ts'
import { auditEventSchemas } from '../../domain/ledger/audit-event.ts'
import {
  actorKeys,
  decodeAuditEvent,
  decodeEvent,
  leafOf,
  ledgerEventObject,
  metadataKeys,
  UnreadableEvent,
} from '../../event-store/codec.ts'
import type { StoredEvent } from '../../event-store/event-store.ts'

/** An event to check, from the store or from an export. */
export type CheckedEvent = {
  /** The ledger event object, with position and leaf. */
  readonly object: ReturnType<typeof ledgerEventObject>
  readonly stream: string
  readonly organizationId: string
}

type StreamPlace = { readonly stream: string; readonly revision: number }

/** What is known of one stream so far; null = none of its events could be trusted yet. */
type Known = {
  revision: number
  correlationId: string | null
  organizationId: string | null
}

export type EventChecker = {
  /**
   * Returns what is wrong with an event: its leaf, its form, or its place in its stream. Call it in
   * the ledger's order. `sealedAs` is the place where it was sealed, which takes precedence over
   * what the event says now, so that a changed event does not make later ones look wrong.
   */
  problemOf(event: CheckedEvent, sealedAs: StreamPlace | null): string | null
  /** Checks an event without its place, for an event that is out of order. */
  contentProblemOf(event: CheckedEvent): string | null
  /** Call it if the event of this place is missing or unreadable, which the caller reports. */
  skip(place: StreamPlace): void
  /** Call it if this many unknown events are missing, which the caller reports. */
  lose(events: number): void
}

/**
 * `fromTheStart`: every stream is checked from its beginning. Uses a few hundred bytes per stream.
 */
export function eventChecker(fromTheStart: boolean): EventChecker {
  const streams = new Map<string, Known>()
  /**
   * Missing events that were reported: a gap in a stream that they explain is not reported again.
   */
  let missing = 0
  return {
    contentProblemOf,
    problemOf(event, sealedAs) {
      const leaf = leafProblem(event.object)
      const own = leaf ?? nameProblem(event) ?? schemaProblem(event)
      const believed = leaf === null ? null : streams.get(event.stream)
      const place = sealedAs ?? placeOf(event, believed, fromTheStart)
      if (place === null) return own
      const before = streams.get(place.stream)
      const gap = place.revision - (before === undefined ? 0 : before.revision + 1)
      const isExplained = gap > 0 && gap <= missing
      if (isExplained) missing -= gap
      const order = isExplained ? null : orderProblem(before, place, fromTheStart)
      const known = before ?? { revision: 0, correlationId: null, organizationId: null }
      known.revision = place.revision
      streams.set(place.stream, known)
      const problem = own ?? order
      if (problem !== null) return problem
      return ownerProblem(known, event, before === undefined && place.revision === 0)
    },
    lose(events) {
      missing += events
    },
    skip({ stream, revision }) {
      const known = streams.get(stream)
      if (known === undefined)
        streams.set(stream, { revision, correlationId: null, organizationId: null })
      else known.revision = revision
    },
  }
}

function contentProblemOf(event: CheckedEvent): string | null {
  return leafProblem(event.object) ?? nameProblem(event) ?? schemaProblem(event)
}

/** Converts an event from a store, or returns why it cannot be read. */
export function checkedEvent(stored: StoredEvent): CheckedEvent | string {
  const unknown = unknownField(stored.metadata)
  if (unknown !== undefined) return `its metadata has an unknown field, ${unknown}`
  try {
    const organizationId = String(stored.metadata.organization_id)
    return { object: ledgerEventObject(stored), stream: stored.stream, organizationId }
  } catch (error) {
    return unreadable(error)
  }
}

/** A metadata field that the leaf does not cover. */
function unknownField(metadata: StoredEvent['metadata']): string | undefined {
  const { actor } = metadata
  const within = typeof actor === 'object' && actor !== null ? Object.keys(actor) : []
  const ofActor = within.find((key) => !actorKeys.has(key))
  const ofMetadata = Object.keys(metadata).find((key) => !metadataKeys.has(key))
  return ofMetadata ?? (ofActor === undefined ? undefined : `actor.${ofActor}`)
}

function leafProblem({ position: _position, leaf, ...hashed }: CheckedEvent['object']) {
  if (leafOf(hashed) === leaf) return null
  return 'its content was changed after it was recorded: it does not match its digest (leaf)'
}

function nameProblem({ object, stream, organizationId }: CheckedEvent): string | null {
  const { shipment_id: shipmentId } = object
  if (shipmentId !== null) {
    return isId('shp', shipmentId) && shipmentStream(shipmentId) === stream
      ? null
      : `it belongs to ${shipmentId}, but is in the stream ${stream}`
  }
  return stream === auditStream(organizationId)
    ? null
    : `it is an act on ${organizationId}, but is in the stream ${stream}`
}

function schemaProblem({ object, stream }: CheckedEvent): string | null {
  const { id, type, revision, position, data, leaf: _leaf, ...metadata } = object
  try {
    // The first event of a stream has the owner in its data; here it only has to be a string.
    const full = { ...metadata, organization_id: '', leaf: object.leaf } as unknown as JsonObject
    const stored = { id, type, data, metadata: full, stream, revision, position }
    if (Object.hasOwn(auditEventSchemas, type)) decodeAuditEvent(stored)
    else decodeEvent(stored)
    return null
  } catch (error) {
    return unreadable(error)
  }
}

/**
 * The place of an event without a known seal. A changed event, in the stream `changedIn`, can claim
 * any revision, so it counts as the next one; null if that is unknown.
 */
function placeOf(
  { object, stream }: CheckedEvent,
  changedIn: Known | null | undefined,
  fromTheStart: boolean,
): StreamPlace | null {
  const { shipment_id: shipmentId, revision } = object
  if (changedIn === undefined) return fromTheStart ? { stream, revision: 0 } : null
  if (changedIn !== null) return { stream, revision: changedIn.revision + 1 }
  return { stream: shipmentId === null ? stream : shipmentStream(shipmentId), revision }
}

function orderProblem(
  known: Known | undefined,
  { revision }: StreamPlace,
  fromTheStart: boolean,
): string | null {
  if (known === undefined) {
    if (revision === 0 || !fromTheStart) return null
    return `it has revision ${revision}, and the events before it in its stream are missing`
  }
  const expected = known.revision + 1
  if (revision === expected) return null
  return `it has revision ${revision}, and ${expected} must come next in its stream`
}

/**
 * Checks the owner: all events of a stream have the same one, which the first event's data
 * confirms.
 */
function ownerProblem(
  known: Known,
  { object, organizationId }: CheckedEvent,
  isFirst: boolean,
): string | null {
  const { correlation_id: correlationId, shipment_id: shipmentId } = object
  if (isFirst) {
    if (correlationId !== object.id) {
      return 'it begins its stream, but its correlation_id is not its own id'
    }
    const isOfPlatform = organizationId === platform && shipmentId === null
    if (!isOfPlatform && object.data.organization_id !== organizationId) {
      return `it belongs to ${organizationId}, but its data names another organization`
    }
  }
  if (known.correlationId !== null && correlationId !== known.correlationId) {
    return 'its correlation_id is not that of its stream'
  }
  if (known.organizationId !== null && organizationId !== known.organizationId) {
    return 'it names a different organization from the events before it in its stream'
  }
  known.correlationId = correlationId
  known.organizationId = organizationId
  return null
}

function unreadable(error: unknown): string {
  if (error instanceof UnreadableEvent) return `it cannot be read: ${error.why}`
  return 'it cannot be read'
}
