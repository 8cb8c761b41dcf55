import { i18n } from '@lingui/core'
import { MultiSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorAt } from '../forms/field-errors.ts'
import { useSession } from '../session.tsx'
import { webhookTypes } from './subscribable-types.ts'

/** The API's own limits. */
const urlMax = 2_048
const descriptionMax = 500

/** The fields of the endpoint forms, as JSON pointers. */
export const endpointFields = ['/url', '/description', '/event_types'] as const

/** A family is all types with the same prefix, including types added later. */
const families = [...new Set(webhookTypes.map((type) => `${type.split('.')[0]}.*`))]

export type EndpointDraft = {
  readonly url: string
  readonly types: readonly string[]
  readonly description: string
}

/** The request body for the draft. */
export function bodyOf({ url, types, description }: EndpointDraft) {
  return {
    url,
    event_types: types as (typeof webhookTypes)[number][],
    description: description.trim() === '' ? null : description,
  }
}

type FieldsProps = {
  readonly draft: EndpointDraft
  readonly error: unknown
  readonly onChange: (part: Partial<EndpointDraft>) => void
}

export function EndpointFields({ draft, error, onChange }: FieldsProps) {
  const { key } = useSession()
  const { url, types, description } = draft
  return (
    <>
      <TextInput
        label={i18n.t('Address')}
        description={
          key.livemode
            ? i18n.t('Where events are sent: https only.')
            : i18n.t('Where events are sent.')
        }
        inputMode="url"
        placeholder="https://shop.example/webhooks"
        required
        withAsterisk={false}
        maxLength={urlMax}
        spellCheck={false}
        value={url}
        error={errorAt(error, '/url')}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <MultiSelect
        label={i18n.t('Subscribed to')}
        description={i18n.t('Types of events, or whole families such as shipment.*')}
        data={[...families, ...webhookTypes]}
        value={[...types]}
        error={typesError(error, types)}
        onChange={(chosen) => onChange({ types: chosen })}
      />
      <TextInput
        label={i18n.t('Description')}
        maxLength={descriptionMax}
        value={description}
        error={errorAt(error, '/description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </>
  )
}

/** Replaces the API's message for an empty list, which is about arrays. */
function typesError(error: unknown, types: readonly string[]): ReactNode {
  const said = errorAt(error, '/event_types')
  return said !== null && types.length === 0 ? i18n.t('Choose at least one type.') : said
}
