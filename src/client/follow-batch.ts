import { type FollowOptions, readUntil } from './follow-operation.ts'
import type { Answered, Schemas } from './methods.ts'

type Batch = Answered<Schemas['Batch']>

/** A small batch ends within seconds. A large one takes minutes, so it is read less and less often. */
const readApartMinMs = 1_000
const readApartMaxMs = 15_000

/**
 * Reads a batch until every line was answered or the timeout passes. It changes nothing, and the
 * batch continues without it.
 */
export async function followBatch(
  read: () => Promise<Batch>,
  options?: FollowOptions,
): Promise<Batch> {
  let waitMs = readApartMinMs
  const next = ({ ended_at: endedAt }: Batch) => {
    if (endedAt !== null) return null
    const nowMs = waitMs
    waitMs = Math.min(readApartMaxMs, waitMs * 1.5)
    return nowMs
  }
  return await readUntil(read, next, options)
}
