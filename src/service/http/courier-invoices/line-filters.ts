import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { findings } from '../../domain/invoices/finding.ts'
import { lineKinds } from '../../domain/invoices/line-kind.ts'
import { Problem } from '../../errors.ts'
import { decisions, type ReadInvoice } from '../../processes/invoices/invoice-to-api.ts'
import { differs, isOutdated } from '../../processes/invoices/invoice-totals.ts'
import { equals, type FilterTable, filter, matching, parametersOf } from '../rules/filters.ts'

export const lineNumber = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/, { error: 'Expected a number from 1.' })

const filters = {
  kind: equals(z.enum(lineKinds).meta({ description: 'Only lines of this kind.' }), 'kind'),
  finding: equals(
    z.enum(findings).meta({ description: 'Only lines with this finding.' }),
    'finding',
  ),
  differs: filter(
    z.enum(['true', 'false']).meta({
      description:
        '`true`: only lines that differ, so that they need a decision: every finding except `matched` and `part_of`. `false`: only compared lines with one of these two.',
    }),
    (value) => (value === 'true' ? differs : sql<SqlBool>`NOT (${differs})`),
  ),
  decided: filter(
    z.enum(['true', 'false', 'outdated']).meta({
      description:
        '`true`: only lines that a person has decided. `false`: only the others. `outdated`: only lines that had another finding when they were decided.',
    }),
    (value) =>
      value === 'outdated'
        ? isOutdated
        : sql<SqlBool>`(decision IS NOT NULL) = ${value === 'true'}`,
  ),
  decision: equals(
    z.enum(decisions).meta({ description: 'Only lines with this decision.' }),
    'decision',
  ),
  first_line: filter(
    lineNumber.meta({ description: 'Only lines from this one on.', example: '12' }),
    (value) => sql<SqlBool>`line >= ${Number(value)}`,
  ),
  last_line: filter(
    lineNumber.meta({ description: 'Only lines up to this one.', example: '200' }),
    (value) => sql<SqlBool>`line <= ${Number(value)}`,
  ),
} satisfies FilterTable

/** The query parameters that choose lines of one version of an invoice. */
export const lineParameters = {
  ...parametersOf(filters),
  version: lineNumber.optional().meta({
    description: 'The version of the invoice. The default is the newest.',
    example: '1',
  }),
}

type LineQuery = Parameters<typeof matching<typeof filters>>[1] & {
  readonly version?: string | undefined
}

/** The version and its lines that a query asks for. Throws `not_found` for an unknown version. */
export function chosenBy(invoice: ReadInvoice, query: LineQuery) {
  const version = query.version === undefined ? invoice.version : Number(query.version)
  if (version > invoice.version) throw new Problem('not_found')
  return { version, where: matching(filters, query, null) }
}
