import { auditEventSchemas } from '../domain/audit.ts'
import type { JsonObject } from '../domain/decider.ts'
import { auditStream, isId, platform, shipmentStream } from '../domain/ids.ts'
import {
  decodeAuditEvent,
  decodeEvent,
  leafOf,
  ledgerEventObject,
  metadataKeys,
} from '../event-store/codec.ts'
import type { StoredEvent } from '../event-store/event-store.ts'

/** An event as it is checked: out of the store, or out of an export. */
export type CheckedEvent = {
  /** The ledger event object, with position and leaf. */
  readonly object: ReturnType<typeof ledgerEventObject>
  readonly stream: string
  readonly organizationId: string
}

/** What one stream has said so far. */
type Known = { revision: number; readonly correlationId: string; readonly organizationId: string }

/**
 * Says what is wrong with events, one after the other in the order of the ledger: their leaf, their
 * form, and their place in their stream. `fromTheStart`: no stream's beginning is left out. It keeps
 * some hundred bytes for each stream it has seen.
 */
export function eventChecker(fromTheStart: boolean) {
  const streams = new Map<string, Known>()
  return (event: CheckedEvent): string | null =>
    leafProblem(event.object) ??
    nameProblem(event) ??
    schemaProblem(event) ??
    streamProblem(streams, event, fromTheStart)
}

/** The event out of a store, or what keeps it from being one. */
export function checkedEvent(stored: StoredEvent): CheckedEvent | string {
  const unknown = Object.keys(stored.metadata).find((key) => !metadataKeys.has(key))
  if (unknown !== undefined) return `its metadata has a field that is none: ${unknown}`
  try {
    const organizationId = String(stored.metadata.organization_id)
    return { object: ledgerEventObject(stored), stream: stored.stream, organizationId }
  } catch (error) {
    return messageOf(error)
  }
}

function leafProblem({ position: _position, leaf, ...hashed }: CheckedEvent['object']) {
  return leafOf(hashed) === leaf ? null : 'its content is not what its leaf was made of'
}

function nameProblem({ object, stream, organizationId }: CheckedEvent): string | null {
  const { shipment_id: shipmentId } = object
  if (shipmentId !== null) {
    return isId('shp', shipmentId) && shipmentStream(shipmentId) === stream
      ? null
      : `it is of ${shipmentId} and stands in the stream ${stream}`
  }
  return stream === auditStream(organizationId)
    ? null
    : `it is an act on ${organizationId} and stands in the stream ${stream}`
}

function schemaProblem({ object, stream }: CheckedEvent): string | null {
  const { id, type, revision, position, data, leaf: _leaf, ...metadata } = object
  try {
    // Whose it is is in the data of a stream's first event; here it only has to be a text.
    const full = { ...metadata, organization_id: '', leaf: object.leaf } as unknown as JsonObject
    const stored = { id, type, data, metadata: full, stream, revision, position }
    if (Object.hasOwn(auditEventSchemas, type)) decodeAuditEvent(stored)
    else decodeEvent(stored)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

function streamProblem(
  streams: Map<string, Known>,
  { object, stream, organizationId }: CheckedEvent,
  fromTheStart: boolean,
): string | null {
  const { revision, correlation_id: correlationId } = object
  const known = streams.get(stream)
  if (known === undefined) {
    streams.set(stream, { revision, correlationId, organizationId })
    if (revision !== 0) {
      return fromTheStart ? `its stream begins with revision ${revision}` : null
    }
    return firstProblem(object, organizationId)
  }
  const expected = known.revision + 1
  known.revision = revision
  if (revision !== expected) {
    return `it is revision ${revision} of its stream where ${expected} belongs`
  }
  if (correlationId !== known.correlationId) return 'it belongs to another stream'
  if (organizationId !== known.organizationId)
    return 'it names another organization than its stream'
  return null
}

/** The first event of a stream names itself, and whose the stream is. */
function firstProblem(object: CheckedEvent['object'], organizationId: string): string | null {
  if (object.correlation_id !== object.id) return 'it is not the first event of its stream'
  if (organizationId === platform && object.shipment_id === null) return null
  if (object.data.organization_id !== organizationId) {
    return `it is in the name of ${organizationId} and speaks of another organization`
  }
  return null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it cannot be read'
}
