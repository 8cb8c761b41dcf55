import { z } from 'zod'
import { findings, findingTexts } from '../../domain/invoices/finding.ts'
import {
  billedAmountMax,
  billedReferenceLengthMax,
  billedWeightKgMax,
} from '../../domain/invoices/invoice-limits.ts'
import { isSpreadsheetError, spreadsheetErrorText } from '../../domain/spreadsheet-error.ts'
import { decisions, invoiceStatuses } from '../../processes/invoices/shown-invoice.ts'
import {
  exampleInvoice,
  exampleInvoiceLine,
  exampleInvoiceLineDecision,
  exampleInvoiceRequest,
} from '../openapi/invoice-examples.ts'
import {
  createdAt,
  idOf,
  livemode,
  noteLengthMax,
  openEnum,
  ownId,
  text,
  timestamp,
  typeOf,
  updatedAt,
  valuesText,
  workspaceRef,
} from '../openapi/schemas.ts'

export const jsonLinesMax = 1_000

const connectionId = idOf('ccn').meta({
  description: 'The connection whose courier sent the invoice.',
})
const reference = text(billedReferenceLengthMax).meta({
  description:
    "The invoice's number, as the courier names it. The same lines and period again under the same connection and reference are the same invoice; anything else is its next version. It is stored unencrypted: do not put personal data in it.",
  example: exampleInvoice.reference,
})
const day = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
const periodFrom = day.meta({
  description: 'The first day, or the time, from which guides are billed. Days are in UTC.',
  example: exampleInvoice.period.from,
})
const periodTo = day.meta({
  description: 'The last day whose guides are billed; of a time, the moment before it.',
  example: exampleInvoice.period.to,
})

const creditText =
  'Expected 0 or more. A credit takes back what another line bills: leave it out, and note it in the decision of that line.'

const spreadsheetError = {
  error: spreadsheetErrorText,
  params: { reason: 'spreadsheet_error' },
}

/** A line, in JSON and in CSV. */
export const invoiceLine = z
  .strictObject({
    guide_number: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{1,64}$/, { error: 'Expected 1 to 64 visible ASCII characters.' })
      .refine((value) => !isSpreadsheetError(value), spreadsheetError)
      .meta({ description: 'The guide that is billed.', example: '100000000001' }),
    amount: z.int().min(0, { error: creditText }).max(billedAmountMax).meta({
      description:
        'What is billed, in minor units of the currency: 1450 is PEN 14.50. A credit is refused: it is no charge to compare.',
      example: 1450,
    }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: 'Expected three capital letters.' })
      .meta({ description: 'The ISO 4217 code.', example: 'PEN' }),
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
          'The weight that is billed in kilograms, all pieces together, with at most three decimals. Absent: the weight is not compared.',
        example: 0.8,
      }),
    date: z.iso.date().nullish().meta({
      description: 'The day that the courier names. It is kept and shown, and not compared.',
      example: '2026-03-01',
    }),
    client_reference: text(billedReferenceLengthMax)
      .refine((value) => !isSpreadsheetError(value), spreadsheetError)
      .nullish()
      .meta({
        description:
          'The reference that the courier prints: the id of the shipment, if it has kept it. It finds the shipment where the guide does not. Kept encrypted.',
        example: exampleInvoiceLine.client_reference,
      }),
  })
  .meta({ id: 'CourierInvoiceRequestLine', description: 'What the courier bills for one guide.' })
export type InvoiceLineBody = z.infer<typeof invoiceLine>

export const invoiceRequest = z
  .strictObject({
    courier_connection_id: connectionId,
    reference,
    period: z
      .strictObject({ from: periodFrom, to: periodTo })
      .refine(({ from, to }) => Date.parse(from) <= Date.parse(to), {
        error: 'The period ends before it begins.',
        params: { reason: 'invalid_period' },
      })
      .nullish()
      .meta({
        description:
          'The days that the invoice is for. Absent: guides that were not billed are looked for without a first day, up to the import.',
      }),
    lines: z
      .array(invoiceLine)
      .min(1)
      .max(jsonLinesMax)
      .meta({
        description: `The lines, at most ${jsonLinesMax.toLocaleString('en')}. Send more as CSV.`,
      }),
  })
  .meta({
    id: 'CourierInvoiceRequest',
    description: "A courier's invoice.",
    examples: [exampleInvoiceRequest],
  })

/** The same before its lines are looked at. */
export const invoiceBody = invoiceRequest.extend({
  lines: z.array(z.unknown()).min(1).max(jsonLinesMax),
})

