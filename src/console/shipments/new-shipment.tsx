import { i18n } from '@lingui/core'
import { Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { ListLink } from '../lists/list-link.tsx'
import { notify } from '../parts/notify.ts'
import { Panel } from '../parts/panel.tsx'
import { useMay } from '../parts/scopes.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { useSession } from '../session.tsx'
import { ComparedRates } from './compared-rates.tsx'
import { OrderForm } from './order-form.tsx'
import { ParcelForm } from './parcel-form.tsx'
import { useShipmentDraft } from './shipment-draft.ts'
import { UnansweredOrders } from './unanswered-list.tsx'
import type { UnansweredOrder } from './unanswered-orders.ts'
import { useCreation } from './use-creation.ts'

/** Compares what several connections ask for a parcel, and ships it at the chosen rate. */
export function NewShipment() {
  const { client } = useSession()
  const [, goTo] = useLocation()
  const mayFollow = useMay('operations:read')
  const of = useShipmentDraft()
  const forms = useRef<HTMLDivElement>(null)
  const creation = useCreation({
    onEnd: of.forget,
    onCreated: (id) => goTo(`/shipments/${id}`),
    onUnknown: (operationId, shipmentId) =>
      goTo(mayFollow ? `/operations/${operationId}` : `/shipments/${shipmentId}`),
    onEarlier: (id) => {
      notify(
        i18n.t('Nothing was sent twice'),
        i18n.t('The order had arrived before. This is its shipment, as it was sent then.'),
      )
      goTo(`/shipments/${id}`)
    },
  })
  const comparing = useMutation({
    mutationFn: async (request: typeof of.request) => {
      const idempotencyKey = `console-${crypto.randomUUID()}`
      return await client.quotes.create(request, { idempotencyKey })
    },
    onSuccess: (quote, request) => {
      creation.forgetRefusal()
      of.change({ quoted: { quote, asked: JSON.stringify(request) } })
    },
    gcTime: 0,
  })
  const compare = () => {
    if (comparing.isPending || creation.isOpen) return
    of.change({ connectionIds: of.chosen.map(({ id }) => id), quoted: null, rate: null })
    comparing.mutate(of.request)
  }
  const enterAgain = ({ workspaceId, reference }: UnansweredOrder) => {
    const order = { ...of.draft.order, '/external_reference': reference } as const
    const connectionIds = workspaceId === of.workspaceId ? of.draft.connectionIds : null
    of.change({ workspaceId, connectionIds, order })
    forms.current?.querySelector<HTMLElement>('form :is(input, select)')?.focus()
  }
  return (
    <>
      <ScreenHead
        back={<ListLink to="/shipments">{i18n.t('Shipments')}</ListLink>}
        title={i18n.t('New shipment')}
      />
      <Stack gap="sm" ref={forms}>
        <UnansweredOrders
          orders={creation.unanswered}
          isOff={comparing.isPending || creation.isOpen}
          onEnterAgain={enterAgain}
        />
        <Panel title={i18n.t('1. The parcel')}>
          <ParcelForm
            of={of}
            isOff={comparing.isPending || creation.isOpen}
            isComparing={comparing.isPending}
            error={comparing.error}
            onCompare={compare}
          />
        </Panel>
        {of.quote !== null && (
          <Panel title={i18n.t('2. The rate')}>
            <ComparedRates
              key={of.quote.id}
              quote={of.quote}
              chosen={of.draft.rate}
              isNew={comparing.isSuccess}
              isOff={creation.isOpen}
              onChoose={(rate) => {
                creation.forgetRefusal()
                of.change({ rate })
              }}
            />
          </Panel>
        )}
        {(of.rate !== null || creation.isOpen) && (
          <Panel title={i18n.t('3. The order')}>
            <OrderForm
              of={of}
              creation={creation}
              isComparing={comparing.isPending}
              onCompare={compare}
            />
          </Panel>
        )}
      </Stack>
    </>
  )
}
