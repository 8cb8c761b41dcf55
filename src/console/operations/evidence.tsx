import { Group, Tooltip } from '@mantine/core'
import type { Operation } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { WideTable } from '../parts/wide-table.tsx'

type Look = Operation['looks'][number]

/** The courier's answers, newest first. */
export function Evidence({ operation }: { readonly operation: Operation }) {
  const { looks, type } = operation
  const toward = type === 'shipment_creation' ? 'nothing created' : 'not cancelled'
  const hasAbsent = looks.some(isAbsent)
  const columns = ['No.', 'Guides', 'Answer', 'Asked', 'Took']
  const newestFirst = looks.map((look, index) => ({ look, number: index + 1 })).toReversed()
  return (
    <Panel
      title="Evidence"
      aside={looks.length > 0 && <span className="reason">{summaryOf(looks)}</span>}
    >
      {looks.length === 0 ? (
        <Empty title="No answer yet">The service asks the courier automatically.</Empty>
      ) : (
        <WideTable
          name="Answers"
          columns={hasAbsent ? [...columns, `Counts toward “${toward}”`] : columns}
        >
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
              {hasAbsent && <td>{isAbsent(look) ? <Counted look={look} /> : '–'}</td>}
            </tr>
          ))}
        </WideTable>
      )}
    </Panel>
  )
}

/** Whether the answer can count toward the conclusion that nothing was done. */
function isAbsent({ answer }: Look): boolean {
  return answer === 'absent' || answer === 'standing'
}

function Counted({ look }: { readonly look: Look }) {
  return (
    <Tooltip label={look.counted ? countedText : notCountedText} multiline w={260}>
      <span>{look.counted ? 'yes' : 'no'}</span>
    </Tooltip>
  )
}

const countedText = 'The courier was asked late enough. Three such answers in a row conclude.'
const notCountedText =
  'The courier was asked too early, or too soon after the last answer that counts.'

function Guides({ of }: { readonly of: readonly string[] }) {
  return of.map((guide) => (
    <code key={guide} className="guide">
      {guide}
    </code>
  ))
}

/** `Asked 8 times: 6 inconclusive, 2 absent` */
function summaryOf(looks: readonly Look[]): string {
  const counts = new Map<string, number>()
  for (const { answer } of looks) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  const parts = [...counts].map(([answer, count]) => `${count} ${answer}`).join(', ')
  return `Asked ${looks.length === 1 ? 'once' : `${looks.length} times`}: ${parts}`
}

function failureOf({ failure }: Look): string {
  if (failure === null) return ''
  const status = failure.status_code === null ? '' : ` (${failure.status_code})`
  return `${failure.kind.replaceAll('_', ' ')}${status}`
}
