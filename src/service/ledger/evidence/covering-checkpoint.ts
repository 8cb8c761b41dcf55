import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { shipmentStream } from '../../domain/ids.ts'
import { Problem } from '../../errors.ts'
import type { EventStore, Position } from '../../event-store/event-store.ts'
import type { Checkpoint } from '../checkpoints.ts'
import type { Verifier } from '../signed-note.ts'
import { sealedAt } from '../tree.ts'
import { missingWitnesses } from '../witnesses/cosignature.ts'
import { cosignedCheckpoint } from '../witnesses/stored-cosignatures.ts'

/** The sealer signs every second. If it takes this long, it is not running or far behind. */
export const sealWaitMs = 5_000
/** How long to wait for witnesses to cosign a checkpoint. */
const cosignWaitMs = 2_000
const lookEveryMs = 100
/** About fifty pages of a report. In practice, shipments have fewer than 500 events. */
export const evidenceEventsMax = 1_000
const retryAfterSeconds = 5

export type CoveringDeps = {
  readonly db: Kysely<Tables>
  readonly store: EventStore
  readonly witnesses: readonly Verifier[]
}

/**
 * A checkpoint that covers every event of the shipment, with the cosignatures that arrived in time.
 * Waits for the sealer until `endsAtMs` (`performance.now()`). Throws Problem: `not_found`,
 * `evidence_too_large`, or `dependency_unavailable` if there is no such checkpoint by then.
 */
export async function coveringCheckpoint(
  { db, store, witnesses }: CoveringDeps,
  shipmentId: string,
  endsAtMs: number,
): Promise<Checkpoint> {
  const stream = shipmentStream(shipmentId)
  let events = 0
  let last: Position | null = null
  for (;;) {
    const limit = evidenceEventsMax + 1 - events
    const more = await store.readStream(stream, { from: events, limit })
    events += more.length
    if (events > evidenceEventsMax) throw tooManyEvents()
    last = more.at(-1)?.position ?? last
    if (last === null) throw new Problem('not_found')
    const sealed = await sealedAt(db, last)
    const checkpoint = sealed === null ? null : await cosignedCheckpoint(db, sealed.index + 1)
    const isLate = performance.now() >= endsAtMs
    if (checkpoint !== null && (isLate || !isAwaited(checkpoint, witnesses))) return checkpoint
    if (isLate) throw notSealed()
    await pause(lookEveryMs)
  }
}

/** Whether to wait for further cosignatures of this checkpoint. */
function isAwaited({ note, signedAt }: Checkpoint, witnesses: readonly Verifier[]): boolean {
  const isNew = Date.now() - signedAt.getTime() < cosignWaitMs
  return isNew && missingWitnesses(note, witnesses).length > 0
}

function tooManyEvents(): Problem {
  const detail = `The shipment has more than ${evidenceEventsMax} events.`
  return new Problem('evidence_too_large', { detail })
}

function notSealed(): Problem {
  return new Problem('dependency_unavailable', {
    detail: 'The last events of the shipment are not sealed yet.',
    retryAfterSeconds,
  })
}
