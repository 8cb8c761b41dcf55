import { i18n } from '@lingui/core'
import type { Operation } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Masked, MaskedUntilRevealed, RevealButton } from '../parts/masked.tsx'
import { Panel } from '../parts/panel.tsx'
import { Moment } from '../parts/times.tsx'
import { decidedBy } from './decision.ts'

type Resolution = Operation['resolutions'][number]

/** Every decision, newest first, including contradicted ones. */
export function Resolutions({ operation }: { readonly operation: Operation }) {
  const { resolution, resolutions } = operation
  if (resolutions.length === 0) return null
  const inForce = resolution === null ? -1 : resolutions.length - 1
  const hasNote = resolutions.some(({ note }) => note !== null)
  return (
    <MaskedUntilRevealed>
      <Panel
        title={resolutions.length === 1 ? i18n.t('Decision') : i18n.t('Decisions')}
        name={i18n.t('Decision')}
        aside={
          hasNote && (
            <RevealButton
              word={resolutions.length === 1 ? i18n.t('Show the note') : i18n.t('Show the notes')}
            />
          )
        }
      >
        {resolutions
          .map((each, index) => (
            <div key={each.at} className="decision" data-in-force={index === inForce}>
              <Facts facts={factsOf(each, index === inForce, operation.workspace_id)} />
            </div>
          ))
          .toReversed()}
      </Panel>
    </MaskedUntilRevealed>
  )
}

function factsOf(resolution: Resolution, isInForce: boolean, workspaceId: string): readonly Fact[] {
  const { decision, guide_number: guideNumber, confirmed } = resolution
  const guide: readonly Fact[] =
    guideNumber === null
      ? []
      : [
          [
            i18n.t('Guide'),
            <span key="guide">
              <code>{guideNumber}</code> {confirmed === false && <Badge value="unconfirmed" />}
            </span>,
          ],
        ]
  return [
    [
      i18n.t('Decided'),
      <span key="decision">
        <Badge value={decision} /> {!isInForce && <Badge value="contradicted" />}
      </span>,
    ],
    ...guide,
    [i18n.t('By'), <bdi key="by">{decidedBy(resolution)}</bdi>],
    [i18n.t('Note'), <Masked key="note" value={resolution.note} />],
    [i18n.t('At'), <Moment key="at" at={resolution.at} workspaceId={workspaceId} />],
  ]
}
