import type { Schemas } from '../../client/methods.ts'
import type { Column } from '../lists/table.tsx'
import { Badge } from '../parts/badge.tsx'
import { EndpointAddress } from '../parts/names.tsx'
import { Time } from '../parts/times.tsx'

export type Delivery = Schemas['WebhookDelivery']

/** The columns of all lists of deliveries. Each list omits those that its rows have in common. */
export const deliveryColumns = {
  event: { name: 'Event', width: 'minmax(12.5rem, 1.4fr)', cell: (row) => row.event_type },
  state: {
    name: 'State',
    width: 'minmax(12.5rem, 1fr)',
    isLong: true,
    cell: ({ state, dead_reason: reason }) => (
      <>
        <Badge value={state} /> {reason?.replaceAll('_', ' ')}
      </>
    ),
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

/** The number of deliveries per state: `17 delivered, 2 pending, 1 dead`. */
export function countedByState(deliveries: readonly Delivery[]): string {
  const counts = new Map<string, number>()
  for (const { state } of deliveries) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ')
}

function lastAnswerOf({ attempts }: Delivery) {
  const last = attempts.at(-1)
  return last?.status_code ?? last?.error ?? '–'
}
