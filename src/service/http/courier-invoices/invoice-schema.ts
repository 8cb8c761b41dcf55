import { z } from 'zod'
import { findings, findingTexts } from '../../domain/invoices/finding.ts'
import { billedReferenceLengthMax } from '../../domain/invoices/invoice-limits.ts'
import { lineKinds, lineKindTexts } from '../../domain/invoices/line-kind.ts'
import { decisions, invoiceStatuses } from '../../processes/invoices/invoice-to-api.ts'
import { invoiceLineBody } from '../../sheets/invoice-line-body.ts'
import {
  exampleBilledLine,
  exampleInvoice,
  exampleInvoiceLine,
  exampleInvoiceRequest,
} from '../openapi/invoice-examples.ts'
import {
  createdAt,
  idOf,
  livemode,
  openEnum,
  ownId,
  text,
  timestamp,
  typeOf,
  updatedAt,
  valuesText,
  workspaceRef,
} from '../openapi/schemas.ts'
import { checkQuery, sheetQuery } from '../rules/sheets/sheet-query.ts'

export const jsonLinesMax = 1_000

const connectionId = idOf('ccn').meta({
  description: 'The connection whose courier sent the invoice.',
})
const reference = text(billedReferenceLengthMax).meta({
  description:
    "The courier's number of the invoice. Sending the same lines and period again under the same connection and reference returns the same invoice; anything else becomes its next version. It is stored unencrypted: do not put personal data in it.",
  example: exampleInvoice.reference,
})
const day = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
const periodFrom = day.meta({
  description: 'The first day, or the time, from which guides are billed. Days are in UTC.',
  example: exampleInvoice.period.from,
})
const periodTo = day.meta({
  description: 'The last day whose guides are billed, or the time before which they are.',
  example: exampleInvoice.period.to,
})

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
          'The period of the invoice. If it is absent, every guide up to the import may count as not billed.',
      }),
    lines: z
      .array(invoiceLineBody)
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

/** The same before its lines are validated. A check may leave out the reference. */
export const invoiceBody = invoiceRequest.extend({
  reference: reference.optional(),
  lines: z.array(z.unknown()).min(1).max(jsonLinesMax),
})

/** For CSV, which has no other place for it. */
export const invoiceQuery = z.strictObject({
  courier_connection_id: connectionId.optional().meta({
    description: 'For CSV, which requires it: the connection whose courier sent the invoice.',
  }),
  reference: reference.optional().meta({
    description: "For CSV, which requires it: the courier's number of the invoice.",
  }),
  period_from: periodFrom.optional().meta({
    description: 'For CSV: the first day, or the time, from which guides are billed.',
  }),
  period_to: periodTo.optional().meta({
    description: 'For CSV, with `period_from`: the last day whose guides are billed.',
  }),
  ...checkQuery,
  ...sheetQuery,
})
export type InvoiceQuery = z.infer<typeof invoiceQuery>

const finding = openEnum(findings)
export const amount = z
  .int()
  .meta({ description: 'In minor units of the currency.', example: 1450 })
export const currency = z.string().meta({ description: 'The ISO 4217 code.', example: 'PEN' })

export const kindSchema = openEnum(lineKinds).meta({
  description: valuesText('What the line is about.', lineKindTexts),
  example: 'charge',
})

const sumFields = {
  lines: z.int().meta({ description: 'The number of lines.', example: 2 }),
  amount: amount.meta({ description: 'The sum of their amounts in minor units.', example: 3100 }),
  at_stake: z.int().meta({
    description:
      'What they bill too much or, of cash on delivery, pay out too little, in minor units: the sum of the `at_stake` of the lines. Money that is billed too little is not subtracted.',
    example: 200,
  }),
}
const sum = z.object(sumFields)

/** The sums of some lines of one kind and currency, and of those that are open and decided. */
const moneyFields = {
  kind: kindSchema,
  currency,
  ...sumFields,
  to_check: sum.meta({
    description:
      'The lines that differ and are not decided: every finding except `matched` and `part_of`. Zero for a withdrawn invoice.',
  }),
  disputed: sum.meta({ description: 'The disputed lines. Their `at_stake` is what is claimed.' }),
  accepted: sum.meta({ description: 'The accepted lines, to be paid as billed.' }),
}

