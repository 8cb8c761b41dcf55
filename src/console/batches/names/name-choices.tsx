import { NativeSelect } from '@mantine/core'
import { Refused } from '../../parts/states.tsx'
import type { Names } from './use-names.ts'

/** As many as a person decides on in one go; the others come up then. */
const shownMax = 20

type ChoicesProps = { readonly names: Names }

/** Asks what is meant by the names that fit none or several. A choice holds for all lines with the name. */
export function NameChoices({ names }: ChoicesProps) {
  const { open, asked, left, isSettled, error, chosenFor, choose } = names
  const offered = open.filter(({ candidates }) => candidates.length > 0)
  const unclear = offered.filter((name) => chosenFor(name) === '').length
  return (
    <>
      {!isSettled && error === null && (
        <p role="status">Looking up {asked === 1 ? 'one name' : `${asked} names`}…</p>
      )}
      <Refused error={error}>The names in the file cannot be looked up.</Refused>
      {offered.length > 0 && (
        <>
          <p className={unclear > 0 ? 'refusal' : 'reason'} role="status">
            {unclear > 0
              ? 'Choose what is meant by these names, or correct them in the file.'
              : 'You have chosen what is meant by these names.'}{' '}
            A choice holds for all lines with the name.
          </p>
          <fieldset className="choices" aria-label="Names">
            {offered.slice(0, shownMax).map((name) => (
              <NativeSelect
                key={name.key}
                label={`${name.column}: ${name.text}`}
                description={name.detail}
                value={chosenFor(name)}
                data={[
                  { value: '', label: 'Choose…' },
                  ...name.candidates.map(({ id, shown }) => ({ value: id, label: shown })),
                ]}
                onChange={(event) => choose(name, event.currentTarget.value)}
              />
            ))}
          </fieldset>
          {offered.length > shownMax && (
            <p className="reason">And {offered.length - shownMax} more names.</p>
          )}
        </>
      )}
      {left > 0 && (
        <p className="reason">{left} more names are looked up when the batch is sent.</p>
      )}
    </>
  )
}
