import pg from 'pg'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** A session of one's own, ended at the teardown. */
export async function session(t: Test, url: string): Promise<Query> {
  const client = new pg.Client({ connectionString: url })
  // It may be one of those that a test ends.
  client.on('error', () => undefined)
  await client.connect()
  t.teardown(() => client.end())
  return async (text, values) => (await client.query(text, values)).rows ?? []
}

/** Looks again and again until it is so. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const giveUpAt = performance.now() + 15_000
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`waited too long until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
