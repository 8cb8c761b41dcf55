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
import { deliveryColumns as of } from './delivery-columns.tsx'
import { EndpointActs } from './endpoint-acts.tsx'
import { Ended, FailingNotice, LastSuccess, Pending, RecentDeliveries } from './endpoint-health.tsx'
import { SignatureTester } from './signature-tester.tsx'
import { EndpointState } from './webhooks.tsx'

type Endpoint = Schemas['WebhookEndpoint']

/** It changes only when an operator changes it or it keeps failing. */
const everyMs = 6_000
const columns = [of.event, of.state, of.attempts, of.lastAnswer, of.shipment, of.created]

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
  if (endpoint.isPending) return <Loading what="the endpoint" />
  return <Failed error={endpoint.error} again={() => void endpoint.refetch()} />
}

function Shown({ endpoint }: { readonly endpoint: Answered<Endpoint> }) {
  const deliveries = useDeliveries({ endpoint_id: endpoint.id })
  return (
    <>
      <ScreenHead
        back={<ListLink to="/webhooks">Webhooks</ListLink>}
        title={endpoint.url}
        states={<EndpointState endpoint={endpoint} />}
      />
      <FailingNotice endpoint={endpoint} />
      <EndpointActs endpoint={endpoint} />
      <Panel title="Details" name="Facts">
        <Facts facts={factsOf(endpoint)} />
      </Panel>
      <Panel title="Deliveries" className="listed">
        <DeliveriesTable list={deliveries} columns={columns} />
      </Panel>
      <SignatureTester />
    </>
  )
}

function factsOf(endpoint: Endpoint): readonly Fact[] {
  return [
    ['Endpoint', <Copyable key="id" text={endpoint.id} />],
    ['Recently', <RecentDeliveries key="recently" endpointId={endpoint.id} />],
    ['Health', <Badge key="health" value={endpoint.health.state} />],
    ['Last success', <LastSuccess key="success" endpoint={endpoint} />],
    ['Pending', <Pending key="pending" endpointId={endpoint.id} />],
    ['Dead', <Ended key="dead" endpointId={endpoint.id} state="dead" />],
    ['Discarded', <Ended key="discarded" endpointId={endpoint.id} state="discarded" />],
    ['Subscribed to', endpoint.event_types.join(', ')],
    ['Description', endpoint.description],
    ['Workspace', <WorkspaceLink key="workspace" id={endpoint.workspace_id} />],
    ['Created', <Time key="created" at={endpoint.created_at} />],
    ['Changed', <Time key="changed" at={endpoint.updated_at} />],
    ['Version', endpoint.version],
  ]
}
