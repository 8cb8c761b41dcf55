import { i18n } from '@lingui/core'
import { Group, Tooltip } from '@mantine/core'
import type { Operation } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { Badge } from '../parts/badge.tsx'
import { FailureWords } from '../parts/failure-words.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { listed } from './listed.ts'

type Look = Operation['looks'][number]

/** The courier's answers, newest first. */
export function Evidence({ operation }: { readonly operation: Operation }) {
  const { looks, type } = operation
  const hasAbsent = looks.some(isAbsent)
  const columns = [
    i18n.t('No.'),
    i18n.t('Guides'),
    i18n.t('Answer'),
    i18n.t('Asked at'),
    i18n.t('Took'),
  ]
  const countsToward =
    type === 'shipment_creation'
      ? i18n.t('Counts toward “nothing created”')
      : i18n.t('Counts toward “not cancelled”')
  const newestFirst = looks.map((look, index) => ({ look, number: index + 1 })).toReversed()
  return (
    <Panel
      title={i18n.t('Evidence')}
      aside={looks.length > 0 && <span className="reason">{summaryOf(looks)}</span>}
    >
      {looks.length === 0 ? (
        <Empty title={i18n.t('No answer yet')}>
          {i18n.t('The service asks the courier automatically.')}
        </Empty>
      ) : (
        <WideTable
          name={i18n.t('Answers')}
          columns={hasAbsent ? [...columns, countsToward] : columns}
        >
          {newestFirst.map(({ look, number }) => (
            <tr key={look.at}>
              <td>{number}</td>
              <td>{look.guide_numbers.length === 0 ? '–' : <Guides of={look.guide_numbers} />}</td>
              <td>
                <Group gap={6}>
                  <Badge value={look.answer} /> <FailureOf look={look} />
                </Group>
              </td>
              <td className="steady">
                <Time at={look.at} />
              </td>
              <td className="steady">
                {look.latency_ms === null ? '–' : `${formatNumber(look.latency_ms)} ms`}
              </td>
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
    <Tooltip label={countedText(look)} multiline w={260}>
      <span>{look.counted ? i18n.t('yes') : i18n.t('no')}</span>
    </Tooltip>
  )
}

function countedText({ counted }: Look): string {
  return counted
    ? i18n.t('The courier was asked late enough. Three such answers in a row conclude.')
    : i18n.t('The courier was asked too early, or too soon after the last answer that counts.')
}

function Guides({ of }: { readonly of: readonly string[] }) {
  return (
    <Group gap="xs" wrap="nowrap">
      {of.map((guide) => (
        <code key={guide}>{guide}</code>
      ))}
    </Group>
  )
}

/** `Asked 8 times: 6 inconclusive, 2 absent` */
function summaryOf(looks: readonly Look[]): string {
  const counts = new Map<string, number>()
  for (const { answer } of looks) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  const answers = listed([...counts].map(([answer, count]) => answersOf(answer, count)))
  return i18n.t('Asked {count, plural, one {once} other {# times}}: {answers}', {
    count: looks.length,
    answers,
  })
}

/** `6 inconclusive` */
function answersOf(answer: string, count: number): string {
  switch (answer) {
    case 'found':
      return i18n.t('{count} found', { count })
    case 'ambiguous':
      return i18n.t('{count} ambiguous', { count })
    case 'absent':
      return i18n.t('{count} absent', { count })
    case 'inconclusive':
      return i18n.t('{count} inconclusive', { count })
    case 'cancelled':
      return i18n.t('{count} cancelled', { count })
    case 'standing':
      return i18n.t('{count} standing', { count })
    default:
      return `${count} ${answer.replaceAll('_', ' ')}`
  }
}

function FailureOf({ look: { failure } }: { readonly look: Look }) {
  if (failure === null) return null
  return (
    <span>
      <FailureWords reason={failure.kind} />
      {failure.status_code === null ? '' : ` (${failure.status_code})`}
    </span>
  )
}
