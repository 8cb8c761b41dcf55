import { batchColumns, batchMetadataColumn } from '../../../src/service/sheets/batch-columns.ts'
import { invoiceSheet } from '../../../src/service/sheets/invoice-columns.ts'
import { plainName } from '../../../src/service/sheets/plain-name.ts'
import type { SheetColumn } from '../../../src/service/sheets/sheet-columns.ts'

/** The columns of the CSV files of shipments and invoices, as the reader of sheets defines them. */
export function batchColumnsPage(): string {
  return `# Columns of a CSV

The first line of a CSV names its columns, in any order. [Shipping in bulk](guides/bulk.md) says how a file is sent, checked
and read.

A header may have the other name of a column as well. Capitals, accents, punctuation and words such as "de" and "N°" do
not matter: "Agencia de origen" is \`agencia_origen\`, and "Peso (g)" is \`peso_g\`. The same holds for the values of
a list: "Aéreo" and "D.N.I." are read. A weight or size needs its unit in the header, and is converted: \`kg\` or \`g\`,
\`m\`, \`cm\` or \`mm\`. The parameter \`columns\` maps other headers.

## A batch

[The template](batch-template.csv) has every column and an example.

${table([...batchColumns, batchMetadataColumn])}

## A courier's invoice

[The template](invoice-template.csv) has every column and an example.

${table(invoiceSheet.columns)}
`
}

function table(columns: readonly SheetColumn[]): string {
  const rows = columns.map((column) => row(column, columns))
  return `| Column | Other names | Field | Required | What is in it |
|---|---|---|---|---|
${rows.join('\n')}`
}

function row(column: SheetColumn, columns: readonly SheetColumn[]): string {
  const { name, pointer, type, description } = column
  const number = type === 'decimal' || type === 'integer' ? ' A number.' : ''
  const about = `${description}${number}${valuesOf(column)}`
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
  const others = otherNamesOf(column).map(code).join(', ')
  return `| ${code(name)} | ${others} | ${code(pointer)} | ${requiredWord(column, columns)} | ${about} |`
}

/** Of a measure, with each unit once. */
function otherNamesOf({ name, otherNames = [], measure }: SheetColumn): readonly string[] {
  const { names = [], units = {} } = measure ?? {}
  const measured = names.flatMap((bare) => Object.keys(units).map((unit) => `${bare}_${unit}`))
  return [...otherNames, ...measured.filter((each) => each !== plainName(name))]
}

function requiredWord(
  { name, pointer, isRequired }: SheetColumn,
  columns: readonly SheetColumn[],
): string {
  if (!isRequired) return ''
  const either = columns.find((other) => other.pointer === pointer && other.name !== name)
  return either === undefined ? 'yes' : `this or ${code(either.name)}`
}

function valuesOf({ choices = [], otherWords = {} }: SheetColumn): string {
  if (choices.length === 0) return ''
  const values = choices.map((choice) => {
    const words = (otherWords[choice] ?? []).map(code)
    return words.length === 0 ? code(choice) : `${code(choice)} (${words.join(', ')})`
  })
  return ` One of ${values.join(', ')}.`
}

function code(text: string): string {
  return `\`${text}\``
}
