import { i18n } from '@lingui/core'
import { UnstyledButton } from '@mantine/core'
import { Fragment, useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { ServiceSentence } from '../forms/service-sentence.tsx'
import { asLineRows, type LineRow } from '../lists/line-rows.ts'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { Badge } from '../parts/badge.tsx'
import { CloseButton, DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { useSession } from '../session.tsx'
import { labelAt } from '../sheets/sheet-fields.ts'
import { errorSentence } from '../sheets/use-sheet-check.ts'
import { CauseOf } from './line-words.tsx'

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
    { name: i18n.t('Line'), width: '4rem', cell: (row) => row.line },
    {
      name: i18n.t('Reference'),
      width: 'minmax(8rem, 1fr)',
      cell: (row) => row.external_reference ?? '–',
    },
    {
      name: i18n.t('State'),
      width: 'minmax(11rem, 0.8fr)',
      isLong: true,
      cell: (row) => <Badge value={row.state} />,
    },
    { name: i18n.t('Shipment'), width: 'minmax(9rem, 1fr)', isLong: true, cell: shipmentOf },
    {
      name: i18n.t('What happened'),
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
        whenEmpty={i18n.t('No lines are in this state now.')}
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
function SentenceOfError({ error }: { readonly error: NonNullable<Item['error']> }) {
  const { errors = [] } = error
  if (errors.length === 0) return <CauseOf error={error} />
  return errors.map((each) => (
    <Fragment key={`${each.pointer} ${each.detail}`}>
      {labelAt(each.pointer)}: <ServiceSentence>{errorSentence(each)}</ServiceSentence>{' '}
    </Fragment>
  ))
}

type CellProps = { readonly row: Row; readonly onOpen: () => void }

function ErrorCell({ row, onOpen }: CellProps) {
  if (row.error === null) return '–'
  return (
    <UnstyledButton className="line-error over-link" onClick={onOpen}>
      <SentenceOfError error={row.error} />
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
      title={i18n.t('Line {line}: what happened', { line: row.line })}
      open
      isQuestion
      onOpenChange={(open) => open || onClose()}
    >
      <p>
        <CauseOf error={error} />
      </p>
      {errors.length > 0 && (
        <ul>
          {errors.map((each) => (
            <li key={`${each.pointer} ${each.detail}`}>
              <strong>{labelAt(each.pointer)}</strong>{' '}
              <ServiceSentence>{errorSentence(each)}</ServiceSentence>
            </li>
          ))}
        </ul>
      )}
      {operationId !== undefined && (
        <p>
          <Link href={hrefOf(operationId)}>{i18n.t('Open the operation')}</Link>
        </p>
      )}
      <DialogActions>
        <CloseButton onClose={onClose} />
      </DialogActions>
    </DialogWindow>
  )
}
