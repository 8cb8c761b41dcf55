import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../languages/language.ts'
import { AgencyName } from '../parts/names.tsx'
import { useMay } from '../parts/scopes.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { useSession } from '../session.tsx'
import { formatMoney } from '../shipments/money.ts'
import { choiceWord, fileLine } from './field-titles.ts'
import type { SheetFields } from './sheet-field.ts'
import { type FieldAt, fieldOf, titleOf } from './sheet-fields.ts'
import type { SheetCheck } from './use-sheet-check.ts'

type Line = SheetCheck['sample'][number]

type SampleProps = {
  readonly check: SheetCheck
  readonly fields: SheetFields
  /** The service's columns that have one value for every line. */
  readonly sameForAll: readonly string[]
}

/** The first lines of a file as the service understood them. */
export function SheetSample({ check, fields, sameForAll }: SampleProps) {
  const named = [...check.columns.flatMap(({ field }) => field ?? []), ...sameForAll]
  const shown = new Map(
    named.map((name) => fieldOf(fields, name)).map((field) => [field.pointer, field]),
  )
  if (shown.size === 0 || check.sample.length === 0) return null
  const columns = [...shown.values()]
  return (
    <WideTable name={i18n.t('First lines')} columns={[fileLine(), ...columns.map(titleOf)]}>
      {check.sample.map((line) => (
        <tr key={line.line}>
          <td>{line.line}</td>
          {columns.map((field) => (
            <td key={field.pointer}>
              <Value line={line} field={field} />
            </td>
          ))}
        </tr>
      ))}
    </WideTable>
  )
}

/** All the decimals that a file may have. */
const exact = { maximumFractionDigits: 20 } as const

type ValueProps = { readonly line: Line; readonly field: FieldAt }

function Value({ line: { fields }, field: { pointer, kind, units, choices } }: ValueProps) {
  const value = valueAt(fields, pointer)
  if (value === undefined) return '–'
  const { currency, courier_connection_id: connectionId } = fields
  if (kind === 'agency') return <AgencyName id={value} />
  if (kind === 'product') return <ProductName id={value} connectionId={String(connectionId)} />
  if (kind === 'money' && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)) {
    return formatMoney({ amount: Number(value), currency })
  }
  if (units !== undefined) return `${formatNumber(Number(value), exact)} ${units[0]}`
  return <bdi>{choices === undefined ? value : choiceWord(value)}</bdi>
}

/** Undefined if the line has none, or none that can be read. */
export function valueAt(fields: Line['fields'], pointer: string): string | undefined {
  const value = pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((part, name) => (part as Line['fields'] | undefined)?.[name], fields)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Lists of products change rarely. */
const freshMs = 60_000
/** The API's largest page. A courier has few products. */
const pageItems = 100

type ProductProps = { readonly id: string; readonly connectionId: string }

/** The name of a courier's kind of parcel, or its id if the name is unknown. */
function ProductName({ id, connectionId }: ProductProps) {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['names', 'products', connectionId],
    queryFn: async ({ signal }) => {
      const about = { courier_connection_id: connectionId, limit: pageItems }
      const { data: products } = await client.couriers.listPackageProducts(about, { signal })
      return new Map(products.map((product) => [product.id, product.name]))
    },
    enabled: useMay('connections:read') && connectionId.startsWith('ccn_'),
    staleTime: freshMs,
  })
  return <span title={id}>{data?.get(id) ?? id}</span>
}
