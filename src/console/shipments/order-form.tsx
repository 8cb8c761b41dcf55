import { i18n } from '@lingui/core'
import { Box, Stack } from '@mantine/core'
import type { FormEvent } from 'react'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { isShownAt } from '../forms/field-errors.ts'
import { useCheckedForm } from '../forms/use-checked-form.ts'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { formatMoney } from './money.ts'
import { metadataOf, orderOf, useCapabilities } from './order.ts'
import { MoreFields, RequiredFields, shownPointers } from './order-fields.tsx'
import type { OrderField, ShipmentDraft } from './shipment-draft.ts'
import type { useCreation } from './use-creation.ts'

type OrderProps = {
  readonly of: ShipmentDraft
  readonly creation: ReturnType<typeof useCreation>
  readonly isComparing: boolean
  readonly onCompare: () => void
}

/** What is sent and to whom, and the button that creates the shipment at the chosen rate. */
export function OrderForm({ of, creation, isComparing, onCompare }: OrderProps) {
  const { error, isPending, isOpen } = creation
  const { quote, rate, draft } = of
  const { form, isStopped, press, goOn } = useCheckedForm(error)
  const capabilities = useCapabilities(of)
  const metadata = metadataOf(draft.order)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    press(!isOpen && typeof metadata === 'string', () =>
      creation.submit(quote === null || rate === null ? null : orderOf(of, quote, rate)),
    )
  }
  const change = (field: OrderField, value: string) => {
    creation.forgetRefusal()
    goOn()
    of.change({ order: { ...draft.order, [field]: value } })
  }
  const isAgain = creation.earlier(of.workspaceId, draft.order['/external_reference']) !== null
  const isOutdated = asksForNewQuote(error)
  return (
    <form ref={form} onSubmit={submit} autoComplete="off">
      <Stack gap="sm">
        <Box component="fieldset" bd={0} p={0} m={0} disabled={isOpen}>
          <Stack gap="sm">
            <RequiredFields of={of} error={error} onChange={change} />
            <MoreFields
              of={of}
              error={error}
              metadataFault={isStopped && typeof metadata === 'string' ? metadata : null}
              capabilities={capabilities}
              onChange={change}
            />
          </Stack>
        </Box>
        {!isShownAt(error, shownPointers) && <Refused error={error} />}
        {isOpen && !isPending && (
          <p role="status">
            {i18n.t(
              'It is not known whether the shipment was created. Trying again sends the same order under the same key, so that there is never a second guide.',
            )}
          </p>
        )}
        {isAgain && !isOpen && (
          <p role="status">
            {i18n.t(
              'An order with this reference was sent before. This one is sent under the same key, so that there is never a second guide.',
            )}
          </p>
        )}
        <div className="actions">
          {isOutdated ? (
            <SteadyButton isPrimary isOff={isComparing} onPress={onCompare}>
              {i18n.t('Compare rates again')}
            </SteadyButton>
          ) : (
            <SteadyButton type="submit" isPrimary isOff={isPending || isComparing}>
              {isPending ? i18n.t('Working…') : isOpen ? i18n.t('Try again') : creates()}
            </SteadyButton>
          )}
          {rate !== null && !isOutdated && <strong>{formatMoney(rate)}</strong>}
        </div>
      </Stack>
    </form>
  )
}

const creates = () => i18n.t('Create shipment')

/** The price of the quote holds no more. */
function asksForNewQuote(error: unknown): boolean {
  return error instanceof ShippingLedgerError && newQuoteReasons.includes(error.reason)
}

const newQuoteReasons: readonly string[] = [
  'quote_expired',
  'quote_price_changed',
  'quote_mismatch',
]
