import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { asLineRows, type LineRow } from '../lists/line-rows.ts'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { Badge } from '../parts/badge.tsx'
import { CloseButton, DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { useSession } from '../session.tsx'
import { batchFields } from '../sheets/generated-fields.ts'
import { labelAt } from '../sheets/sheet-fields.ts'
import { errorSentence } from '../sheets/use-sheet-check.ts'

type Batch = Schemas['Batch']
type Item = Schemas['BatchItem']
type Row = LineRow<Item>

type ItemsProps = { readonly batch: Batch; readonly state: string }

/** The lines of a batch in file order, each with its result. */
export function BatchItems({ batch, state }: ItemsProps) {
  const { client } = useSession()
  const { id } = batch
  const [opened, setOpened] = useState<Row | null>(null)
  const query = state === '' ? {} : { state: state as NonNullable<ItemQuery['state']> }
  const list = usePagedList<Row>({
    queryKey: ['batch-items', id, state],
    order: 'oldest',
    read: async (page, options) =>
      asLineRows(await client.batches.listItems({ id, ...query, ...page }, options as object)),
  })
  const columns: readonly Column<Row>[] = [
    { name: 'Line', width: '4rem', cell: (row) => row.line },
    {
      name: 'Reference',
      width: 'minmax(8rem, 1fr)',
      cell: (row) => row.external_reference ?? '–',
    },
    {
      name: 'State',
      width: 'minmax(11rem, 0.8fr)',
      isLong: true,
      cell: (row) => <Badge value={row.state} />,
    },
    { name: 'Shipment', width: 'minmax(9rem, 1fr)', isLong: true, cell: shipmentOf },
    {
      name: 'What happened',
      width: 'minmax(12rem, 2.4fr)',
      isLong: true,
      cell: (row) => <ErrorCell row={row} onOpen={() => setOpened(row)} />,
    },
  ]
  return (
    <>
      <Table
        what="lines"
        list={list}
        columns={columns}
        whenEmpty={`No lines are ${state.replaceAll('_', ' ')} now.`}
      />
      {opened !== null && <ErrorWindow row={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

type ItemQuery = Parameters<ReturnType<typeof useSession>['client']['batches']['listItems']>[0]

function shipmentOf({ shipment_id: id }: Row) {
  return id === null ? '–' : <Link href={hrefOf(id)}>{id}</Link>
}

/** The error as one line of text, with the fields it is about. */
function sentenceOfError({ detail, errors = [] }: NonNullable<Item['error']>): string {
  if (errors.length === 0) return detail
  return errors
    .map((each) => `${labelAt(batchFields, each.pointer)}: ${errorSentence(each)}`)
    .join(' ')
}

type CellProps = { readonly row: Row; readonly onOpen: () => void }

function ErrorCell({ row, onOpen }: CellProps) {
  if (row.error === null) return '–'
  return (
    <UnstyledButton className="line-error over-link" onClick={onOpen}>
      {sentenceOfError(row.error)}
    </UnstyledButton>
  )
}

type WindowProps = { readonly row: Row; readonly onClose: () => void }

/** The complete error of a line. A row of the list has room only for its beginning. */
function ErrorWindow({ row, onClose }: WindowProps) {
  const { error } = row
  if (error === null) return null
  const { errors = [], operation_id: operationId } = error
  return (
    <DialogWindow
      title={`Line ${row.line}: ${error.title}`}
      open
      isQuestion
      onOpenChange={(open) => open || onClose()}
    >
      <p>{error.detail}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map((each) => (
            <li key={`${each.pointer} ${each.detail}`}>
              <strong>{labelAt(batchFields, each.pointer)}</strong> {errorSentence(each)}
            </li>
          ))}
        </ul>
      )}
      {operationId !== undefined && (
        <p>
          <Link href={hrefOf(operationId)}>Open the operation</Link>
        </p>
      )}
      <DialogActions>
        <CloseButton onClose={onClose} />
      </DialogActions>
    </DialogWindow>
  )
}
