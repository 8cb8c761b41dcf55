import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { ListLink } from '../lists/list-link.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { Masked, MaskedUntilRevealed, RevealButton } from '../parts/masked.tsx'
import { EndpointLink, WorkspaceLink } from '../parts/names.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Moment, Time } from '../parts/times.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { usePolled } from '../reading/polled.ts'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { answerOf, type Delivery, DeliveryState, useNextTry } from './delivery-columns.tsx'
import { RedeliverDialog } from './redeliver-dialog.tsx'

/** A finished delivery changes only when an operator redelivers it. */
const pendingEveryMs = 2_000
const endedEveryMs = 10_000

/** One delivery with every attempt and the receiver's response. */
export function DeliveryScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const delivery = usePolled(
    ['delivery', id],
    client.webhookDeliveries.get,
    { id },
    { everyMs: (last) => (last?.state === 'pending' ? pendingEveryMs : endedEveryMs) },
  )
  if (delivery.data !== undefined) return <Shown delivery={delivery.data} />
  if (delivery.isPending) return <Loading />
  return <Failed error={delivery.error} again={() => void delivery.refetch()} />
}

function Shown({ delivery }: { readonly delivery: Answered<Delivery> }) {
  const [isAsked, setAsked] = useState(false)
  const nextAt = useNextTry(delivery)
  return (
    <>
      <ScreenHead
        back={<ListLink to="/deliveries">{i18n.t('Deliveries')}</ListLink>}
        title={delivery.event_type}
        states={<DeliveryState delivery={delivery} />}
        acts={
          <ActButton
            word={i18n.t('Redeliver…')}
            scope="webhooks:write"
            onAct={() => setAsked(true)}
          />
        }
      />
      <div className="split">
        <Stack gap="sm">
          <Attempts delivery={delivery} />
          <Payload eventId={delivery.event_id} />
        </Stack>
        <Panel title={i18n.t('Details')} name={i18n.t('Facts')}>
          <Facts facts={factsOf(delivery, nextAt)} />
        </Panel>
      </div>
      {isAsked && <RedeliverDialog deliveries={[delivery]} onClose={() => setAsked(false)} />}
    </>
  )
}

function factsOf(delivery: Delivery, nextAt: string | null): readonly Fact[] {
  const { workspace_id: workspaceId } = delivery
  const link = (id: string) => (
    <Link key={id} href={hrefOf(id)}>
      {id}
    </Link>
  )
  const moment = (at: string | null) =>
    at === null ? null : <Moment at={at} workspaceId={workspaceId} />
  return [
    [i18n.t('Delivery'), <Copyable key="id" text={delivery.id} />],
    [i18n.t('Event'), link(delivery.event_id)],
    [i18n.t('Endpoint'), <EndpointLink key="endpoint" id={delivery.endpoint_id} />],
    [i18n.t('Shipment'), delivery.shipment_id === null ? null : link(delivery.shipment_id)],
    [i18n.t('Workspace'), <WorkspaceLink key="workspace" id={workspaceId} />],
    [i18n.t('Next try'), moment(nextAt)],
    [i18n.t('Created'), moment(delivery.created_at)],
    [i18n.t('Changed'), moment(delivery.updated_at)],
  ]
}

/** A response may contain anything, including personal data, so it is masked at first. */
function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const { attempts } = delivery
  return (
    <Panel title={i18n.t('Attempts')}>
      {attempts.length === 0 ? (
        <Empty title={i18n.t('Nothing was sent yet')}>
          {i18n.t('The first attempt starts automatically.')}
        </Empty>
      ) : (
        <MaskedUntilRevealed>
          <RevealButton word={i18n.t('Show the responses')} />
          <WideTable
            name={i18n.t('Every attempt')}
            columns={[
              i18n.t('Attempt'),
              i18n.t('Sent'),
              i18n.t('Answer'),
              i18n.t('Took'),
              i18n.t('Response body'),
            ]}
          >
            {attempts.map((attempt, index) => (
              <tr key={attempt.at}>
                <td>{index + 1}</td>
                <td className="steady">
                  <Time at={attempt.at} />
                </td>
                <td>
                  <Outcome attempt={attempt} />
                </td>
                <td className="steady">{formatNumber(attempt.latency_ms)} ms</td>
                <td className="words">
                  <Masked value={attempt.response_excerpt || null} />
                </td>
              </tr>
            ))}
          </WideTable>
        </MaskedUntilRevealed>
      )}
    </Panel>
  )
}

function Outcome({ attempt }: { readonly attempt: Delivery['attempts'][number] }) {
  const { status_code: status } = attempt
  const isGood = status !== null && status >= 200 && status < 300
  return (
    <span className="badge" data-tone={isGood ? 'good' : 'bad'}>
      {answerOf(attempt)}
    </span>
  )
}

/** The body, which is the same at every attempt. */
function Payload({ eventId }: { readonly eventId: string }) {
  const { client } = useSession()
  const event = useShown(
    useQuery({
      queryKey: ['event', eventId],
      queryFn: ({ signal }) => client.webhookEvents.get({ id: eventId }, { signal }),
      gcTime: 0,
    }),
  )
  return (
    <Panel title={i18n.t('Payload')}>
      {event.data !== undefined ? (
        <JsonView value={event.data} name={i18n.t('the payload')} />
      ) : event.isPending ? (
        <Loading />
      ) : (
        <Failed error={event.error} />
      )}
      <p className="reason">
        <Trans
          id="Sent with the headers {headers} and {last}. Each attempt has its own signature."
          values={{
            headers: (
              <>
                <code>webhook-id</code>, <code>webhook-timestamp</code>,{' '}
                <code>webhook-signature</code>
              </>
            ),
            last: <code>webhook-body-signature</code>,
          }}
        />
      </p>
    </Panel>
  )
}
