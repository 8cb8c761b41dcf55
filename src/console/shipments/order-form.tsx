import { i18n } from '@lingui/core'
import { Box, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { errorAt, isShownAt } from '../forms/field-errors.ts'
import { useFirstError } from '../forms/use-first-error.ts'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { choiceWord, fieldTitles } from '../sheets/field-titles.ts'
import { formatMoney } from './money.ts'
import { type OrderField, orderFields, orderOf, type ShipmentDraft } from './shipment-draft.ts'
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
  const { quote, rate } = of
  const form = useFirstError(error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creation.submit(quote === null || rate === null ? null : orderOf(of, quote, rate))
  }
  const isOutdated = asksForNewQuote(error)
  return (
    <form ref={form} onSubmit={submit} autoComplete="off">
      <Stack gap="sm">
        <Box component="fieldset" bd={0} p={0} m={0} disabled={isOpen}>
          <SimpleGrid minColWidth="15rem" spacing="sm">
            {orderFields.map((field) => (
              <Field key={field} field={field} of={of} creation={creation} />
            ))}
          </SimpleGrid>
        </Box>
        {!isShownAt(error, orderFields) && <Refused error={error} />}
        {isOpen && !isPending && (
          <p role="status">
            {i18n.t(
              'It is not known whether the shipment was created. Trying again sends the same order under the same key, so that there is never a second guide.',
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

/** The API's own limits. */
const lengths: Readonly<Partial<Record<OrderField, number>>> = {
  '/external_reference': 255,
  '/declared_content': 500,
  '/recipient/document': 20,
  '/recipient/first_name': 100,
  '/recipient/last_name': 100,
  '/recipient/email': 254,
}

const optional: readonly OrderField[] = ['/recipient/phone', '/recipient/email']
const documentTypes = ['DNI', 'CE', 'RUC', 'PASSPORT']

type FieldProps = Pick<OrderProps, 'of' | 'creation'> & { readonly field: OrderField }

function Field({ field, of: { draft, change }, creation }: FieldProps) {
  const isOptional = optional.includes(field)
  const title = fieldTitles()[field]
  const shared = {
    label: isOptional ? i18n.t('{field} (optional)', { field: title }) : title,
    required: !isOptional,
    withAsterisk: false,
    value: draft.order[field],
    error: errorAt(creation.error, field),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      creation.forgetRefusal()
      change({ order: { ...draft.order, [field]: event.currentTarget.value } })
    },
  }
  if (field === '/recipient/document_type') {
    const data = documentTypes.map((type) => ({ value: type, label: choiceWord(type) }))
    return <NativeSelect {...shared} data={data} />
  }
  return (
    <TextInput
      {...shared}
      {...(lengths[field] === undefined ? {} : { maxLength: lengths[field] })}
      {...(field === '/recipient/phone' ? { type: 'tel', placeholder: '+51987654321' } : {})}
      {...(field === '/recipient/email' ? { inputMode: 'email' as const } : {})}
    />
  )
}
