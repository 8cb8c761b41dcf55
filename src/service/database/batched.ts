import { Batcher } from './batcher.ts'

/** Rows of one statement, and rows waiting for the next. */
const size = { batchMax: 500, queueMax: 10_000 }

/**
 * Turns a function that does many things at once into one that does a single thing: calls made
 * while a statement is under way go together into the next. Each database has its own batcher.
 */
export function batched<Database extends object, Item, Answer>(
  write: (db: Database, items: readonly Item[]) => Promise<readonly Answer[]>,
): (db: Database, item: Item) => Promise<Answer> {
  const batchers = new WeakMap<Database, Batcher<Item, Answer>>()
  return (db, item) => {
    const known = batchers.get(db)
    if (known !== undefined) return known.add(item)
    const made = new Batcher<Item, Answer>({ ...size, write: (items) => write(db, items) })
    batchers.set(db, made)
    return made.add(item)
  }
}