export const invoiceSchema = z
  .object({
    id: ownId('inv'),
    object: typeOf('courier_invoice'),
    livemode,
    workspace_id: workspaceRef,
    courier_connection_id: connectionId,
    reference: z.string().meta({
      description: "The courier's number of the invoice.",
      example: exampleInvoice.reference,
    }),
    period: z
      .object({
        from: z.string().meta({ description: 'Its beginning, as it was sent.' }),
        to: z.string().meta({ description: 'Its end, as it was sent.' }),
      })
      .nullable()
      .meta({ description: 'The period that it is for. `null` if it names none.' }),
    version: z.int().meta({
      description:
        'The number of its newest version: other lines under the same reference are a new version. The lines of every version can be read.',
      example: 1,
    }),
    status: openEnum(invoiceStatuses).meta({
      description: valuesText('Current status.', {
        comparing:
          'Lines are being compared, and attempts that they call into question are looked up.',
        compared: 'Every line has its finding.',
        withdrawn: 'It was withdrawn: its lines bill nothing. Send it again to restore it.',
      }),
    }),
    total: z.int().meta({
      description: 'The number of lines, without invalid ones.',
      example: exampleInvoice.total,
    }),
    invalid_lines: z.int().meta({
      description:
        'How many other lines are kept although they are wrong (`skip_invalid`). They bill nothing and are in no sum; `GET /v1/courier-invoices/{id}/invalid-lines` lists them.',
      example: 0,
    }),
    compared_lines: z.int().meta({
      description: 'How many lines have been compared: all of them, once `status` is `compared`.',
      example: exampleInvoice.compared_lines,
    }),
    totals: z
      .array(
        z.object({
          finding: finding.meta({ description: 'What the comparison found.', example: 'matched' }),
          ...moneyFields,
        }),
      )
      .meta({
        description:
          'The lines by kind, finding and currency. Empty until the first comparison of the version is complete.',
      }),
    amounts: z.array(z.object(moneyFields)).meta({
      description:
        'The sums of `totals` by kind and currency: all lines, and of them those to check, disputed and accepted. Charges are money that the shop owes, cash on delivery is money that it gets.',
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
        to_check: z.int().meta({
          description:
            'Lines that differ and are not decided; `GET /v1/courier-invoices/{id}/lines?differs=true&decided=false` lists exactly these.',
          example: 1,
        }),
      })
      .meta({ description: 'How many lines of the version are decided, and how many must be.' }),
    ledger_position: z.string().nullable().meta({
      description:
        'The ledger was read at this position or later; each line names the version of its shipment. `null` until the comparison begins.',
      example: exampleInvoice.ledger_position,
    }),
    compared_at: timestamp.nullable().meta({
      description: 'When the comparison was completed. `null` if it is not complete.',
    }),
    withdrawn_at: timestamp.nullable().meta({
      description: 'When it was withdrawn. `null` if it was not.',
    }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({
    id: 'CourierInvoice',
    examples: [exampleInvoice],
    description: 'What a courier bills, compared with the ledger.',
  })

export const expectedSchema = z.object({
  amount: amount.nullable().meta({
    description:
      'The price of the guide in minor units, or the cash on delivery of the shipment, which is 0 if it has none. `null` if the courier has given no price; the amount is then not compared.',
  }),
  currency: currency
    .nullable()
    .meta({ description: 'Its ISO 4217 code. `null` if there is no price.' }),
  weight_kg: z.number().meta({
    description: 'The weight of all pieces of the shipment in kilograms.',
    example: 0.8,
  }),
})

export const invoiceLineSchema = z
  .object({
    object: typeOf('courier_invoice_line'),
    line: z.int().meta({
      description: 'Its position, from 1. In a CSV the header is line 1, so the first is line 2.',
      example: 1,
    }),
    kind: kindSchema,
    guide_number: z.string().meta({
      description: 'The guide that is billed.',
      example: exampleInvoiceLine.guide_number,
    }),
    amount: amount.meta({
      description: 'The amount that is billed or, of cash on delivery, paid out, in minor units.',
    }),
    currency,
    weight_kg: z.number().nullable().meta({
      description:
        'The billed weight in kilograms. `null` if there was none, or it is no longer kept.',
      example: 0.8,
    }),
    date: z.string().nullable().meta({
      description:
        'The day that the courier names. `null` if there was none, or it is no longer kept.',
      example: exampleInvoiceLine.date,
    }),
    client_reference: z.string().nullable().meta({
      description:
        'The reference that the courier prints. `null` if there was none, or it is no longer kept.',
      example: exampleInvoiceLine.client_reference,
    }),
    finding: finding.nullable().meta({
      description: `${valuesText('What the comparison found: the first that applies, from `billed_twice` on.', findingTexts)}\n\n\`null\` until it is compared.`,
      example: exampleInvoiceLine.finding,
    }),
    shipment_id: idOf('shp').nullable().meta({
      description:
        'The shipment that the line is about; `GET /v1/shipments/{id}/evidence` has its evidence. `null` if none is known.',
    }),
    shipment_version: z.int().nullable().meta({
      description:
        'The version of the shipment that the finding is based on, for `as_of`. `null` if there is no shipment.',
      example: exampleInvoiceLine.shipment_version,
    }),
    expected: expectedSchema.nullable().meta({
      description:
        'The amount that the ledger expects. `null` if it expects none, or is not certain yet.',
    }),
    at_stake: z.int().nullable().meta({
      description:
        'What is billed too much, in minor units of the currency of the line: the whole bill of a guide that was billed twice, was cancelled or never existed, or the excess over the expected amount. Of cash on delivery, what is paid out too little. If several lines bill the guide, the last of them has that of their sum. `null` if the finding names no amount.',
      example: exampleInvoiceLine.at_stake,
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
      .meta({ description: 'Where the guide was billed first. `null` if it was here.' }),
    billing: z
      .object({
        line: z.int().meta({ description: 'The last of these lines.', example: 9 }),
        lines: z.int().min(2).meta({ description: 'The number of lines.' }),
        amount: amount.nullable().meta({
          description: 'Their sum in minor units. `null` if they are in several currencies.',
        }),
      })
      .nullable()
      .meta({
        description:
          'The lines of its kind that bill the guide together; the last of them has the finding. `null` if this line does so alone.',
      }),
    decision: z
      .object({
        decision: openEnum(decisions).meta({ description: 'What was decided.' }),
        finding: finding.meta({ description: 'The finding that was decided.' }),
        note: z
          .string()
          .nullable()
          .meta({ description: 'The reason. `null` once it is no longer kept.' }),
        operator_id: idOf('opr').nullable().meta({
          description: 'The operator who decided. `null` if the key belongs to none.',
        }),
        decided_by: z.string().nullable().meta({
          description: 'Who decided: the name of the operator, or the one given with the decision.',
          example: 'ana.torres',
        }),
        at: timestamp.meta({ description: 'When it was decided.' }),
      })
      .nullable()
      .meta({ description: 'The last decision of a person. `null` if there is none.' }),
  })
  .meta({
    id: 'CourierInvoiceLine',
    examples: [exampleInvoiceLine],
    description: 'What a courier bills for one guide, and what the ledger says about it.',
  })

/** A line together with its invoice. */
export const billedLineSchema = invoiceLineSchema
  .extend({
    courier_invoice_id: idOf('inv').meta({ description: 'The invoice of the line.' }),
    reference: z.string().meta({
      description: "The courier's number of the invoice.",
      example: exampleInvoice.reference,
    }),
    version: z.int().meta({
      description: 'The version of the invoice: its newest.',
      example: 1,
    }),
  })
  .meta({
    id: 'BilledLine',
    examples: [exampleBilledLine],
    description: 'A line of an invoice that bills a shipment.',
  })
