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

/** An event to be checked, from the store or from an export. */
export type CheckedEvent = {
  /** The ledger event object, with position and leaf. */
  readonly object: ReturnType<typeof ledgerEventObject>
  readonly stream: string
  readonly organizationId: string
}

/** A place in a stream. */
type StreamPlace = { readonly stream: string; readonly revision: number }

/** The state of one stream so far; null = its events could not be trusted yet. */
type Known = {
  revision: number
  correlationId: string | null
  organizationId: string | null
}

export type EventChecker = {
  /**
   * The problem of an event, which must be the next one in the ledger's order: its leaf, its form,
   * its place in its stream. `sealedAs` is the place where it was sealed, which takes precedence
   * over what the event says now, so that a changed event does not make later ones look wrong.
   */
  problemOf(event: CheckedEvent, sealedAs: StreamPlace | null): string | null
  /** The same without its place: for an event that does not belong between its neighbors. */
  contentProblemOf(event: CheckedEvent): string | null
  /** The event of this place is missing or unreadable, which is reported elsewhere. */
  skip(place: StreamPlace): void
  /** This many events are missing, which is reported elsewhere, and nothing says which ones. */
  lose(events: number): void
}

/**
 * `fromTheStart`: every stream is checked from its beginning. Keeps some hundred bytes per stream.
 */
export function eventChecker(fromTheStart: boolean): EventChecker {
  const streams = new Map<string, Known>()
  /** Events missing somewhere: a gap in a stream that they can explain is not reported again. */
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

/** The event from a store, or the reason why it is not one. */
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

/** A field that the leaf does not cover. */
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
    // The owner is in the data of a stream's first event; here it only has to be a text.
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
 * Where an event without a known seal belongs. A changed event, in the stream `changedIn`, can
 * claim any revision, so it counts as the next one; null if that cannot be known.
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

/** Checks the owner: all events of a stream have the same one, and the first one proves it. */
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
