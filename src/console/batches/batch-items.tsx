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
import { columnOf } from './file/line-columns.ts'
import { useReferences } from './sent-references.ts'

type Batch = Schemas['Batch']
type Item = Schemas['BatchItem']
type Row = LineRow<Item>

type ItemsProps = { readonly batch: Batch; readonly state: string }

/** The lines of a batch in their order, with what came of each. */
export function BatchItems({ batch, state }: ItemsProps) {
  const { client } = useSession()
  const { id } = batch
  const [opened, setOpened] = useState<Row | null>(null)
  const referenceOf = useReferences(id)
  const query = state === '' ? {} : { state: state as NonNullable<ItemQuery['state']> }
  const list = usePagedList<Row>({
    queryKey: ['batch-items', id, state],
    order: 'oldest',
    isEnabled: true,
    read: async (page, options) =>
      asLineRows(await client.batches.listItems({ id, ...query, ...page }, options as object)),
  })
  const columns: readonly Column<Row>[] = [
    { name: 'Line', width: '4rem', cell: (row) => row.line },
    {
      name: 'Reference',
      width: 'minmax(8rem, 1fr)',
      cell: (row) => referenceOf(row) ?? '–',
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
        whenEmpty={`No line is ${state.replaceAll('_', ' ')} now.`}
      />
      {opened !== null && <ErrorWindow row={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

type ItemQuery = Parameters<ReturnType<typeof useSession>['client']['batches']['listItems']>[0]

function shipmentOf({ shipment_id: id }: Row) {
  return id === null ? '–' : <Link href={hrefOf(id)}>{id}</Link>
}

/** The error in one sentence, with the fields that it is about. */
function sentenceOfError({ detail, errors = [] }: NonNullable<Item['error']>): string {
  if (errors.length === 0) return detail
  return errors.map((each) => `${columnOf(each.pointer)}: ${each.detail}`).join(' ')
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

/** The whole error of a line: a row of the list has room for its beginning only. */
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
          {errors.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`}>
              <strong>{columnOf(pointer)}</strong> {detail}
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
