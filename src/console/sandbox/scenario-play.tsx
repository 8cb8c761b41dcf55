import { i18n } from '@lingui/core'
import { Box } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Operation, Schemas, Shipment } from '../../client/methods.ts'
import { type Play, playCall } from '../../client/play-scenario.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { ActorName } from '../parts/names.tsx'
import { useMay } from '../parts/scopes.tsx'
import { ErrorSentence, Refused } from '../parts/states.tsx'
import { Moment, Time } from '../parts/times.tsx'
import { polledEvery, usePolled } from '../reading/polled.ts'
import { useDamageReason } from '../reading/use-health.ts'
import { useSession } from '../session.tsx'
import { ScenarioText } from './scenario-text.tsx'

/** The polling interval during a play. */
const watchEveryMs = 1_000
/** Lists lag by moments; a shipment not found after this many reads was never created. */
const searchesMax = 20
/** The API's largest page; the longest scenario has a third as many events. */
const eventsMax = 100

type PlayProps = {
  readonly play: Play
  readonly isPlaying: boolean
  readonly isBegunHere: boolean
  readonly onPlayed: (play: Play) => void
}

/** A scenario in progress: every response, and the state of the shipment and operation. */
export function ScenarioPlay({ play, isPlaying, isBegunHere, onPlayed }: PlayProps) {
  const { client, single } = useSession()
  const shipmentId = useShipmentOf(play)
  const shipment = usePolled(
    ['shipment', shipmentId],
    client.shipments.get,
    { id: shipmentId ?? '' },
    {
      everyMs: () => watchEveryMs,
      isEnabled: useMay('shipments:read') && shipmentId !== null,
    },
  )
  const operationId = play.operationId ?? shipment.data?.operation_id ?? null
  const operation = usePolled(
    ['operation', operationId],
    client.operations.get,
    { id: operationId ?? '' },
    {
      everyMs: () => watchEveryMs,
      isEnabled: useMay('operations:read') && operationId !== null,
    },
  )
  const last = play.scenario.calls.at(-1)
  const repeat = useMutation({
    mutationFn: async () => {
      if (last !== undefined) onPlayed(await playCall(single, play, last))
    },
  })
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isBegunHere) heading.current?.focus()
  }, [isBegunHere])
  return (
    <section className="panel" aria-label={i18n.t('Play')}>
      <h2 ref={heading} tabIndex={-1}>
        {play.scenario.number} · <ScenarioText scenario={play.scenario} part="title" />
      </h2>
      <Answers play={play} isPlaying={isPlaying} />
      <Facts facts={factsOf(play, shipment.data, operation.data)} />
      <div className="actions">
        <ActButton
          word={i18n.t('Repeat with the same key')}
          scope="shipments:write"
          isPending={repeat.isPending || isPlaying}
          refused={useDamageReason()}
          onAct={() => repeat.mutate()}
        />
      </div>
      <Refused error={repeat.error} />
      {shipment.data !== undefined && <Events shipment={shipment.data} />}
    </section>
  )
}

function Answers({ play, isPlaying }: Pick<PlayProps, 'play' | 'isPlaying'>) {
  const { answers, scenario } = play
  return (
    <Box component="ol" mt={0} mb="sm" pl="lg" aria-label={i18n.t('Answers')}>
      {answers.map(({ call, status, error }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: answers are only ever added at the end
        <li key={index}>
          <code>{call}</code>{' '}
          <strong>
            {status ?? i18n.t('no answer')}
            {error !== null && ` ${error.reason}`}
          </strong>{' '}
          {error !== null && <ErrorSentence error={error} />}
        </li>
      ))}
      {isPlaying && (
        <li>
          <span role="status">
            {i18n.t('Call {number} of {total}…', {
              number: answers.length + 1,
              total: scenario.calls.length,
            })}
          </span>
        </li>
      )}
    </Box>
  )
}

/** The shipment in the response, or else the one with the play's idempotency key. */
function useShipmentOf(play: Play): string | null {
  const { client } = useSession()
  const query = { workspace_id: play.workspaceId, idempotency_key: play.idempotencyKey, limit: 1 }
  const isEnabled = useMay('shipments:read') && play.shipmentId === null && play.answers.length > 0
  const found = useQuery({
    queryKey: ['shipments', 'of-play', play.idempotencyKey],
    queryFn: async ({ signal }) =>
      (await client.shipments.list(query, { signal })).data[0]?.id ?? null,
    enabled: isEnabled,
    refetchInterval: (query) => {
      const { data, dataUpdateCount } = query.state
      const isDone = (data ?? null) !== null || dataUpdateCount >= searchesMax
      return isDone ? false : polledEvery(watchEveryMs)(query)
    },
  })
  return play.shipmentId ?? found.data ?? null
}

function factsOf(
  play: Play,
  shipment: Shipment | undefined,
  operation: Operation | undefined,
): readonly Fact[] {
  const tracking = shipment?.tracking.status ?? null
  const nextLook = operation?.next_look_at ?? null
  return [
    [i18n.t('Idempotency key'), <Copyable key="key" text={play.idempotencyKey} />],
    [
      i18n.t('Shipment'),
      shipment && (
        <span key="shipment">
          <Badge value={shipment.status} />{' '}
          <Link href={`/shipments/${shipment.id}`}>{shipment.id}</Link>
        </span>
      ),
    ],
    [i18n.t('Tracking'), tracking === null ? null : <Badge key="tracking" value={tracking} />],
    [
      i18n.t('Operation'),
      operation && (
        <span key="operation">
          <Badge value={operation.result ?? operation.status} />{' '}
          <Link href={`/operations/${operation.id}`}>{operation.id}</Link>
        </span>
      ),
    ],
    [
      i18n.t('Asked next'),
      nextLook === null ? null : <Moment key="look" at={nextLook} workspaceId={play.workspaceId} />,
    ],
    [i18n.t('Expected end'), <ScenarioText key="end" scenario={play.scenario} part="ends" />],
    [i18n.t('On the invoice'), <ScenarioText key="bill" scenario={play.scenario} part="billing" />],
  ]
}

/** The events so far, read again for each new version of the shipment. */
function Events({ shipment }: { readonly shipment: Shipment }) {
  const { client } = useSession()
  const { id, version } = shipment
  const events = useQuery({
    queryKey: ['shipment', id, 'first-events', version],
    queryFn: ({ signal }) => client.ledger.listShipmentEvents({ id, limit: eventsMax }, { signal }),
    enabled: useMay('ledger:read'),
    placeholderData: keepPreviousData,
  })
  if (events.data === undefined) return null
  const rows: readonly Schemas['LedgerEvent'][] = events.data.data
  return (
    <ol className="timeline" aria-label={i18n.t('Events')}>
      {rows.map((event) => (
        <li key={event.id}>
          <strong>{event.type}</strong> <Time at={event.recorded_at} />{' '}
          <span className="reason">
            <ActorName actor={event.actor} />
          </span>
        </li>
      ))}
    </ol>
  )
}
