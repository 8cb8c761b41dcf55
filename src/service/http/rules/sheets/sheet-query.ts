import { z } from 'zod'
import { Problem } from '../../../errors.ts'
import type { ColumnChoices } from '../../../sheets/csv-header.ts'

/** As many as a sheet has columns, or a person chooses names for. */
const choicesMax = 500

const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()

/** A JSON object in a query parameter. */
function choices<Value extends z.ZodType>(value: Value) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'Expected a JSON object.' })
        return z.NEVER
      }
    })
    .pipe(
      z.record(z.string(), value).refine((given) => Object.keys(given).length <= choicesMax, {
        error: `At most ${choicesMax} members.`,
      }),
    )
    .optional()
}

/** The query parameters of every route that takes lines. */
export const checkQuery = {
  validate: flag.meta({
    description:
      '`true` only checks the lines and stores nothing: the response is 200 with everything that a creation would refuse. A JSON body may then leave out its `external_reference` or `reference`. The default is `false`.',
  }),
  skip_invalid: flag.meta({
    description:
      '`true` checks every line first, accepts the good ones, and keeps the others as `invalid` with their errors. The default is `false`.',
  }),
}

/** The query parameters for CSV. */
export const sheetQuery = {
  columns: choices(z.string().nullable()).meta({
    type: 'string',
    description:
      'For CSV: a JSON object from headers of the file to the columns that they stand for, such as `{"Peso": "weight_g", "Notas": null}`. `null` leaves a column out, and `"*": null` all columns that are not recognized.',
    example: '{"Peso":"weight_g","Notas":null}',
  }),
  values: choices(z.string()).meta({
    type: 'string',
    description:
      'For CSV: a JSON object from columns to the text of every line whose cell is empty or absent, such as `{"payer": "sender"}`.',
    example: '{"payer":"sender"}',
  }),
}

/** The query parameter for names of agencies and products. */
export const nameQuery = {
  names: choices(z.string()).meta({
    type: 'string',
    description:
      'For CSV: a JSON object from texts of cells that name an agency or a product to the ids that they stand for.',
    example: '{"Agencia Centro":"agy_0aB1cD2eF3gH4iJ5kL6mN7"}',
  }),
}

type Asked = Partial<ColumnChoices>

export function columnChoicesOf({
  columns = {},
  values = {},
}: {
  readonly columns?: Asked['columns'] | undefined
  readonly values?: Asked['values'] | undefined
}): ColumnChoices {
  return { columns, values }
}

/** Refuses the query parameters that are only for text. */
export function refuseQueryOfText(query: object): void {
  refuseGiven(query, (name) => !(name in checkQuery))
}

/** Refuses the query parameters that are only for CSV. */
export function refuseQueryOfCsv(query: object): void {
  refuseGiven(query, isOfCsv)
}

function isOfCsv(name: string): boolean {
  return name in sheetQuery || name in nameQuery
}

function refuseGiven(query: object, isRefused: (name: string) => boolean): void {
  const given = Object.keys(query).filter(isRefused)
  if (given.length === 0) return
  throw new Problem('invalid_filter', {
    errors: given.map((name) => ({
      pointer: `#/query/${name}`,
      reason: 'unknown_field',
      detail: isOfCsv(name) ? 'It is only for CSV.' : 'In a JSON body it is a field.',
    })),
  })
}

/** The problem of a body without a field that only a check may leave out. */
export function requiredField(pointer: string): Problem {
  const error = { pointer, reason: 'required', detail: 'The field is required.' }
  return new Problem('validation_failed', { errors: [error] })
}
