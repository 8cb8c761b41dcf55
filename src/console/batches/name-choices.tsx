import { i18n } from '@lingui/core'
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAgencySearch } from '../forms/agency-choice.tsx'
import { useMay } from '../parts/scopes.tsx'
import { isName, nameSentence } from '../sheets/error-words.tsx'
import type { ChosenName, SheetChoices } from '../sheets/sheet-choices.ts'
import { labelAt } from '../sheets/sheet-fields.ts'
import type { SheetCheck, SheetError } from '../sheets/use-sheet-check.ts'

/** Enough unclear names at once. The next one follows when one of these is chosen. */
const shownMax = 20

type ChoicesProps = {
  readonly check: SheetCheck
  readonly choices: Pick<SheetChoices, 'names' | 'setName'>
  /** The connection of lines that do not name another. */
  readonly connectionId: string
}

/**
 * Asks the user to resolve names with no match or several. A choice applies to all lines with the
 * name.
 */
export function NameChoices({ check, choices: { names, setName }, connectionId }: ChoicesProps) {
  const asked = namesAsked(check, names)
  if (asked.length === 0) return null
  const unclear = asked.filter(([text]) => !isChosen(names[text]))
  const next = unclear[shownMax]
  const shown = next === undefined ? asked : asked.slice(0, asked.indexOf(next))
  return (
    <>
      <p className={unclear.length > 0 ? 'refusal' : 'reason'} role="status">
        {unclear.length > 0
          ? i18n.t('Choose what these names mean, or correct them in the file.')
          : i18n.t('All of these names are resolved.')}{' '}
        {i18n.t('A choice applies to all lines with the name.')}
      </p>
      <fieldset aria-label={i18n.t('Names')}>
        <SimpleGrid minColWidth="15rem" spacing="sm">
          {shown.map(([text, error]) => (
            <NameChoice
              key={text}
              text={text}
              error={error}
              chosen={names[text]}
              connectionId={connectionId}
              onChange={(chosen) => setName(text, { ...chosen, asked: error })}
            />
          ))}
        </SimpleGrid>
      </fieldset>
      {next !== undefined && (
        <p className="reason">
          {i18n.t('{count, plural, one {And # more name.} other {And # more names.}}', {
            count: asked.length - shown.length,
          })}
        </p>
      )}
    </>
  )
}

/** The value of the option that opens the search. No id is like it. */
const another = 'another'

type ChoiceProps = Pick<ChoicesProps, 'connectionId'> & {
  /** The name in the file. */
  readonly text: string
  readonly error: SheetError
  readonly chosen: ChosenName | undefined
  readonly onChange: (chosen: { readonly id: string; readonly label?: string }) => void
}

/** One name: what it may have meant, or any other agency. */
function NameChoice({ text, error, chosen, connectionId, onChange }: ChoiceProps) {
  const [isOther, setOther] = useState(false)
  const maySearch = useMay('connections:read') && connectionId !== '' && isOfAgency(error)
  const { id = '', label } = chosen ?? {}
  const isSuggested = error.suggestions.some(({ value }) => value === id)
  const field = `${labelAt(error.pointer)}: ${text}`
  return (
    <div>
      <NativeSelect
        label={field}
        description={nameSentence(error)}
        value={isOther ? another : id}
        data={[
          { value: '', label: i18n.t('Choose…') },
          ...error.suggestions,
          ...(id === '' || isSuggested ? [] : [{ value: id, label: label ?? id }]),
          ...(maySearch ? [{ value: another, label: i18n.t('Another agency…') }] : []),
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget
          setOther(value === another)
          onChange({ id: value === another ? '' : value })
        }}
      />
      {isOther && (
        <AgencySearch
          name={field}
          connectionId={connectionId}
          capability={error.pointer.startsWith('/origin') ? 'drop_off' : 'pickup'}
          onFound={(found) => {
            setOther(false)
            onChange(found)
          }}
        />
      )}
    </div>
  )
}

function isOfAgency({ pointer }: SheetError): boolean {
  return pointer.endsWith('/agency_id')
}

type SearchProps = Pick<ChoicesProps, 'connectionId'> & {
  readonly name: string
  readonly capability: 'drop_off' | 'pickup'
  readonly onFound: (agency: { readonly id: string; readonly label: string }) => void
}

/** Searches all agencies of the courier. */
function AgencySearch({ name, connectionId, capability, onFound }: SearchProps) {
  const { typed, setTyped, found, foundWords, problem } = useAgencySearch({
    connectionId,
    capability,
  })
  return (
    <>
      <TextInput
        size="xs"
        label={i18n.t('Search all agencies')}
        aria-label={i18n.t('Search all agencies for {name}', { name })}
        placeholder={i18n.t('A name, district or province')}
        spellCheck={false}
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label={i18n.t('Agencies found for {name}', { name })}
        value=""
        data={[
          { value: '', label: foundWords },
          ...found.map((agency) => ({ value: agency.id, label: agency.label })),
        ]}
        onChange={(event) => {
          const agency = found.find(({ id }) => id === event.currentTarget.value)
          if (agency !== undefined) onFound(agency)
        }}
      />
    </>
  )
}

function isChosen(name: ChosenName | undefined): boolean {
  return name !== undefined && name.id !== ''
}

/**
 * Each name once, in the order of the lines. A name keeps its place when it is chosen, and with it
 * the focus.
 */
function namesAsked(
  { errors }: SheetCheck,
  names: SheetChoices['names'],
): readonly (readonly [string, SheetError])[] {
  const asked = new Map<string, SheetError>()
  const kept = Object.values(names).map(({ asked: error }) => error)
  for (const error of [...kept, ...errors.filter(isName)]) {
    const known = [...asked.keys()].find((text) => isSame(text, error.value ?? ''))
    if (known === undefined) asked.set(error.value ?? '', error)
  }
  return [...asked].toSorted(([, a], [, b]) => a.line - b.line)
}

/** The service compares names without case and accents. */
function isSame(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: 'base' }) === 0
}
