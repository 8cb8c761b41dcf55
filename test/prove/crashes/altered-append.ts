import pg from 'pg'

const functions = ['ledger.append_beside', 'ledger.store_beside']

/**
 * Changes the functions of the ledger's append in a test's database; throws if none of them contains a
 * text to change.
 */
export async function alterAppend(
  adminUrl: string,
  changes: readonly (readonly [from: string, to: string])[],
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ text: string }>(
      'SELECT pg_get_functiondef(name::regproc) AS text FROM unnest($1::text[]) AS name',
      [functions],
    )
    let texts = rows.map(({ text }) => text)
    for (const [from, to] of changes) {
      if (!texts.some((text) => text.includes(from)))
        throw new Error(`the append does not say: ${from}`)
      texts = texts.map((text) => text.replace(from, to))
    }
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}
