import pg from 'pg'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** A database session of its own, ended at the teardown. */
export async function session(t: Test, url: string): Promise<Query> {
  const client = new pg.Client({ connectionString: url })
  // A test may terminate this session.
  client.on('error', () => undefined)
  await client.connect()
  t.teardown(() => client.end())
  return async (text, values) => (await client.query(text, values)).rows ?? []
}

/** Polls until the condition holds. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const giveUpAt = performance.now() + 15_000
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`waited too long until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
