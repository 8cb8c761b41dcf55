import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Checkbox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { hrefOf } from '../parts/object-links.ts'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'
import { valueAt } from '../sheets/sheet-sample.tsx'

/** Debounces typing: each keystroke would be a request. */
const typingPauseMs = 300
/** Five pages. */
const linesReadMax = 500
/** The API's largest page. */
const pageLines = 100

/** The states in which a guide exists or may exist. */
const maybeShipped: readonly string[] = ['created', 'creating', 'unknown_outcome', 'cancelling']

type EarlierProps = {
  readonly reference: string
  readonly workspaceId: string
  readonly sample: Schemas['BatchCheck']['sample']
}

type Doubt = {
  readonly line: number
  readonly order: string
  readonly sentAs: string
  readonly shipmentId: string
}

type Earlier = {
  /** The newest batch of the reference. */
  readonly batchId: string | null
  /** Orders of the first lines that were sent with other leading zeros. */
  readonly doubts: readonly Doubt[]
}

/**
 * Finds what was sent before under this reference. The service recognises an order that is sent
 * again, except that 00123 and 123 are different orders to it. A spreadsheet drops leading zeros in
 * the whole column, so the first lines are enough to notice it.
 */
export function useEarlier({ reference: typed, workspaceId, sample }: EarlierProps): Earlier {
  const { client } = useSession()
  const [reference] = useDebouncedValue(typed, typingPauseMs)
  const { data } = useQuery({
    queryKey: ['batches', 'earlier', workspaceId, reference],
    queryFn: () => sentUnder(client, workspaceId, reference),
    enabled: useMay('shipments:read') && workspaceId !== '' && reference !== '',
    gcTime: 0,
  })
  const sent = data?.sent ?? new Map<string, string>()
  const orders = sample.flatMap(({ line, fields }) => {
    const order = valueAt(fields, '/external_reference')
    return order === undefined ? [] : [{ line, order }]
  })
  const inFile = new Set(orders.map(({ order }) => order))
  const doubts = orders.flatMap(({ line, order }) => {
    if (sent.has(order)) return []
    const found = [...sent].find(
      ([other]) => withoutZeros(other) === withoutZeros(order) && !inFile.has(other),
    )
    return found === undefined ? [] : [{ line, order, sentAs: found[0], shipmentId: found[1] }]
  })
  return { batchId: data?.batchId ?? null, doubts }
}

function withoutZeros(order: string): string {
  return order.replace(/^0+(?=.)/, '')
}

async function sentUnder(client: Client, workspaceId: string, reference: string) {
  const about = { workspace_id: workspaceId, external_reference: reference, limit: 1 }
  const { data } = await client.batches.list(about)
  const batchId = data[0]?.id ?? null
  /** Shipments by order. */
  const sent = new Map<string, string>()
  if (batchId === null) return { batchId, sent }
  let read = 0
  for await (const item of client.batches.listItems({ id: batchId, limit: pageLines })) {
    if (++read > linesReadMax) break
    const { external_reference: order, shipment_id: shipmentId, state } = item
    if (order === null || shipmentId === null || !maybeShipped.includes(state)) continue
    sent.set(order, shipmentId)
  }
  return { batchId, sent }
}

type ShownProps = {
  readonly earlier: Earlier
  readonly isSure: boolean
  readonly onSure: (isSure: boolean) => void
}

/** Shows what was sent before, and asks for confirmation before an order is shipped twice. */
export function EarlierBatch({ earlier: { batchId, doubts }, isSure, onSure }: ShownProps) {
  if (batchId === null) return null
  if (doubts.length === 0) {
    return (
      <p role="status">
        <Trans
          id="<link>A batch with this reference</link> was sent before. Its orders that have a guide are not shipped again."
          components={{ link: <Link href={hrefOf(batchId)} /> }}
        />
      </p>
    )
  }
  return (
    <div className="refusal">
      <p role="status">
        {i18n.t(
          'Orders were sent under this reference before, but with other leading zeros. A second guide would be created for each. If a spreadsheet removed the zeros, format the column as text and enter them again.',
        )}
      </p>
      <ul>
        {doubts.map(({ line, order, sentAs, shipmentId }) => (
          <li key={line}>
            <Trans
              id="Line {line}: {order} was sent as {sentAs}, {shipment}"
              values={{
                line,
                order: <bdi>{order}</bdi>,
                sentAs: <bdi>{sentAs}</bdi>,
                shipment: <Link href={hrefOf(shipmentId)}>{shipmentId}</Link>,
              }}
            />
          </li>
        ))}
      </ul>
      <Checkbox
        label={i18n.t('These are other parcels. Create guides for them too.')}
        checked={isSure}
        onChange={(event) => onSure(event.currentTarget.checked)}
      />
    </div>
  )
}
