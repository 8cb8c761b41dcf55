import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered } from '../../client/methods.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Masked, MaskedUntilAsked, RevealButton } from '../parts/masked.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { usePolled } from '../parts/polled.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Moment, Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import type { Delivery } from './delivery-columns.tsx'
import { RedeliverDialog } from './redeliver-dialog.tsx'

/** A pending delivery is polled. A finished one changes only when an operator resends it. */
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
  if (delivery.isPending) return <Loading what="the delivery" />
  return <Failed error={delivery.error} again={() => void delivery.refetch()} />
}

function Shown({ delivery }: { readonly delivery: Answered<Delivery> }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <header className="screen-head">
        <p>
          <Link href="/deliveries">Deliveries</Link>
        </p>
        <h1>{delivery.event_type}</h1>
        <p>
          <Badge value={delivery.state} />{' '}
          {delivery.dead_reason !== null && <Badge value={delivery.dead_reason} />}
        </p>
      </header>
      <div className="actions">
        <ActButton word="Redeliver…" scope="webhooks:write" onAct={() => setAsked(true)} />
      </div>
      <section className="panel" aria-label="Facts">
        <Facts facts={factsOf(delivery)} />
      </section>
      <Attempts delivery={delivery} />
      {isAsked && <RedeliverDialog deliveries={[delivery]} onClose={() => setAsked(false)} />}
    </>
  )
}

function factsOf(delivery: Delivery): readonly Fact[] {
  const { workspace_id: workspaceId } = delivery
  const link = (id: string) => (
    <Link key={id} href={hrefOf(id)}>
      {id}
    </Link>
  )
  const moment = (at: string | null) =>
    at === null ? null : <Moment at={at} workspaceId={workspaceId} />
  return [
    ['Delivery', <Copyable key="id" text={delivery.id} />],
    ['Event', link(delivery.event_id)],
    ['Endpoint', link(delivery.endpoint_id)],
    ['Shipment', delivery.shipment_id === null ? null : link(delivery.shipment_id)],
    ['Workspace', link(workspaceId)],
    ['Next attempt', moment(delivery.next_attempt_at)],
    ['Created', moment(delivery.created_at)],
    ['Changed', moment(delivery.updated_at)],
  ]
}

/**
 * A receiver may answer with anything, including personal data, so its words are masked at first.
 */
function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const { attempts } = delivery
  return (
    <section className="panel" aria-label="Attempts">
      <h2>Attempts</h2>
      {attempts.length === 0 ? (
        <Empty title="Nothing was sent yet">The first attempt starts automatically.</Empty>
      ) : (
        <MaskedUntilAsked>
          <RevealButton word="Show the receiver’s words" />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
          <section className="wide" tabIndex={0} aria-label="Every attempt">
            <table className="evidence">
              <thead>
                <tr>
                  <th scope="col">Attempt</th>
                  <th scope="col">Sent</th>
                  <th scope="col">Answer</th>
                  <th scope="col">Took</th>
                  <th scope="col">The receiver’s words</th>
                </tr>
              </thead>
              <tbody>
                {attempts.map((attempt, index) => (
                  <tr key={attempt.at}>
                    <td>{index + 1}</td>
                    <td>
                      <Time at={attempt.at} />
                    </td>
                    <td>{attempt.status_code ?? attempt.error ?? '–'}</td>
                    <td>{attempt.latency_ms} ms</td>
                    <td className="words">
                      <Masked value={attempt.response_excerpt || null} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </MaskedUntilAsked>
      )}
    </section>
  )
}
