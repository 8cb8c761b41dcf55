import { Link } from 'wouter'
import type { Answered, Schemas } from '../../client/methods.ts'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { usePolled } from '../parts/polled.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { DeliveriesTable, useDeliveries } from './deliveries.tsx'
import { deliveryColumns as of } from './delivery-columns.tsx'
import { EndpointActs } from './endpoint-acts.tsx'
import { Ended, Health, LastSuccess, Pending, RecentDeliveries } from './endpoint-health.tsx'
import { EndpointState } from './webhooks.tsx'

type Endpoint = Schemas['WebhookEndpoint']

/** It changes when an operator changes it, or when it fails for long. */
const everyMs = 6_000
const columns = [of.event, of.state, of.attempts, of.lastAnswer, of.shipment, of.created]

/** One endpoint: its health, its deliveries, and the acts on it. */
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
      <header className="screen-head">
        <p>
          <Link href="/webhooks">Webhooks</Link>
        </p>
        <h1 className="address">{endpoint.url}</h1>
        <p>
          <EndpointState endpoint={endpoint} />
        </p>
      </header>
      <EndpointActs endpoint={endpoint} />
      <section className="panel" aria-label="Facts">
        <Facts facts={factsOf(endpoint)} />
      </section>
      <section className="panel listed" aria-label="Deliveries">
        <h2>Deliveries</h2>
        <DeliveriesTable list={deliveries} columns={columns} />
      </section>
    </>
  )
}

function factsOf(endpoint: Endpoint): readonly Fact[] {
  return [
    ['Endpoint', <Copyable key="id" text={endpoint.id} />],
    ['Recently', <RecentDeliveries key="recently" endpointId={endpoint.id} />],
    ['Health', <Health key="health" endpoint={endpoint} />],
    ['Last success', <LastSuccess key="success" endpoint={endpoint} />],
    ['Pending', <Pending key="pending" endpointId={endpoint.id} />],
    ['Dead', <Ended key="dead" endpointId={endpoint.id} state="dead" />],
    ['Discarded', <Ended key="discarded" endpointId={endpoint.id} state="discarded" />],
    ['Subscribed to', endpoint.event_types.join(', ')],
    ['Description', endpoint.description],
    [
      'Workspace',
      <Link key="workspace" href={hrefOf(endpoint.workspace_id)}>
        {endpoint.workspace_id}
      </Link>,
    ],
    ['Created', <Time key="created" at={endpoint.created_at} />],
    ['Changed', <Time key="changed" at={endpoint.updated_at} />],
    ['Version', endpoint.version],
  ]
}
