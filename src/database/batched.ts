import { Batcher } from './batcher.ts'

/** Rows of one statement, and of those that wait for the next. */
const size = { batchMax: 500, queueMax: 10_000 }

/**
 * Makes a function that does one thing out of one that does many at once: what is asked for while a
 * statement is under way goes together into the next. Each database has its own.
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
