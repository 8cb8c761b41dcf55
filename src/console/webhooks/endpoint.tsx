import { i18n } from '@lingui/core'
import type { Answered, Schemas } from '../../client/methods.ts'
import { ListLink } from '../lists/list-link.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { DeliveriesTable, useDeliveries } from './deliveries.tsx'
import { deliveryColumns } from './delivery-columns.tsx'
import { EndpointActs } from './endpoint-acts.tsx'
import { Ended, FailingNotice, LastSuccess, Pending, RecentDeliveries } from './endpoint-health.tsx'
import { SignatureTester } from './signature-tester.tsx'
import { EndpointState } from './webhooks.tsx'

type Endpoint = Schemas['WebhookEndpoint']

/** It changes only when an operator changes it or it keeps failing. */
const everyMs = 6_000

function columns() {
  const { event, state, attempts, lastAnswer, shipment, created } = deliveryColumns()
  return [event, state, attempts, lastAnswer, shipment, created]
}

/** One endpoint: its health, its deliveries, and the actions on it. */
export function EndpointScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const endpoint = usePolled(
    ['endpoint', id],
    client.webhookEndpoints.get,
    { id },
    {
      everyMs: () => everyMs,
    },
  )
  if (endpoint.data !== undefined) return <Shown endpoint={endpoint.data} />
  if (endpoint.isPending) return <Loading />
  return <Failed error={endpoint.error} again={() => void endpoint.refetch()} />
}

function Shown({ endpoint }: { readonly endpoint: Answered<Endpoint> }) {
  const deliveries = useDeliveries({ endpoint_id: endpoint.id })
  return (
    <>
      <ScreenHead
        back={<ListLink to="/webhooks">{i18n.t('Webhooks')}</ListLink>}
        title={endpoint.url}
        states={<EndpointState endpoint={endpoint} />}
      />
      <FailingNotice endpoint={endpoint} />
      <EndpointActs endpoint={endpoint} />
      <Panel title={i18n.t('Details')} name={i18n.t('Facts')}>
        <Facts facts={factsOf(endpoint)} />
      </Panel>
      <Panel title={i18n.t('Deliveries')} className="listed">
        <DeliveriesTable list={deliveries} columns={columns()} />
      </Panel>
      <SignatureTester />
    </>
  )
}

function factsOf(endpoint: Endpoint): readonly Fact[] {
  return [
    [i18n.t('Endpoint'), <Copyable key="id" text={endpoint.id} />],
    [i18n.t('Recently'), <RecentDeliveries key="recently" endpointId={endpoint.id} />],
    [i18n.t('Endpoint health'), <Badge key="health" value={endpoint.health.state} />],
    [i18n.t('Last success'), <LastSuccess key="success" endpoint={endpoint} />],
    [i18n.t('Pending'), <Pending key="pending" endpointId={endpoint.id} />],
    [i18n.t('Dead'), <Ended key="dead" endpointId={endpoint.id} state="dead" />],
    [i18n.t('Discarded'), <Ended key="discarded" endpointId={endpoint.id} state="discarded" />],
    [i18n.t('Subscribed to'), endpoint.event_types.join(', ')],
    [i18n.t('Description'), endpoint.description],
    [i18n.t('Workspace'), <WorkspaceLink key="workspace" id={endpoint.workspace_id} />],
    [i18n.t('Created'), <Time key="created" at={endpoint.created_at} />],
    [i18n.t('Changed'), <Time key="changed" at={endpoint.updated_at} />],
    [i18n.t('Version'), endpoint.version],
  ]
}
