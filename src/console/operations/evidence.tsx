import { Group, Tooltip } from '@mantine/core'
import type { Operation } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { WideTable } from '../parts/wide-table.tsx'

type Look = Operation['looks'][number]

/** What each look at the courier showed, the newest first. */
export function Evidence({ operation }: { readonly operation: Operation }) {
  const { looks } = operation
  const newestFirst = looks.map((look, index) => ({ look, number: index + 1 })).toReversed()
  return (
    <Panel
      title="Evidence"
      aside={looks.length > 0 && <span className="reason">{summaryOf(looks)}</span>}
    >
      {looks.length === 0 ? (
        <Empty title="No look yet">The first look starts by itself.</Empty>
      ) : (
        <WideTable name="Looks" columns={['Look', 'Guides', 'Answer', 'Started', 'Took', 'Counts']}>
          {newestFirst.map(({ look, number }) => (
            <tr key={look.at}>
              <td>{number}</td>
              <td>{look.guide_numbers.length === 0 ? '–' : <Guides of={look.guide_numbers} />}</td>
              <td>
                <Group gap={6}>
                  <Badge value={look.answer} /> {failureOf(look)}
                </Group>
              </td>
              <td className="steady">
                <Time at={look.at} />
              </td>
              <td className="steady">{look.latency_ms === null ? '–' : `${look.latency_ms} ms`}</td>
              <td>
                <Tooltip label={look.counted ? countedWords : notCountedWords} multiline w={260}>
                  <span>{look.counted ? 'yes' : 'no'}</span>
                </Tooltip>
              </td>
            </tr>
          ))}
        </WideTable>
      )}
    </Panel>
  )
}

const countedWords = 'Nothing was found when it counts: three of these in a row conclude.'
const notCountedWords =
  'Only a look that finds nothing, late enough, counts toward “nothing created”.'

function Guides({ of }: { readonly of: readonly string[] }) {
  return of.map((guide) => (
    <code key={guide} className="guide">
      {guide}
    </code>
  ))
}

/** `8 looks: 6 inconclusive, 2 absent` */
function summaryOf(looks: readonly Look[]): string {
  const counts = new Map<string, number>()
  for (const { answer } of looks) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  const parts = [...counts].map(([answer, count]) => `${count} ${answer}`).join(', ')
  return `${looks.length} ${looks.length === 1 ? 'look' : 'looks'}: ${parts}`
}

function failureOf({ failure }: Look): string {
  if (failure === null) return ''
  const status = failure.status_code === null ? '' : ` (${failure.status_code})`
  return `${failure.kind.replaceAll('_', ' ')}${status}`
}
