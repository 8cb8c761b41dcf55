import {
  type CsvColumn,
  csvColumns,
  csvMetadataColumn,
} from '../../../src/http/batches/lines/csv-columns.ts'

/** The columns of a CSV of shipments, as the reader of lines knows them. */
export function batchColumnsPage(): string {
  const rows = [...csvColumns, csvMetadataColumn].map(row)
  return `# Columns of a batch

The first line of a CSV names its columns, in any order. [Shipping in bulk](guides/bulk.md) says how it is sent, and
[the template](batch-template.csv) has every column and an example.

| Column | Field | Required | What is in it |
|---|---|---|---|
${rows.join('\n')}
`
}

function row({ name, pointer, type, choices, isRequired, description }: CsvColumn): string {
  const values =
    choices.length === 0 ? '' : ` One of ${choices.map((one) => `\`${one}\``).join(', ')}.`
  const number = type === 'decimal' || type === 'integer' ? ' A number.' : ''
  const about = `${description}${number}${values}`.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return `| \`${name}\` | \`${pointer}\` | ${isRequired ? 'yes' : ''} | ${about} |`
}
