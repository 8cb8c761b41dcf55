import { decodeOnce, type LedgerEvent } from '../../event-store/codec.ts'
import type { StoredEvent } from '../../event-store/event-store.ts'
import type { EventLine } from '../export-format.ts'

/** The events of an exported file. */
export function storedEventsIn(history: Buffer): readonly StoredEvent[] {
  const lines = history.toString('utf8').split('\n').slice(1, -1)
  return lines
    .map((line) => JSON.parse(line) as Partial<EventLine>)
    .filter((line): line is EventLine => line.event !== undefined)
    .map(storedEventOf)
}

/**
 * Converts an exported event to the form of the store, which arranges the same members differently.
 */
function storedEventOf({ stream, organization_id, event }: EventLine): StoredEvent {
  const { id, type, revision, position, data } = event
  const { schema, recorded_at, occurred_at, workspace_id, shipment_id, livemode } = event
  const { actor, request_id, causation_id, correlation_id, leaf } = event
  const metadata = {
    schema,
    recorded_at,
    occurred_at,
    organization_id,
    workspace_id,
    shipment_id,
    livemode,
    actor,
    request_id,
    causation_id,
    correlation_id,
    leaf,
  }
  return { id, type, stream, revision, position, data, metadata }
}

/** Decodes stored events into domain events. */
export function ledgerEventsOf(stored: readonly StoredEvent[]): readonly LedgerEvent[] {
  return stored.map((event) => decodeOnce(event))
}
