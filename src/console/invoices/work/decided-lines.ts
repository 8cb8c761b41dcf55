import type { QueryClient } from '@tanstack/react-query'

/**
 * Shows what was decided: in the rows in view, the counts, the open line and the invoice. The rest of a
 * list of 100,000 lines is not read again for it.
 */
export async function decidedLines(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({
      queryKey: ['invoice-lines'],
      predicate: ({ queryKey }) => queryKey.at(-1) !== 'pages',
    }),
    queries.invalidateQueries({ queryKey: ['invoice-line'] }),
    queries.invalidateQueries({ queryKey: ['invoice'] }),
    queries.invalidateQueries({ queryKey: ['invoices'] }),
  ])
}
