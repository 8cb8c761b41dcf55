import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Shipment } from '../../client/methods.ts'
import { WorkspaceName } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { missing, useMay } from '../parts/scopes.tsx'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { Time } from '../parts/times.tsx'
import { polledEvery } from '../reading/polled.ts'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { whereIs } from './parcel-words.ts'
import {
  ageMs,
  forgetOrder,
  type UnansweredOrder,
  type useUnansweredOrders,
} from './unanswered-orders.ts'

type ListProps = {
  readonly orders: ReturnType<typeof useUnansweredOrders>
  readonly isOff: boolean
  readonly onEnterAgain: (order: UnansweredOrder) => void
}

/** The orders whose answer did not arrive, with what the service says about each now. */
export function UnansweredOrders({ orders, isOff, onEnterAgain }: ListProps) {
  /** They need not be remembered any more, and stay on this screen until it is left. */
  const [settled, setSettled] = useState<readonly string[]>([])
  const settle = useCallback((key: string) => {
    setSettled((before) => [...before, key])
    forgetOrder(key)
  }, [])
  const listed = new Set([...orders.listed.map(({ key }) => key), ...settled])
  const shown = orders.seen.filter(({ key }) => listed.has(key))
  if (shown.length === 0) return null
  return (
    <Panel title={i18n.t('Orders without an answer')}>
      <p className="reason">
        {i18n.t(
          'These were sent from this browser, and the answer did not arrive. Look here before you ship them again.',
        )}
      </p>
      <Stack component="ul" gap="sm" m={0} p={0} mt="xs" style={{ listStyle: 'none' }}>
        {shown.map((order) => (
          <Unanswered
            key={order.key}
            order={order}
            isOff={isOff}
            onEnterAgain={onEnterAgain}
            onSettled={settle}
            onForget={orders.drop}
          />
        ))}
      </Stack>
    </Panel>
  )
}

type RowProps = Pick<ListProps, 'isOff' | 'onEnterAgain'> & {
  readonly order: UnansweredOrder
  readonly onSettled: (key: string) => void
  readonly onForget: (key: string) => void
}

function Unanswered({ order, isOff, onEnterAgain, onSettled, onForget }: RowProps) {
  const { key } = useSession()
  const mayRead = useMay('shipments:read')
  const { found, isSettled, error, lookAgain, isLooking } = useLookUp(order, mayRead)
  useEffect(() => {
    if (isSettled) onSettled(order.key)
  }, [isSettled, order.key, onSettled])
  return (
    <Stack component="li" gap="3xs" aria-label={order.reference}>
      <Group gap="3xs" style={{ columnGap: '1rem', overflowWrap: 'anywhere' }}>
        <strong>{order.reference}</strong>
        <span className="reason">
          <Trans
            id="sent {time}"
            values={{ time: <Time at={new Date(order.at).toISOString()} /> }}
          />
        </span>
        {key.workspace_id === null && <WorkspaceName id={order.workspaceId} />}
      </Group>
      <Refused error={error} />
      {error === null && (
        <p role="status">{mayRead ? <Outcome found={found} /> : missing('shipments:read')}</p>
      )}
      {!isSettled && (
        <Group gap="xs">
          {mayRead && (
            <SteadyButton isOff={isLooking} onPress={lookAgain}>
              {i18n.t('Look again')}
            </SteadyButton>
          )}
          {found === null && (
            <SteadyButton isOff={isOff} onPress={() => onEnterAgain(order)}>
              {i18n.t('Enter it again')}
            </SteadyButton>
          )}
          {(found === null || error !== null || !mayRead) && (
            <SteadyButton isOff={isOff} onPress={() => onForget(order.key)}>
              {i18n.t('Forget it')}
            </SteadyButton>
          )}
        </Group>
      )}
    </Stack>
  )
}

/** What a look found: null if there is no shipment, undefined before the first answer. */
type Found = (Pick<Shipment, 'id' | 'status'> & { readonly hasGuide: boolean }) | null

/** An answer may still be on its way this long, so that it is looked for by itself. */
const recentMs = 2 * 60_000
const everyMs = 5_000

/** Finds the shipment by its key, in the workspace, where the answer does not lag. */
function useLookUp(order: UnansweredOrder, isEnabled: boolean) {
  const { key, workspaceId } = order
  const { client } = useSession()
  const query = useQuery({
    queryKey: ['shipments', 'of key', key],
    queryFn: async ({ signal }): Promise<Found> => {
      const { data } = await client.shipments.list(
        { workspace_id: workspaceId, idempotency_key: key },
        { signal },
      )
      const [first] = data
      if (first === undefined) return null
      return { id: first.id, status: first.status, hasGuide: first.guide_number !== null }
    },
    enabled: isEnabled,
    gcTime: 0,
    refetchInterval: (of) =>
      hasEnded(of.state.data) || ageMs(order) > recentMs ? false : polledEvery(everyMs)(of),
  })
  const { data, error, refetch } = useShown(query, key)
  return {
    found: data,
    isSettled: hasEnded(data),
    error,
    isLooking: query.isFetching,
    lookAgain: () => void refetch(),
  }
}

function hasEnded(found: Found | undefined): boolean {
  return (found ?? null) !== null && found?.status !== 'creating'
}

function Outcome({ found }: { readonly found: Found | undefined }): ReactNode {
  if (found === undefined) return i18n.t('Loading…')
  if (found === null) {
    return i18n.t(
      'The service has no shipment under its key. Enter it again with the same reference: it gets the same key, so that there is never a second guide, even if the first order still arrives.',
    )
  }
  const { id, status, hasGuide } = found
  return (
    <>
      {hasGuide
        ? i18n.t('It was created. Do not ship it again.')
        : whereIs({ status, tracking: { status: null } })}{' '}
      <Link href={`/shipments/${id}`}>{i18n.t('Show the shipment')}</Link>
    </>
  )
}
