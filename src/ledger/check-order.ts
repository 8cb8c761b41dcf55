import type { Kysely } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import type { StoredEvent } from '../event-store/event-store.ts'
import type { Findings } from './findings.ts'
import { type Sealed, sealedFrom } from './tree.ts'

/** Sealed places that are read at once. */
const pageMax = 2_000

/**
 * Compares the order of the ledger with the order in which its events were sealed, up to a size of the
 * tree. Both are in the order of positions, so that what is missing on either side is seen.
 */
export type OrderCheck = {
  /** The next event of the ledger. */
  event(event: StoredEvent): Promise<void>
  /** There are no more events: says what else was sealed. Answers false until all of it was said. */
  end(): Promise<boolean>
  /** The sealed places that were passed since the last time, in the order of the tree. */
  passed(): readonly Sealed[]
}

export function orderCheck(db: Kysely<ReadModels>, size: number, found: Findings): OrderCheck {
  let page: readonly Sealed[] = []
  let at = 0
  let passed: Sealed[] = []
  let count = 0

  const peek = async (): Promise<Sealed | null> => {
    if (at === page.length && count < size) {
      page = await sealedFrom(db, count, Math.min(pageMax, size - count))
      at = 0
    }
    return page[at] ?? null
  }
  const pass = (place: Sealed): void => {
    if (place.index !== count) {
      found.add(place.position, `it was sealed as number ${place.index} where ${count} belongs`)
    }
    at++
    count++
    passed.push(place)
  }
  const missing = (place: Sealed): void => {
    found.add(
      place.position,
      `revision ${place.revision} of ${place.stream} was sealed here and is gone`,
    )
    pass(place)
  }

  return {
    async event(event) {
      let place = await peek()
      for (; place !== null && place.position < event.position; place = await peek()) missing(place)
      if (place === null) return
      if (place.position > event.position) {
        found.add(event.position, 'it was not there when what follows it was sealed')
        return
      }
      if (event.stream !== place.stream || event.revision !== place.revision) {
        found.add(event.position, `revision ${place.revision} of ${place.stream} was sealed here`)
      } else if (event.metadata.leaf !== place.leaf.toString('hex')) {
        found.add(event.position, 'it was sealed with another leaf')
      }
      pass(place)
    },
    async end() {
      let place = await peek()
      for (let n = 0; place !== null && n < pageMax; n++) {
        missing(place)
        place = await peek()
      }
      return place === null
    },
    passed() {
      const before = passed
      passed = []
      return before
    },
  }
}
