import { documentForms } from '../../src/service/domain/shipment/shipment-payload.ts'
import { spreadsheetErrors } from '../../src/service/domain/spreadsheet-error.ts'
import { csvColumns, metadataPrefix } from '../../src/service/http/batches/lines/csv-columns.ts'

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly example?: unknown
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

/** The columns of a batch in CSV with the limits of their fields, for forms that check cells. */
export function batchColumnsFile(document: object): string {
  const { components } = document as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  }
  const line = components.schemas.BatchLine ?? {}
  const columns = csvColumns.map((column) => {
    const { type, description, example, ...known } = column
    const limits = limitsOf(schemaAt(line, column.pointer), type === 'id' || type === 'name')
    return { ...known, type, ...limits, description, example }
  })
  const forms = Object.entries(documentForms).map(([type, { pattern, form }]) => [
    type,
    { pattern: pattern.source, form },
  ])
  return `// Generated from docs/openapi.json and the columns of a CSV by \`npm run generate\`.
export const batchColumns = ${JSON.stringify(columns, null, 2)} as const
export const metadataPrefix = ${JSON.stringify(metadataPrefix)}
export const documentForms = ${JSON.stringify(Object.fromEntries(forms), null, 2)} as const
export const spreadsheetErrors = ${JSON.stringify(spreadsheetErrors.source)}
`
}

function schemaAt(root: Schema, pointer: string): Schema {
  return pointer
    .slice(1)
    .split('/')
    .reduce((schema, field) => {
      const found = schema.properties?.[field]
      if (found === undefined) throw new Error(`the document does not describe ${pointer}`)
      return found
    }, root)
}

function limitsOf(schema: Schema, isId: boolean): object {
  const { maxLength, pattern, minimum, exclusiveMinimum, maximum, example } =
    schema.anyOf?.[0] ?? schema
  const prefix = isId ? String(example).replace(/_.*$/, '') : undefined
  return { prefix, maxLength, pattern, minimum, exclusiveMinimum, maximum }
}
