import { i18n } from '@lingui/core'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'
import { type ImportDraft, isMonth, useImported } from './import-draft.ts'
import { monthName } from './invoice-findings.ts'

const freshMs = 60_000

/** Asks the courier for its invoice of the month, if the courier supports that. */
export function FetchInvoice({ of }: { readonly of: ImportDraft }) {
  const { client } = useSession()
  const imported = useImported()
  const { connectionId, draft, forget } = of
  const canBeAsked = useCanBeAsked(of.courier)
  const { kind, month } = draft.period
  const isReady = kind === 'month' && isMonth(month)
  const sending = useSendOnce({
    send: () => {
      // A new key each time: an incomplete month may have more lines the next time.
      const idempotencyKey = `console-${crypto.randomUUID()}`
      const asked = { courier_connection_id: connectionId, month }
      return client.courierInvoices.fetch(asked, { idempotencyKey })
    },
    onSent: async (invoice) => {
      forget()
      await imported(invoice)
    },
  })
  if (!canBeAsked) return null
  return (
    <Stack gap="xs">
      <div className="actions">
        <SteadyButton
          isPrimary
          isOff={sending.isPending || !isReady}
          aria-describedby="why-not-fetched"
          onPress={sending.submit}
        >
          {sending.isPending ? i18n.t('Asking the courier…') : i18n.t('Fetch from the courier')}
        </SteadyButton>
        <span className="reason" id="why-not-fetched">
          {isReady
            ? i18n.t('This courier provides its {month} invoice itself, with its own reference.', {
                month: monthName(month),
              })
            : i18n.t(
                'This courier provides its invoices itself. Choose a month above; no reference or file is needed.',
              )}
        </span>
      </div>
      <NotFetched error={sending.error} />
    </Stack>
  )
}

function NotFetched({ error }: { readonly error: unknown }) {
  if (!(error instanceof ShippingLedgerError) || error.reason !== 'invoice_not_ready') {
    return <Refused error={error} />
  }
  return (
    <div className="refusal" role="alert">
      <p>
        {i18n.t(
          'The courier has no invoice for this month yet. Try again later, or import the file when you get it.',
        )}
      </p>
    </div>
  )
}

function useCanBeAsked(courier: string | null): boolean {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['couriers', 'that bill'],
    queryFn: async ({ signal }) => {
      const codes: string[] = []
      for await (const one of client.couriers.list({ limit: 100 }, { signal })) {
        if (one.capabilities?.invoices === true) codes.push(one.provider_code)
      }
      return codes
    },
    staleTime: freshMs,
  })
  return courier !== null && data?.includes(courier) === true
}
