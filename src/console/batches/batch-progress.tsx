import { i18n } from '@lingui/core'
import { Progress } from '@mantine/core'
import type { Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { countsInOrder, failedStates } from './line-states.ts'
import { lineStateWord } from './line-words.tsx'

const colors: Readonly<Record<string, string>> = {
  created: 'teal.6',
  cancelling: 'gray.5',
  cancelled: 'gray.5',
  not_begun: 'gray.5',
  unknown_outcome: 'orange.5',
  ...Object.fromEntries(failedStates.map((state) => [state, 'red.6'])),
}

/** The progress of a batch as one bar. Waiting lines are the empty part. */
export function BatchProgress({ batch }: { readonly batch: Schemas['Batch'] }) {
  const counts = countsInOrder(batch)
  const words = counts
    .map(([state, lines]) => `${formatNumber(lines)} ${lineStateWord(state, lines)}`)
    .join(', ')
  return (
    <span
      role="img"
      aria-label={i18n.t('{counts} of {total}', {
        counts: words,
        total: formatNumber(batch.total),
      })}
      title={words}
      className="batch-bar"
    >
      <Progress.Root size="md" transitionDuration={0}>
        {counts.map(([state, lines]) => {
          const color = colors[state]
          if (color === undefined) return null
          return (
            <Progress.Section
              key={state}
              withAria={false}
              value={(100 * lines) / batch.total}
              color={color}
            />
          )
        })}
      </Progress.Root>
    </span>
  )
}
