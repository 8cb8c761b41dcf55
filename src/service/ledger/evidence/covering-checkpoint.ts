import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { shipmentStream } from '../../domain/ids.ts'
import { Problem } from '../../errors.ts'
import type { EventStore, Position } from '../../event-store/event-store.ts'
import type { Checkpoint } from '../checkpoints.ts'
import type { Verifier } from '../signed-note.ts'
import { sealedAt } from '../tree.ts'
import { missingWitnesses } from '../witnesses/cosignature.ts'
import { cosignedCheckpoint } from '../witnesses/stored-cosignatures.ts'

/** The sealer signs each second. If it takes this long, it does not run or is far behind. */
export const sealWaitMs = 5_000
/** A witness that has not cosigned a checkpoint after this time is not waited for. */
const cosignWaitMs = 2_000
const lookEveryMs = 100
/** Some fifty pages of a report. In practice, shipments have fewer than 500. */
export const evidenceEventsMax = 1_000
const retryAfterSeconds = 5

export type CoveringDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  readonly witnesses: readonly Verifier[]
}

/**
 * A checkpoint that covers every event of the shipment, with the cosignatures of the witnesses that
 * are quick enough. Waits for the sealer until `endsAtMs` (`performance.now()`). Throws Problem:
 * `not_found`, `evidence_too_large`, or `dependency_unavailable` if no such checkpoint came.
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

/** Whether a cosignature of this checkpoint may still come. */
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
