import type { Operation } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Panel } from '../parts/panel.tsx'
import { Needs } from '../parts/scopes.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { type LedgerEvent, useShipmentEvents } from '../reading/use-shipment-events.ts'

/** A request to the courier as recorded in the ledger. */
type Exchange = {
  readonly at: string
  readonly call: string
  readonly attempt: number
  readonly sent: string
  readonly status_code: number | null
  readonly failure: string | null
  readonly latency_ms: number
  readonly courier_request_id: string | null
}

/** Every request to the courier for the operation, newest first. */
export function Exchanges({ operation }: { readonly operation: Operation }) {
  return (
    <Panel title="Requests to the courier">
      <Needs scope="ledger:read">
        <ReadExchanges operation={operation} />
      </Needs>
    </Panel>
  )
}

function ReadExchanges({ operation }: { readonly operation: Operation }) {
  const { id, shipment_id: shipmentId } = operation
  const events = useShipmentEvents(shipmentId, operation)
  if (events.isError) return <Failed error={events.error} again={() => void events.refetch()} />
  if (events.isPending) return <Loading what="the requests" />
  const exchanges = events.data.flatMap((event) => exchangesIn(event, id)).toReversed()
  if (exchanges.length === 0) {
    return (
      <Empty title="No recorded requests">A request is recorded together with its result.</Empty>
    )
  }
  return (
    <WideTable
      name="Requests"
      columns={['Started', 'Call', 'Sent', 'Answer', 'Took', 'The courier’s id']}
    >
      {exchanges.map((exchange) => (
        <ExchangeRow key={`${exchange.at} ${exchange.attempt}`} exchange={exchange} />
      ))}
    </WideTable>
  )
}

function ExchangeRow({ exchange }: { readonly exchange: Exchange }) {
  const { at, call, attempt, sent, status_code: status, failure, latency_ms, ...rest } = exchange
  return (
    <tr>
      <td className="steady">
        <Time at={at} />
      </td>
      <td>
        {callText[call] ?? call} {attempt > 1 && `(retry ${attempt - 1})`}
      </td>
      <td>{sent}</td>
      <td className="steady">
        {status ?? ''} {failure === null ? <Badge value="ok" /> : failure.replaceAll('_', ' ')}
      </td>
      <td className="steady">{latency_ms} ms</td>
      <td>
        {rest.courier_request_id === null ? '–' : <Copyable text={rest.courier_request_id} />}
      </td>
    </tr>
  )
}

const callText: Readonly<Record<string, string>> = {
  create: 'Create',
  cancel: 'Cancel',
  look: 'Ask',
}

function exchangesIn({ data }: LedgerEvent, operationId: string): readonly Exchange[] {
  const { operation_id, exchanges = [] } = data as {
    readonly operation_id?: string
    readonly exchanges?: readonly Exchange[]
  }
  return operation_id === operationId ? exchanges : []
}
