import { Link } from 'wouter'
import type { Answered, Schemas } from '../../client/methods.ts'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { usePolled } from '../parts/polled.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { DeliveriesTable, type Delivery, useDeliveries } from './deliveries.tsx'
import { EndpointActs } from './endpoint-acts.tsx'
import { EndpointState } from './webhooks.tsx'

type Endpoint = Schemas['WebhookEndpoint']

/** It changes when somebody changes it, or when it fails for long. */
const everyMs = 6_000
/** So many of its deliveries tell how it is now. */
const recentMax = 100

/** One endpoint: how it is, what was sent to it, and what can be done about it. */
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
        <Facts facts={factsOf(endpoint, deliveries.rows)} />
      </section>
      <section className="panel listed" aria-label="Deliveries">
        <h2>Deliveries</h2>
        <DeliveriesTable list={deliveries} />
      </section>
    </>
  )
}

function factsOf(endpoint: Endpoint, deliveries: readonly Delivery[]): readonly Fact[] {
  return [
    ['Endpoint', <Copyable key="id" text={endpoint.id} />],
    ['Recently', recently(deliveries)],
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

/** How its last deliveries stand, counted: `97 delivered, 2 pending, 1 dead`. */
function recently(deliveries: readonly Delivery[]): string | null {
  const counts = new Map<string, number>()
  for (const { state } of deliveries.slice(0, recentMax)) {
    counts.set(state, (counts.get(state) ?? 0) + 1)
  }
  const words = [...counts].map(([state, count]) => `${count} ${state}`)
  return words.length === 0 ? null : words.join(', ')
}
