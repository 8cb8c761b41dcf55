import { z } from 'zod'
import { currencyCode, text } from '../domain/fields.ts'
import {
  billedAmountMax,
  billedReferenceLengthMax,
  billedWeightKgMax,
} from '../domain/invoices/invoice-limits.ts'
import { lineKinds } from '../domain/invoices/line-kind.ts'
import { isSpreadsheetError, spreadsheetErrorText } from '../domain/spreadsheet-error.ts'

const creditText =
  'Expected 0 or more. A credit takes back what another line bills: leave it out, and note it in the decision of that line.'

const spreadsheetError = {
  error: spreadsheetErrorText,
  params: { reason: 'spreadsheet_error' },
}

/** A line, in JSON and in CSV. */
export const invoiceLineBody = z
  .strictObject({
    kind: z.enum(lineKinds).nullish().meta({
      description: `What the line is about: \`charge\`, or \`cash_on_delivery\` for cash that the courier collected and pays out to the shop. A line without it is a charge.`,
      example: 'charge',
    }),
    guide_number: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{1,64}$/, { error: 'Expected 1 to 64 visible ASCII characters.' })
      .refine((value) => !isSpreadsheetError(value), spreadsheetError)
      .meta({ description: 'The guide that is billed.', example: '100000000001' }),
    amount: z.int().min(0, { error: creditText }).max(billedAmountMax).meta({
      description:
        'The billed amount in minor units of the currency: 1450 is PEN 14.50. Credits are refused, because they are no charges to compare.',
      example: 1450,
    }),
    currency: currencyCode,
    weight_kg: z
      .number()
      .min(0)
      .max(billedWeightKgMax)
      .refine((value) => Number(value.toFixed(3)) === value, {
        error: 'At most three decimals.',
        params: { reason: 'too_many_decimals' },
      })
      .nullish()
      .meta({
        description:
          'The billed weight of all pieces in kilograms, with at most three decimals. If it is absent, the weight is not compared.',
        example: 0.8,
      }),
    date: z.iso.date().nullish().meta({
      description: 'The day that the courier names. It is stored and shown, but not compared.',
      example: '2026-03-01',
    }),
    client_reference: text(billedReferenceLengthMax)
      .refine((value) => !isSpreadsheetError(value), spreadsheetError)
      .nullish()
      .meta({
        description:
          'The reference that the courier prints: the id of the shipment, if the courier kept it. It identifies the shipment if the guide number does not. Stored encrypted.',
        example: 'shp_0aB1cD2eF3gH4iJ5kL6mN7',
      }),
  })
  .meta({ id: 'CourierInvoiceRequestLine', description: 'What the courier bills for one guide.' })
export type InvoiceLineBody = z.infer<typeof invoiceLineBody>
