import { i18n } from '@lingui/core'
import type { Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import type { Column } from '../lists/table.tsx'
import { Badge } from '../parts/badge.tsx'
import { EndpointAddress } from '../parts/names.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { NextTry, Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

export type Delivery = Schemas['WebhookDelivery']

/** The columns of all lists of deliveries. Each list omits those that its rows have in common. */
export const deliveryColumns = () =>
  ({
    event: {
      name: i18n.t('Event'),
      width: 'minmax(12.5rem, 1.4fr)',
      cell: (row) => row.event_type,
    },
    state: {
      name: i18n.t('State'),
      width: 'minmax(16rem, 1fr)',
      isLong: true,
      cell: (row) => <DeliveryState delivery={row} />,
    },
    attempts: { name: i18n.t('Attempts'), width: '5rem', cell: (row) => row.attempts.length },
    lastAnswer: { name: i18n.t('Last answer'), width: '6.4rem', cell: (row) => lastAnswerOf(row) },
    endpoint: {
      name: i18n.t('Endpoint'),
      width: 'minmax(9.5rem, 1.5fr)',
      isLong: true,
      cell: (row) => <EndpointAddress id={row.endpoint_id} />,
    },
    shipment: {
      name: i18n.t('Shipment'),
      width: 'minmax(6.5rem, 1fr)',
      isLong: true,
      cell: (row) => row.shipment_id ?? '–',
    },
    created: {
      name: i18n.t('Created'),
      width: 'minmax(12rem, 0.8fr)',
      isLong: true,
      cell: (row) => <Time at={row.created_at} />,
    },
  }) satisfies Record<string, Column<Delivery>>

/** The state with the time of the next try, or with the reason why there is none. */
export function DeliveryState({ delivery }: { readonly delivery: Delivery }) {
  const { dead_reason: reason, workspace_id: workspaceId } = delivery
  const nextAt = useNextTry(delivery)
  const state = shownState(delivery)
  return (
    <>
      <Badge value={state} /> {nextAt !== null && <NextTry at={nextAt} workspaceId={workspaceId} />}
      {reason !== null && <DeadReason reason={reason} />}
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

function DeadReason({ reason }: { readonly reason: string }) {
  const texts: Readonly<Record<string, string>> = {
    attempts_exhausted: i18n.t('every attempt failed'),
    expired: i18n.t('the retries ended'),
    endpoint_gone: i18n.t('the endpoint answered 410'),
    unsendable: i18n.t('the request could not be sent'),
    endpoint_disabled: i18n.t('the endpoint was disabled'),
    endpoint_deleted: i18n.t('the endpoint was deleted'),
  }
  return texts[reason] ?? <ServiceText>{reason.replaceAll('_', ' ')}</ServiceText>
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
  return [...counts].map(([state, count]) => countOf(state, count)).join(', ')
}

function countOf(state: string, count: number): string {
  switch (state) {
    case 'pending':
      return i18n.t('{count, plural, one {# pending} other {# pending}}', { count })
    case 'failing':
      return i18n.t('{count, plural, one {# failing} other {# failing}}', { count })
    case 'delivered':
      return i18n.t('{count, plural, one {# delivered} other {# delivered}}', { count })
    case 'dead':
      return i18n.t('{count, plural, one {# dead} other {# dead}}', { count })
    case 'discarded':
      return i18n.t('{count, plural, one {# discarded} other {# discarded}}', { count })
    default:
      return `${formatNumber(count)} ${state}`
  }
}

function lastAnswerOf({ attempts }: Delivery) {
  const last = attempts.at(-1)
  return last === undefined ? '–' : answerOf(last)
}

/** The status of the receiver's answer, or why there was none. */
export function answerOf({ status_code: status, error }: Delivery['attempts'][number]) {
  if (status !== null || error === null) return status ?? '–'
  const words: Readonly<Record<string, string>> = {
    dns: i18n.t('dns'),
    blocked: i18n.t('blocked'),
    connect: i18n.t('connect'),
    tls: i18n.t('tls'),
    timeout: i18n.t('timeout'),
    reset: i18n.t('reset'),
    protocol: i18n.t('protocol'),
  }
  return words[error] ?? error
}
