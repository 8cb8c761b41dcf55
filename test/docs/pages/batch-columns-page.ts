import {
  type CsvColumn,
  csvColumns,
  csvMetadataColumn,
} from '../../../src/service/http/batches/lines/csv-columns.ts'

/** The columns of a CSV of shipments, as the reader of lines knows them. */
export function batchColumnsPage(): string {
  const rows = [...csvColumns, csvMetadataColumn].map(row)
  return `# Columns of a batch

The first line of a CSV names its columns, in any order. [Shipping in bulk](guides/bulk.md) says how it is sent, and
[the template](batch-template.csv) has every column and an example.

A header may have the other name of a column as well. Capitals, accents, punctuation and words such as "de" and "N°" do
not matter: "Agencia de origen" is \`agencia_origen\`, and "Peso (kg)" is \`peso_kg\`. The same holds for the values of
a list: "Aéreo" and "D.N.I." are read.

| Column | Other names | Field | Required | What is in it |
|---|---|---|---|---|
${rows.join('\n')}
`
}

function row(column: CsvColumn): string {
  const { name, otherNames = [], pointer, type, description } = column
  const number = type === 'decimal' || type === 'integer' ? ' A number.' : ''
  const about = `${description}${number}${valuesOf(column)}`
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
  const others = otherNames.map(code).join(', ')
  return `| ${code(name)} | ${others} | ${code(pointer)} | ${requiredWord(column)} | ${about} |`
}

function requiredWord({ name, pointer, isRequired }: CsvColumn): string {
  if (!isRequired) return ''
  const either = csvColumns.find((other) => other.pointer === pointer && other.name !== name)
  return either === undefined ? 'yes' : `this or ${code(either.name)}`
}

function valuesOf({ choices, otherWords = {} }: CsvColumn): string {
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
