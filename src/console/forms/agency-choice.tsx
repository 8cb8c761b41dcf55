import { i18n } from '@lingui/core'
import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { useSession } from '../session.tsx'

/** Debounces typing: each keystroke would be a request. */
const typingPauseMs = 250
/** More would not be read: a longer word finds fewer. */
const foundMax = 25

type Searched = {
  readonly connectionId: string
  readonly capability: 'drop_off' | 'pickup'
}

/** Searches all agencies of the connection's courier for what is typed. */
export function useAgencySearch({ connectionId, capability }: Searched) {
  const { client } = useSession()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), typingPauseMs)
  const { data, error } = useQuery({
    queryKey: ['agencies', 'search', connectionId, capability, search],
    queryFn: ({ signal }) =>
      client.couriers.listAgencies(
        { courier_connection_id: connectionId, capability, search, limit: foundMax },
        { signal },
      ),
    placeholderData: (before) => before,
  })
  const found = (data?.data ?? []).map((agency) => ({ id: agency.id, label: placeOf(agency) }))
  return {
    typed,
    setTyped,
    found,
    foundWords: wordsFor(found.length, data?.has_more === true),
    problem: error === null ? null : i18n.t('The agencies cannot be read now.'),
  }
}

export type ChosenAgency = { readonly id: string; readonly label: string }

type ChoiceProps = Searched & {
  readonly label: string
  readonly value: ChosenAgency | undefined
  readonly error: ReactNode
  readonly onChange: (agency: ChosenAgency | undefined) => void
}

/** Chooses an agency among those that a search finds. */
export function AgencyChoice({ label, value, error, onChange, ...of }: ChoiceProps) {
  const { typed, setTyped, found, foundWords, problem } = useAgencySearch(of)
  const others = found.filter(({ id }) => id !== value?.id)
  return (
    <Stack gap="3xs">
      <TextInput
        label={label}
        aria-label={i18n.t('Search all agencies for {name}', { name: label })}
        placeholder={i18n.t('A name, district or province')}
        spellCheck={false}
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <NativeSelect
        aria-label={i18n.t('Agencies found for {name}', { name: label })}
        required
        value={value?.id ?? ''}
        error={error}
        data={[
          { value: '', label: foundWords },
          ...(value === undefined ? [] : [{ value: value.id, label: value.label }]),
          ...others.map((each) => ({ value: each.id, label: each.label })),
        ]}
        onChange={(event) => {
          const { value: id } = event.currentTarget
          onChange(id === value?.id ? value : others.find((each) => each.id === id))
        }}
      />
    </Stack>
  )
}

function wordsFor(count: number, hasMore: boolean): string {
  if (count === 0) return i18n.t('No agency found')
  return hasMore
    ? i18n.t('{count, plural, other {The first # agencies found…}}', { count })
    : i18n.t('{count, plural, one {One agency found…} other {# agencies found…}}', { count })
}

function placeOf({ name, district, province }: Schemas['Agency']): string {
  return `${name}, ${district}, ${province}`
}
