import { NativeSelect } from '@mantine/core'
import { counted } from '../lists/counted.ts'
import { batchFields } from '../sheets/generated-fields.ts'
import type { ChosenName, SheetChoices } from '../sheets/sheet-choices.ts'
import { isName, nameSentence } from '../sheets/sheet-errors.tsx'
import { labelAt } from '../sheets/sheet-fields.ts'
import type { SheetCheck, SheetError } from '../sheets/use-sheet-check.ts'

/** Enough unclear names at once. The next one follows when one of these is chosen. */
const shownMax = 20

type ChoicesProps = {
  readonly check: SheetCheck
  readonly choices: Pick<SheetChoices, 'names' | 'setName'>
}

/**
 * Asks the user to resolve names with no match or several. A choice applies to all lines with the
 * name.
 */
export function NameChoices({ check, choices: { names, setName } }: ChoicesProps) {
  const asked = namesAsked(check, names)
  if (asked.length === 0) return null
  const unclear = asked.filter(([text]) => !isChosen(names[text]))
  const next = unclear[shownMax]
  const shown = next === undefined ? asked : asked.slice(0, asked.indexOf(next))
  return (
    <>
      <p className={unclear.length > 0 ? 'refusal' : 'reason'} role="status">
        {unclear.length > 0
          ? 'Choose what these names mean, or correct them in the file.'
          : 'All of these names are resolved.'}{' '}
        A choice applies to all lines with the name.
      </p>
      <fieldset className="choices" aria-label="Names">
        {shown.map(([text, error]) => (
          <NativeSelect
            key={text}
            label={`${labelAt(batchFields, error.pointer)}: ${text}`}
            description={nameSentence(error)}
            value={names[text]?.id ?? ''}
            data={[{ value: '', label: 'Choose…' }, ...error.suggestions]}
            onChange={(event) => setName(text, { id: event.currentTarget.value, asked: error })}
          />
        ))}
      </fieldset>
      {next !== undefined && (
        <p className="reason">And {counted(asked.length - shown.length, 'more name')}.</p>
      )}
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
