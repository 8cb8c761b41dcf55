import type { Schemas } from '../../client/methods.ts'
import type { Column } from '../lists/table.tsx'
import { Badge } from '../parts/badge.tsx'
import { EndpointAddress } from '../parts/names.tsx'
import { NextTry, Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

export type Delivery = Schemas['WebhookDelivery']

/** The columns of all lists of deliveries. Each list omits those that its rows have in common. */
export const deliveryColumns = {
  event: { name: 'Event', width: 'minmax(12.5rem, 1.4fr)', cell: (row) => row.event_type },
  state: {
    name: 'State',
    width: 'minmax(16rem, 1fr)',
    isLong: true,
    cell: (row) => <DeliveryState delivery={row} />,
  },
  attempts: { name: 'Attempts', width: '5rem', cell: (row) => row.attempts.length },
  lastAnswer: { name: 'Last answer', width: '6rem', cell: (row) => lastAnswerOf(row) },
  endpoint: {
    name: 'Endpoint',
    width: 'minmax(9.5rem, 1.5fr)',
    isLong: true,
    cell: (row) => <EndpointAddress id={row.endpoint_id} />,
  },
  shipment: {
    name: 'Shipment',
    width: 'minmax(6.5rem, 1fr)',
    isLong: true,
    cell: (row) => row.shipment_id ?? '–',
  },
  created: {
    name: 'Created',
    width: 'minmax(12rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
} satisfies Record<string, Column<Delivery>>

/** The state with the time of the next try, or with the reason why there is none. */
export function DeliveryState({ delivery }: { readonly delivery: Delivery }) {
  const { dead_reason: reason, workspace_id: workspaceId } = delivery
  const nextAt = useNextTry(delivery)
  const state = shownState(delivery)
  return (
    <>
      <Badge value={state} /> {nextAt !== null && <NextTry at={nextAt} workspaceId={workspaceId} />}
      {reason !== null && (deadReasonText[reason] ?? reason.replaceAll('_', ' '))}
    </>
  )
}

/** The endpoint of every delivery that failed is read once, however many deliveries are shown. */
const endpointEveryMs = 15_000

/** When a pending delivery is tried: its own time, or later if its endpoint is paused. */
export function useNextTry({
  state,
  endpoint_id: id,
  next_attempt_at: at,
}: Delivery): string | null {
  const { client } = useSession()
  const endpoint = usePolled(
    ['endpoint', id],
    client.webhookEndpoints.get,
    { id },
    { everyMs: () => endpointEveryMs, isEnabled: state === 'pending' },
  )
  if (state !== 'pending' || at === null) return null
  const probeAt = endpoint.data?.health.next_probe_at ?? at
  return probeAt > at ? probeAt : at
}

const deadReasonText: Readonly<Record<string, string>> = {
  attempts_exhausted: 'every attempt failed',
  expired: 'the retries ended',
  endpoint_gone: 'the endpoint answered 410',
  unsendable: 'the request could not be sent',
  endpoint_disabled: 'the endpoint was disabled',
  endpoint_deleted: 'the endpoint was deleted',
}

/** A pending delivery that was already attempted is failing. */
export function shownState({ state, attempts }: Delivery): string {
  return state === 'pending' && attempts.length > 0 ? 'failing' : state
}

/** The number of deliveries per state: `17 delivered, 2 pending, 1 dead`. */
export function countedByState(deliveries: readonly Delivery[]): string {
  const counts = new Map<string, number>()
  for (const delivery of deliveries) {
    const state = shownState(delivery)
    counts.set(state, (counts.get(state) ?? 0) + 1)
  }
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ')
}

function lastAnswerOf({ attempts }: Delivery) {
  const last = attempts.at(-1)
  return last?.status_code ?? last?.error ?? '–'
}
