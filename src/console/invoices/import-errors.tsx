import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { Refused } from '../parts/states.tsx'
import { WideTable } from '../parts/wide-table.tsx'

/** The API names at most so many wrong cells. */
const namedMax = 20

type Wrong = { readonly row: string; readonly column: string; readonly detail: string }

/** What is wrong in which row and column of the file, as the service found it. */
export function ImportErrors({ error }: { readonly error: unknown }) {
  const wrong = wrongLinesOf(error)
  if (wrong.length === 0) return <Refused error={isOfFields(error) ? null : error} />
  return (
    <div role="alert" className="import-errors">
      <p className="refusal">
        The file is refused as a whole, and nothing was imported.{' '}
        {wrong.length >= namedMax ? `These are the first ${namedMax} faults.` : ''} Correct the file
        and choose it again.
      </p>
      <WideTable name="What is wrong" columns={['Row', 'Column', 'What is wrong']}>
        {wrong.map(({ row, column, detail }) => (
          <tr key={`${row} ${column} ${detail}`}>
            <td>{row}</td>
            <td>{column}</td>
            <td>{detail}</td>
          </tr>
        ))}
      </WideTable>
    </div>
  )
}

/** `/lines/3/amount`, with a detail that begins with the row of the spreadsheet. */
function wrongLinesOf(error: unknown): readonly Wrong[] {
  if (!(error instanceof ShippingLedgerError)) return []
  return error.errors.flatMap(({ pointer, detail }) => {
    const [, column] = /^\/lines\/\d+(?:\/(.+))?$/.exec(pointer) ?? [null, null]
    const [prefix = '', row] = /^Row (\d+): /.exec(detail) ?? []
    if (column === null || row === undefined) return []
    const said = detail.slice(prefix.length).replace(/^Column `[^`]*`: /, '')
    return [{ row, column: column ?? 'the whole row', detail: said }]
  })
}

/** The fields above show it. */
function isOfFields(error: unknown): boolean {
  return (
    error instanceof ShippingLedgerError &&
    error.errors.length > 0 &&
    error.errors.every(({ pointer }) => pointer.startsWith('#/query/'))
  )
}
