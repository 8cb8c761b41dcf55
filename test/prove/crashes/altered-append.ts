import pg from 'pg'

/**
 * Changes the ledger's append function in a test's database; throws if it does not contain the text
 * to change.
 */
export async function alterAppend(
  adminUrl: string,
  changes: readonly (readonly [from: string, to: string])[],
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ text: string }>(
      `SELECT pg_get_functiondef('ledger.append_beside'::regproc) AS text`,
    )
    const altered = changes.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`ledger.append_beside does not say: ${from}`)
      return text.replace(from, to)
    }, rows[0]?.text ?? '')
    await client.query(altered)
  } finally {
    await client.end()
  }
}
