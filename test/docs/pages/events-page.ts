import { z } from 'zod'
import { auditEventSchemas } from '../../../src/service/domain/ledger/audit-event.ts'
import { shipmentEventSchemas } from '../../../src/service/domain/shipment/shipment-events.ts'
import { eventVersion } from '../../../src/service/event-store/upcasting.ts'

type Schema = {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
}

/** The text of docs/events.md. */
export function eventsPage(): string {
  return `# Events

Names and shapes are stored permanently: any change but a new optional field or a new value of an enumeration is a new
version with an upcaster.
Every event is checked against its schema when it is written and when it is read. Nothing personal is in one: \`…_ref\` names a row of the vault.

The actor in an event's metadata names a key, an operator or the part of the service that caused it, never a person's name:
\`operator_id\` and \`system_user\` are there only for an operator and for a command without one.

## Streams \`shipment-<value>\`

One stream an \`Idempotency-Key\`; the value is that of the shipment's id.

${sectionsOf(shipmentEventSchemas)}
## Streams \`audit-<value>\`

Administrative acts on an organization, appended before they take effect.

${sectionsOf(auditEventSchemas)}`
}

function sectionsOf(schemas: Readonly<Record<string, z.ZodType>>): string {
  return Object.entries(schemas)
    .map(([type, schema]) => {
      const shape = z.toJSONSchema(schema, { io: 'input' }) as Schema
      const rows = rowsOf(shape, '')
      const table = ['| field | type | meaning |', '|---|---|---|', ...rows].join('\n')
      const fields = rows.length === 0 ? 'It has no fields.' : table
      const version = `Version ${eventVersion(type)}.`
      return `### ${type}\n\n${schema.description ?? ''} ${version}\n\n${fields}\n`
    })
    .join('\n')
}

function rowsOf(schema: Schema, prefix: string): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const inner = innerOf(field)
    const absent = schema.required?.includes(name) ? '' : ', or absent'
    const row = `| \`${path}\` | ${typeOf(field)}${absent} | ${field.description ?? ''} |`
    return inner === null ? [row] : [row, ...rowsOf(inner.schema, `${path}${inner.mark}.`)]
  })
}

/** The object schema of a field, even if it is nullable or a list. */
function innerOf(field: Schema): { readonly schema: Schema; readonly mark: string } | null {
  if (field.properties !== undefined) return { schema: field, mark: '' }
  if (field.items?.properties !== undefined) return { schema: field.items, mark: '[]' }
  const one = field.anyOf?.find((each) => each.properties !== undefined)
  return one === undefined ? null : { schema: one, mark: '' }
}

function typeOf(field: Schema): string {
  if (field.enum !== undefined) return field.enum.map((value) => `\`${value}\``).join(', ')
  if (field.const !== undefined) return `\`${field.const}\``
  if (field.anyOf !== undefined) return field.anyOf.map(typeOf).join(' or ')
  if (field.type === 'array')
    return `list of ${field.items === undefined ? 'anything' : typeOf(field.items)}`
  if (field.format === 'date-time' || field.format === 'uuid') return field.format
  return String(field.type ?? 'anything')
}