/** For CSV, which has no other place for it. */
export const invoiceQuery = z.strictObject({
  courier_connection_id: connectionId.optional().meta({
    description: 'For CSV, which requires it: the connection whose courier sent the invoice.',
  }),
  reference: reference.optional().meta({
    description: "For CSV, which requires it: the invoice's number, as the courier names it.",
  }),
  period_from: periodFrom.optional().meta({
    description: 'For CSV: the first day, or the time, from which guides are billed.',
  }),
  period_to: periodTo.optional().meta({
    description: 'For CSV, with `period_from`: the last day whose guides are billed.',
  }),
})
export type InvoiceQuery = z.infer<typeof invoiceQuery>

const finding = openEnum(findings)
const amount = z.int().meta({ description: 'In minor units of the currency.', example: 1450 })
const currency = z.string().meta({ description: 'The ISO 4217 code.', example: 'PEN' })

export const invoiceSchema = z
  .object({
    id: ownId('inv'),
    object: typeOf('courier_invoice'),
    livemode,
    workspace_id: workspaceRef,
    courier_connection_id: connectionId,
    reference: z.string().meta({
      description: "The invoice's number, as the courier names it.",
      example: exampleInvoice.reference,
    }),
    period: z
      .object({
        from: z.string().meta({ description: 'Its beginning, as it was sent.' }),
        to: z.string().meta({ description: 'Its end, as it was sent.' }),
      })
      .nullable()
      .meta({ description: 'The days that it is for. `null`: it names none.' }),
    version: z.int().meta({
      description:
        'The number of times that other lines were sent under the reference. The lines of every version can be read.',
      example: 1,
    }),
    status: openEnum(invoiceStatuses).meta({
      description: valuesText('Where the comparison is.', {
        comparing: 'Lines are being compared, and what they call into question is looked at.',
        compared: 'Every line has its finding.',
        withdrawn: 'It was imported by mistake: its lines bill nothing. Send it again to end that.',
      }),
    }),
    total: z.int().meta({ description: 'The number of lines.', example: exampleInvoice.total }),
    compared_lines: z.int().meta({
      description: 'How many lines have been compared: all of them, once `status` is `compared`.',
      example: exampleInvoice.compared_lines,
    }),
    totals: z
      .array(
        z.object({
          finding: finding.meta({ description: 'What was found.', example: 'matched' }),
          currency,
          lines: z.int().meta({ description: 'How many lines.', example: 198 }),
          amount: amount.meta({ description: 'The sum of these lines in minor units.' }),
        }),
      )
      .meta({
        description:
          'The lines by finding and currency. Empty until the first comparison of the version is complete.',
      }),
    decisions: z
      .object({
        accepted: z.int().meta({ description: 'Lines that a person accepted.', example: 0 }),
        disputed: z.int().meta({ description: 'Lines that a person disputed.', example: 1 }),
        outdated: z.int().meta({
          description: 'Of these, lines that had another finding when they were decided.',
          example: 0,
        }),
        matched: z.int().meta({
          description:
            'Of these, lines whose finding is `matched`. They needed no decision, so do not subtract them from the lines that differ.',
          example: 0,
        }),
      })
      .meta({ description: 'How many lines of the version are decided.' }),
    ledger_position: z.string().nullable().meta({
      description:
        'The ledger was read at this position or later; each line names the version of its shipment. `null`: the comparison has not begun.',
      example: exampleInvoice.ledger_position,
    }),
    compared_at: timestamp.nullable().meta({
      description: 'When the comparison was complete. `null`: it is not.',
    }),
    withdrawn_at: timestamp.nullable().meta({
      description: 'When it was withdrawn. `null`: it is not.',
    }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({
    id: 'CourierInvoice',
    examples: [exampleInvoice],
    description: 'What a courier bills, compared with the ledger.',
  })

const expectedSchema = z.object({
  amount: amount.nullable().meta({
    description:
      'The price of the guide in minor units. `null`: the courier has told none, and the amount is not compared.',
  }),
  currency: currency.nullable().meta({ description: 'Its ISO 4217 code. `null`: no price.' }),
  weight_kg: z.number().meta({
    description: 'The weight of all pieces of the shipment in kilograms.',
    example: 0.8,
  }),
})

export const invoiceLineSchema = z
  .object({
    object: typeOf('courier_invoice_line'),
    line: z.int().meta({
      description: 'Its place, from 1. In a CSV the header is line 1, so the first is line 2.',
      example: 1,
    }),
    guide_number: z.string().meta({
      description: 'The guide that is billed.',
      example: exampleInvoiceLine.guide_number,
    }),
    amount: amount.meta({ description: 'What is billed, in minor units.' }),
    currency,
    weight_kg: z.number().nullable().meta({
      description: 'The weight that is billed. `null`: none, or no longer kept.',
      example: 0.8,
    }),
    date: z.string().nullable().meta({
      description: 'The day that the courier names. `null`: none, or no longer kept.',
      example: exampleInvoiceLine.date,
    }),
    client_reference: z.string().nullable().meta({
      description: 'The reference that the courier prints. `null`: none, or no longer kept.',
      example: exampleInvoiceLine.client_reference,
    }),
    finding: finding.nullable().meta({
      description: `${valuesText('What the comparison found; the first that applies, from `billed_twice` on.', findingTexts)}\n\n\`null\`: not compared yet.`,
      example: exampleInvoiceLine.finding,
    }),
    shipment_id: idOf('shp').nullable().meta({
      description:
        'The shipment that the line is about; `GET /v1/shipments/{id}/evidence` has its evidence. `null`: none is known.',
    }),
    shipment_version: z.int().nullable().meta({
      description:
        'The version of the shipment that the finding rests on, for `as_of`. `null`: no shipment.',
      example: exampleInvoiceLine.shipment_version,
    }),
    expected: expectedSchema.nullable().meta({
      description:
        'What the ledger expects to be charged. `null`: nothing, or it is not certain yet.',
    }),
    billed_before: z
      .object({
        courier_invoice_id: idOf('inv').meta({
          description: 'The invoice that bills the guide first.',
        }),
        version: z
          .int()
          .meta({ description: 'The version of that invoice that is compared.', example: 1 }),
        line: z.int().meta({ description: 'The line that bills it first.', example: 7 }),
      })
      .nullable()
      .meta({ description: 'Where the guide was billed first. `null`: here.' }),
    billing: z
      .object({
        line: z.int().meta({ description: 'The last of these lines.', example: 9 }),
        lines: z.int().min(2).meta({ description: 'How many lines.' }),
        amount: amount
          .nullable()
          .meta({ description: 'Their sum in minor units. `null`: in several currencies.' }),
      })
      .nullable()
      .meta({
        description:
          'The lines of the invoice that bill the guide together, of which the last has the finding. `null`: this line alone.',
      }),
    decision: z
      .object({
        decision: openEnum(decisions).meta({ description: 'What was decided.' }),
        finding: finding.meta({ description: 'The finding that was decided.' }),
        note: z.string().nullable().meta({ description: 'Why. `null`: no longer kept.' }),
        operator_id: idOf('opr').nullable().meta({
          description: 'The operator who decided. `null`: a key without one was used.',
        }),
        decided_by: z.string().nullable().meta({
          description: 'Who decided: the name of the operator, or the one given with the decision.',
          example: 'ana.torres',
        }),
        at: timestamp.meta({ description: 'When it was decided.' }),
      })
      .nullable()
      .meta({ description: 'What a person decided last. `null`: nothing.' }),
  })
  .meta({
    id: 'CourierInvoiceLine',
    examples: [exampleInvoiceLine],
    description: 'What a courier bills for one guide, and what the ledger says of it.',
  })

export const unbilledGuideSchema = z
  .object({
    object: typeOf('unbilled_guide'),
    guide_number: z.string().meta({
      description: 'The number of a guide that the courier has not billed.',
      example: '100000000002',
    }),
    shipment_id: idOf('shp').meta({ description: 'The shipment that has the guide.' }),
    status: z.string().meta({
      description:
        'The status of the shipment: a `cancelled` one need not be billed. Any value of `status` of a shipment.',
      example: 'created',
    }),
    expected: expectedSchema.meta({ description: 'What the ledger expects to be charged.' }),
    created_at: timestamp.meta({ description: 'When the shipment was requested.' }),
  })
  .meta({ id: 'UnbilledGuide', description: 'A guide that no invoice of its connection bills.' })

export const decisionBody = z
  .strictObject({
    decision: z.enum(decisions).meta({
      description: valuesText('What is decided about the finding.', {
        accepted: 'The line is paid as it is.',
        disputed: 'The courier is asked to correct it.',
      }),
    }),
    note: text(noteLengthMax).meta({
      description: `Why, in at most ${noteLengthMax} characters. Kept encrypted.`,
    }),
    decided_by: text(64).optional().meta({
      description:
        "Who decides, in at most 64 characters. Required from a key that belongs to no operator. Not allowed from an operator's key: the operator decides. Kept with the note.",
    }),
    seen: z
      .strictObject({
        version: z.int().meta({ description: 'The version of the invoice.', example: 1 }),
        finding: z.enum(findings).meta({ description: 'The `finding` of the line.' }),
        decided_at: z.iso.datetime().nullable().meta({
          description: 'The `decision.at` of the line. `null`: it was not decided.',
          example: null,
        }),
      })
      .optional()
      .meta({
        description:
          'The line as it was read. If another version, finding or decision has come since, the answer is 409 `invoice_line_changed` and nothing is decided. Absent: the line is decided as it is now.',
      }),
  })
  .meta({ description: 'The decision, and why.', examples: [exampleInvoiceLineDecision] })
