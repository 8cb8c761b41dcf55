import { i18n } from '@lingui/core'
import {
  Box,
  Group,
  NativeSelect,
  SimpleGrid,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { choiceWord, fieldTitles } from '../sheets/field-titles.ts'
import { currencyOf, type Faults, lackingWords } from './order.ts'
import {
  contactFields,
  type OrderField,
  requiredFields,
  type ShipmentDraft,
  type Sum,
  sums,
} from './shipment-draft.ts'

type FieldsProps = {
  readonly of: ShipmentDraft
  /** The API's refusal. */
  readonly error: unknown
  readonly onChange: (field: OrderField, value: string) => void
}

/** The API's own limits. */
const lengths: Readonly<Partial<Record<OrderField, number>>> = {
  '/external_reference': 255,
  '/declared_content': 500,
  '/recipient/document': 20,
  '/recipient/first_name': 100,
  '/recipient/last_name': 100,
  '/recipient/email': 254,
}

const documentTypes = ['DNI', 'CE', 'RUC', 'PASSPORT']

/** What every order has. */
export function RequiredFields({ of, error, onChange }: FieldsProps) {
  return (
    <SimpleGrid minColWidth="15rem" spacing="sm">
      {requiredFields.map((field) => {
        const shared = {
          label: fieldTitles()[field],
          required: true,
          withAsterisk: false,
          value: of.draft.order[field],
          error: errorAt(error, field),
          onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
            onChange(field, event.currentTarget.value),
        }
        if (field === '/recipient/document_type') {
          const data = documentTypes.map((type) => ({ value: type, label: choiceWord(type) }))
          return <NativeSelect key={field} {...shared} data={data} />
        }
        return (
          <TextInput
            key={field}
            {...shared}
            {...lengthOf(field)}
            {...below}
            description={field === '/external_reference' ? clearText() : null}
          />
        )
      })}
    </SimpleGrid>
  )
}

const clearText = () => i18n.t('No personal data: the service does not encrypt it.')

/** A description below its field leaves the fields of a row on one line. */
const below: Pick<TextInputProps, 'inputWrapperOrder'> = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
}

function lengthOf(field: OrderField) {
  const maxLength = lengths[field]
  return maxLength === undefined ? {} : { maxLength }
}

type MoreProps = FieldsProps & {
  readonly faults: Faults
  /** Null while they are not known. */
  readonly capabilities: Schemas['Courier']['capabilities']
}

/** What few orders have. It opens by itself where something is wrong. */
export function MoreFields({ of, error, faults, capabilities, onChange }: MoreProps) {
  const { order } = of.draft
  const [isOpen, setOpen] = useState(() => moreFields.some((field) => order[field] !== ''))
  const errors = new Map(
    moreFields.map((field) => {
      // The API names a sum as a whole if the courier does not handle it.
      const pointer = field.replace(/\/amount$/, '')
      return [field, faults.get(field) ?? errorAt(error, pointer)] as const
    }),
  )
  const isWrong = [...errors.values()].some((each) => each !== null)
  const takesContact = capabilities?.recipient_phone !== false
  return (
    <Box
      component="details"
      className="more"
      open={isOpen || isWrong}
      onToggle={({ currentTarget: now }) => {
        // What is wrong stays in sight, and React would not open what it believes to be open.
        if (isWrong) now.open = true
        setOpen(now.open)
      }}
    >
      <summary>{i18n.t('More: phone, e-mail, declared value, cash on delivery, metadata')}</summary>
      <SimpleGrid minColWidth="15rem" spacing="sm" mt="xs">
        {contactFields.map((field) => (
          <TextInput
            key={field}
            label={fieldTitles()[field]}
            description={takesContact ? null : i18n.t('The courier of this rate does not get it.')}
            {...below}
            value={order[field]}
            error={errors.get(field)}
            {...lengthOf(field)}
            {...(field === '/recipient/phone'
              ? { type: 'tel', placeholder: '+51987654321' }
              : { inputMode: 'email' as const })}
            onChange={(event) => onChange(field, event.currentTarget.value)}
          />
        ))}
        {sums.map((sum) => (
          <SumFields
            key={sum}
            sum={sum}
            of={of}
            isLacking={capabilities?.[sum] === false}
            errors={errors}
            onChange={onChange}
          />
        ))}
      </SimpleGrid>
      <Textarea
        mt="sm"
        label={i18n.t('Metadata')}
        description={errors.get('/metadata') === null ? metadataForm() : null}
        {...below}
        rows={2}
        autosize
        maw="31rem"
        value={order['/metadata']}
        error={errors.get('/metadata')}
        onChange={(event) => onChange('/metadata', event.currentTarget.value)}
      />
    </Box>
  )
}

const metadataForm = () => i18n.t('Each line is a name and its value, such as channel: web.')

const sumFields = sums.flatMap((sum) => [`/${sum}/amount`, `/${sum}/currency`] as const)
const moreFields: readonly OrderField[] = [...contactFields, ...sumFields, '/metadata']
/** Where these fields show an error of the API. */
export const shownPointers: readonly string[] = [
  ...[...requiredFields, ...contactFields, '/metadata'],
  ...sums.map((sum) => `/${sum}`),
]

type SumProps = Pick<FieldsProps, 'of' | 'onChange'> & {
  readonly sum: Sum
  readonly isLacking: boolean
  readonly errors: ReadonlyMap<OrderField, ReactNode>
}

/** An amount in decimals with its currency. */
function SumFields({ sum, of, isLacking, errors, onChange }: SumProps) {
  const [amount, currency] = [`/${sum}/amount`, `/${sum}/currency`] as const
  const { order } = of.draft
  const amountError = errors.get(amount)
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <TextInput
        flex={1}
        label={fieldTitles()[amount]}
        description={isLacking && amountError === null ? lackingWords(sum) : null}
        {...below}
        inputMode="decimal"
        placeholder="14.50"
        value={order[amount]}
        error={amountError}
        onChange={(event) => onChange(amount, event.currentTarget.value)}
      />
      <TextInput
        w="5.5rem"
        label={i18n.t('Currency')}
        aria-label={fieldTitles()[currency]}
        maxLength={3}
        spellCheck={false}
        value={currencyOf(sum, order, of.rate)}
        error={errors.get(currency)}
        onChange={(event) => onChange(currency, event.currentTarget.value.toUpperCase())}
      />
    </Group>
  )
}
