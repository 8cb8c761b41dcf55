import { Checkbox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { hrefOf } from '../parts/object-links.ts'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'
import { plainText } from './file/cell-checks.ts'
import type { CheckedLines } from './file/check-lines.ts'
import { type SecondGuide, type SentOrder, secondGuides } from './file/second-guides.ts'

/** Waits for a pause in typing instead of asking on every keystroke. */
const typingPauseMs = 300
/** Each is a request. They are from the whole file, since new orders may be above the old ones. */
const ordersAskedMax = 8
/** An order has few shipments. */
const shipmentsAskedMax = 10
/** A file is seldom sent more often under one reference. */
const batchesReadMax = 10
/** Twenty pages. */
const linesReadMax = 2_000
/** The API's largest page. */
const pageLines = 100
/** Enough to recognize what happened. */
const doubtsShownMax = 3

/** These have a guide, or may have one. */
const maybeShipped: readonly string[] = ['created', 'creating', 'unknown_outcome', 'cancelling']

type EarlierProps = {
  readonly reference: string
  readonly workspaceId: string
  readonly checked: CheckedLines
}

type Shipped = Pick<Schemas['Shipment'], 'id' | 'external_reference' | 'status'>

type Earlier = {
  /** The newest batch of the reference. */
  readonly batchId: string | null
  /** Orders of this reference that were sent in another way. */
  readonly doubts: readonly SecondGuide[]
  /** An order that was shipped under another reference. */
  readonly shipped: Shipped | null
}

/** What was sent before: under this reference, or under another one. */
export function useEarlier({ reference: typed, workspaceId, checked }: EarlierProps): Earlier {
  const { client } = useSession()
  const [reference] = useDebouncedValue(typed, typingPauseMs)
  const isEnabled = useMay('shipments:read') && workspaceId !== ''
  const { data: earlier } = useQuery({
    queryKey: ['batches', 'earlier', workspaceId, reference],
    queryFn: () => sentUnder(client, workspaceId, reference),
    enabled: isEnabled && reference !== '',
    gcTime: 0,
  })
  const orders = useMemo(() => ordersOf(checked), [checked])
  const isNew = earlier?.batchId === null
  const shipped = useShipped(orders, workspaceId, isEnabled && isNew)
  const doubts = useMemo(() => secondGuides(orders, earlier?.sent ?? []), [orders, earlier])
  return { batchId: earlier?.batchId ?? null, doubts, shipped: isNew ? shipped : null }
}

export function isDoubtful({ doubts, shipped }: Earlier): boolean {
  return doubts.length > 0 || shipped !== null
}

type ShownProps = {
  readonly earlier: Earlier
  readonly isSure: boolean
  readonly onSure: (isSure: boolean) => void
}

/** Says before sending what was sent before, and asks about what would be shipped again. */
export function EarlierBatch({ earlier, isSure, onSure }: ShownProps) {
  const { batchId, doubts, shipped } = earlier
  if (!isDoubtful(earlier)) {
    if (batchId === null) return null
    return (
      <p role="status">
        <Link href={hrefOf(batchId)}>A batch with this reference</Link> was sent before. Its orders
        that have a guide are found and not shipped again.
      </p>
    )
  }
  return (
    <div className="refusal">
      {shipped === null ? (
        <Doubts doubts={doubts} />
      ) : (
        <p role="status">
          Order <bdi>{shipped.external_reference}</bdi>{' '}
          {shipped.status === 'created' ? 'has' : 'may have'}{' '}
          <Link href={hrefOf(shipped.id)}>a guide</Link> already. If this file was sent before, give
          it the reference that it had then. Otherwise each such order gets a second guide.
        </p>
      )}
      <Checkbox
        label="These are other parcels. Create guides for them too."
        checked={isSure}
        onChange={(event) => onSure(event.currentTarget.checked)}
      />
    </div>
  )
}

function Doubts({ doubts }: Pick<Earlier, 'doubts'>) {
  return (
    <>
      <p role="status">
        {doubts.length === 1 ? 'One order was' : `${doubts.length} orders were`} sent under this
        reference before, but with another spelling or another idempotency_key. A second guide would
        be created for {doubts.length === 1 ? 'it' : 'each'}. If a spreadsheet removed leading
        zeros, format the column as text and enter them again.
      </p>
      <ul>
        {doubts.slice(0, doubtsShownMax).map(({ order, sent }) => (
          <li key={order.line}>
            Line {order.line}: <bdi>{order.reference}</bdi> was sent as <bdi>{sent.reference}</bdi>,{' '}
            <Link href={hrefOf(sent.shipmentId)}>{sent.shipmentId}</Link>
          </li>
        ))}
      </ul>
    </>
  )
}

function ordersOf({ columns, good, references }: CheckedLines) {
  const at = columns.indexOf('idempotency_key')
  return good.map(({ row, cells }) => ({
    line: row,
    reference: references.get(row) ?? '',
    key: plainText(cells[at] ?? ''),
  }))
}

async function sentUnder(client: Client, workspaceId: string, reference: string) {
  const about = { workspace_id: workspaceId, external_reference: reference }
  const { data: batches } = await client.batches.list({ ...about, limit: batchesReadMax })
  const sent: SentOrder[] = []
  let read = 0
  for (const { id } of batches) {
    for await (const item of client.batches.listItems({ id, limit: pageLines })) {
      if (++read > linesReadMax) break
      const { external_reference: order, shipment_id: shipmentId, key, state } = item
      if (order === null || shipmentId === null || key === null) continue
      if (maybeShipped.includes(state)) sent.push({ reference: order, key, shipmentId })
    }
  }
  return { batchId: batches[0]?.id ?? null, sent }
}

/** A shipment that has a guide, or may have one, of some of the orders; null if none has one. */
function useShipped(
  orders: readonly { readonly reference: string }[],
  workspaceId: string,
  isEnabled: boolean,
): Shipped | null {
  const { client } = useSession()
  const step = Math.max(1, (orders.length - 1) / (ordersAskedMax - 1))
  const places = Array.from({ length: ordersAskedMax }, (_, n) => Math.round(n * step))
  const asked = places.flatMap((at) => orders[at]?.reference ?? [])
  const { data } = useQuery({
    queryKey: ['shipments', 'of orders', workspaceId, asked],
    queryFn: async ({ signal }) => {
      for (const external_reference of asked) {
        const about = { workspace_id: workspaceId, external_reference, limit: shipmentsAskedMax }
        const { data: shipments } = await client.shipments.list(about, { signal })
        const shipped = shipments.find(({ status }) => maybeShipped.includes(status))
        // Only what is shown of it: the rest is personal data.
        if (shipped !== undefined) {
          return { id: shipped.id, status: shipped.status, external_reference }
        }
      }
      return null
    },
    enabled: isEnabled,
    gcTime: 0,
  })
  return data ?? null
}
