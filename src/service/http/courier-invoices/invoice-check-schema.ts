import { z } from 'zod'
import { checkSchema } from '../rules/sheets/sheet-check.ts'
import { amount, currency, kindSchema } from './invoice-schema.ts'

/** More rows of totals are only counted: an invoice has a few. */
export const setAsideMax = 50

/** The answer to `validate=true`. */
export const invoiceCheckSchema = checkSchema('courier_invoice_check', 'CourierInvoiceCheck', {
  totals: z
    .object({
      amounts: z
        .array(
          z.object({
            kind: kindSchema,
            currency,
            amount: amount.meta({
              description: 'The sum of the good lines, in minor units of the currency.',
              example: 145_000,
            }),
            lines: z.int().meta({ description: 'How many lines there are.', example: 100 }),
          }),
        )
        .meta({ description: 'A sum for each kind of line and currency.' }),
    })
    .meta({ description: 'Sums over the good lines.' }),
  set_aside: z
    .array(
      z.object({
        line: z.int().meta({ description: 'Numbered like the lines of errors.', example: 102 }),
        text: z.string().meta({
          description: 'The text of its first cell with text, at most 100 characters.',
          example: 'Total',
        }),
        amount: amount.nullable().meta({
          description: 'Its amount in minor units. `null` if it has none that can be read.',
          example: 145_000,
        }),
        currency: currency.nullable().meta({
          description:
            'The currency that the row or the header names, or else that of the line before. `null` without an amount.',
        }),
      }),
    )
    .meta({
      description: `The first ${setAsideMax} rows of a CSV that are set aside: totals, subtotals, taxes and notes without a guide number, in English or Spanish. They are neither lines nor errors, and an import leaves them out.`,
    }),
  more_set_aside: z.int().meta({
    description: 'How many more rows are set aside.',
    example: 0,
  }),
})
