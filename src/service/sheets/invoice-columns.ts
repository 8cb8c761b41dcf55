import { invoiceLinesMax } from '../domain/invoices/invoice-limits.ts'
import { lineKinds } from '../domain/invoices/line-kind.ts'
import { type InvoiceLineBody, invoiceLineBody } from './invoice-line-body.ts'
import { type Sheet, type SheetColumn, weightUnits } from './sheet-columns.ts'

type Words = Pick<SheetColumn, 'type' | 'otherNames' | 'measure' | 'choices' | 'otherWords'> & {
  /** If it differs from that of the field. */
  readonly description?: string
  readonly example?: string | number
}

/** In the order of the template. */
const columnsOfFields = {
  guide_number: { type: 'text', otherNames: ['guia', 'guide', 'tracking'] },
  amount: {
    type: 'money',
    otherNames: ['importe', 'monto', 'total'],
    description:
      'The billed amount, with a decimal point or comma: 14.50. The header may name the currency, as in `Importe (S/)`. Name the column `amount_minor` if it has minor units: 1450 is PEN 14.50. Credits are refused, because they are no charges to compare.',
    example: '14.50',
  },
  currency: { type: 'id', otherNames: ['moneda', 'divisa'] },
  weight_kg: {
    type: 'decimal',
    measure: { names: ['weight', 'peso'], units: weightUnits },
  },
  date: { type: 'day', otherNames: ['fecha'] },
  client_reference: {
    type: 'text',
    otherNames: ['reference', 'referencia', 'referencia_cliente'],
  },
  kind: {
    type: 'choice',
    otherNames: ['tipo'],
    choices: lineKinds,
    otherWords: {
      charge: ['cargo', 'cobro', 'flete', 'freight', 'servicio'],
      cash_on_delivery: ['cod', 'contra entrega', 'contraentrega', 'recaudo'],
    },
  },
} as const satisfies Record<keyof InvoiceLineBody, Words>

function columnOf([name, words]: readonly [string, Words]): SheetColumn {
  const schema = invoiceLineBody.shape[name as keyof InvoiceLineBody]
  const { description = '', example } = schema.meta() ?? {}
  return {
    name,
    pointer: `/${name}`,
    isRequired: !schema.safeParse(undefined).success,
    description,
    example: (example as string | number | undefined) ?? null,
    ...words,
  }
}

/** The files of couriers' invoices. */
export const invoiceSheet: Sheet = {
  columns: Object.entries(columnsOfFields).map(columnOf),
  hasMetadata: false,
  setsTotalsAside: true,
  line: invoiceLineBody,
  words: { file: 'An invoice', line: 'an invoice' },
  linesMax: invoiceLinesMax,
}
