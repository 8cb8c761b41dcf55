import { i18n } from '@lingui/core'
import type { Operation } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { FailureWords } from '../parts/failure-words.tsx'
import { Panel } from '../parts/panel.tsx'
import { Needs } from '../parts/scopes.tsx'
import { ServiceText } from '../parts/service-text.tsx'
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
    <Panel title={i18n.t('Requests to the courier')}>
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
  if (events.isPending) return <Loading />
  const exchanges = events.data.flatMap((event) => exchangesIn(event, id)).toReversed()
  if (exchanges.length === 0) {
    return (
      <Empty title={i18n.t('No recorded requests')}>
        {i18n.t('A request is recorded together with its result.')}
      </Empty>
    )
  }
  return (
    <WideTable
      name={i18n.t('Requests')}
      columns={[
        i18n.t('Started'),
        i18n.t('Call'),
        i18n.t('Sent'),
        i18n.t('Answer'),
        i18n.t('Took'),
        i18n.t('The courier’s id'),
      ]}
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
        {callText()[call] ?? <ServiceText>{call}</ServiceText>}{' '}
        {attempt > 1 && i18n.t('(retry {number})', { number: attempt - 1 })}
      </td>
      <td>{sentText()[sent] ?? <ServiceText>{sent}</ServiceText>}</td>
      <td className="steady">
        {status ?? ''} {failure === null ? <Badge value="ok" /> : <FailureWords reason={failure} />}
      </td>
      <td className="steady">{formatNumber(latency_ms)} ms</td>
      <td>
        {rest.courier_request_id === null ? '–' : <Copyable text={rest.courier_request_id} />}
      </td>
    </tr>
  )
}

const callText = (): Readonly<Record<string, string>> => ({
  create: i18n.t('Create'),
  cancel: i18n.t('Cancel the guide'),
  look: i18n.t('Ask'),
})

/** Whether a byte of the request was sent. */
const sentText = (): Readonly<Record<string, string>> => ({
  yes: i18n.t('yes'),
  no: i18n.t('no'),
  unknown: i18n.t('unknown'),
})

function exchangesIn({ data }: LedgerEvent, operationId: string): readonly Exchange[] {
  const { operation_id, exchanges = [] } = data as {
    readonly operation_id?: string
    readonly exchanges?: readonly Exchange[]
  }
  return operation_id === operationId ? exchanges : []
}
