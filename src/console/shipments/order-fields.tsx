import { i18n } from '@lingui/core'
import { NativeSelect, SimpleGrid, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import type { Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { choiceWord, fieldTitles } from '../sheets/field-titles.ts'
import { More } from './more.tsx'
import { metadataForm } from './order.ts'
import {
  contactFields,
  type OrderField,
  requiredFields,
  type ShipmentDraft,
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
  /** Why the metadata cannot be sent as it is written. */
  readonly metadataFault: string | null
  /** Null while they are not known. */
  readonly capabilities: Schemas['Courier']['capabilities']
}

/** What few orders have. */
export function MoreFields({ of, error, metadataFault, capabilities, onChange }: MoreProps) {
  const { order } = of.draft
  const errors = new Map(moreFields.map((field) => [field, errorAt(error, field)] as const))
  const metadataError = metadataFault ?? errors.get('/metadata')
  const takesContact = capabilities?.recipient_phone !== false
  return (
    <More
      title={i18n.t('More: phone, e-mail, metadata')}
      isFilled={moreFields.some((field) => order[field] !== '')}
      isWrong={[metadataFault, ...errors.values()].some((each) => each !== null)}
    >
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
      </SimpleGrid>
      <Textarea
        mt="sm"
        label={i18n.t('Metadata')}
        description={metadataError === null ? metadataForm() : null}
        {...below}
        rows={2}
        autosize
        maw="31rem"
        value={order['/metadata']}
        error={metadataError}
        onChange={(event) => onChange('/metadata', event.currentTarget.value)}
      />
    </More>
  )
}

const moreFields: readonly OrderField[] = [...contactFields, '/metadata']
/** Where these fields show an error of the API. */
export const shownPointers: readonly string[] = [...requiredFields, ...moreFields]
