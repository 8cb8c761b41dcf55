import { UnstyledButton } from '@mantine/core'
import type { Schemas } from '../../client/methods.ts'
import { countsInOrder, failedStates } from './line-states.ts'

type CountsProps = {
  readonly batch: Schemas['Batch']
  /** Empty: every state. */
  readonly state: string
  readonly onState: (state: string) => void
}

const format = new Intl.NumberFormat('en')

/** The lines by their state. A tile shows only its own lines below; pressed again, all of them. */
export function BatchCounts({ batch, state, onState }: CountsProps) {
  const counts = countsInOrder(batch)
  // A tile that was pressed stays, also when its last line has moved on.
  const isGone = state !== '' && batch.counts[state] === undefined
  const tiles = isGone ? [...counts, [state, 0] as const] : counts
  return (
    <fieldset className="figures batch-counts" aria-label="Lines by state">
      <Tile
        name="all lines"
        lines={batch.total}
        isPressed={state === ''}
        onPress={() => onState('')}
      />
      {tiles.map(([name, lines]) => (
        <Tile
          key={name}
          name={name.replaceAll('_', ' ')}
          lines={lines}
          isBad={isBad(name) && lines > 0}
          isPressed={state === name}
          onPress={() => onState(state === name ? '' : name)}
        />
      ))}
    </fieldset>
  )
}

function isBad(state: string): boolean {
  return state === 'unknown_outcome' || failedStates.some((failed) => failed === state)
}

type TileProps = {
  readonly name: string
  readonly lines: number
  readonly isBad?: boolean
  readonly isPressed: boolean
  readonly onPress: () => void
}

function Tile({ name, lines, isBad: bad = false, isPressed, onPress }: TileProps) {
  return (
    <UnstyledButton
      className="figure"
      data-tone={bad ? 'bad' : lines === 0 ? 'none' : 'calm'}
      aria-pressed={isPressed}
      onClick={onPress}
    >
      <span className="figure-name">{name}</span>
      <strong className="figure-value">{format.format(lines)}</strong>
    </UnstyledButton>
  )
}
