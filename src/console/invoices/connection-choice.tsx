import { i18n } from '@lingui/core'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { FilterSelect, FilterText } from '../lists/filters.tsx'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'

type Connection = Schemas['CourierConnection']

/** A drop-down list of hundreds is not usable; with more than these, the user types an id. */
const choicesMax = 100
const freshMs = 30_000

/** The connections to choose from; null if the key cannot list them or there are too many. */
export function useConnectionChoices() {
  const { client } = useSession()
  const { data, error } = useQuery({
    queryKey: ['connections', 'of invoices'],
    queryFn: ({ signal }) => client.courierConnections.list({ limit: choicesMax }, { signal }),
    enabled: useMay('connections:read'),
    staleTime: freshMs,
  })
  const choices: readonly Connection[] | null = data?.has_more === false ? data.data : null
  return { choices, error }
}

function nameOf({ display_name: name, provider_code: code }: Connection): string {
  return `${name} (${code})`
}

type ChoiceProps = {
  readonly value: string
  readonly error?: ReactNode
  readonly onChange: (id: string) => void
}

/** Chooses the courier connection of an invoice. */
export function ConnectionChoice({ value, error = null, onChange }: ChoiceProps) {
  const { choices } = useConnectionChoices()
  if (choices === null) {
    return (
      <TextInput
        label={i18n.t('Courier connection')}
        description={i18n.t('The id of a connection: ccn_…')}
        spellCheck={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    )
  }
  return (
    <NativeSelect
      label={i18n.t('Courier connection')}
      description={i18n.t('The account that the courier bills.')}
      value={value}
      error={error}
      data={[
        { value: '', label: i18n.t('Choose a connection') },
        ...choices.map((each) => ({ value: each.id, label: nameOf(each) })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The same choice as a list filter. */
export function ConnectionFilter({ value, onChange }: ChoiceProps) {
  const { choices } = useConnectionChoices()
  if (choices === null) {
    return <FilterText label={i18n.t('Connection (ccn_…)')} value={value} onChange={onChange} />
  }
  return (
    <FilterSelect
      label={i18n.t('Connection')}
      value={value}
      onChange={onChange}
      options={[['', i18n.t('Any')], ...choices.map((each) => [each.id, nameOf(each)] as const)]}
    />
  )
}
