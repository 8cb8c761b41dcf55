import { i18n } from '@lingui/core'
import { Box, DataList, Group, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Operation, Schemas } from '../../client/methods.ts'
import type { DecisionDraft } from '../decisions/decision.ts'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Panel } from '../parts/panel.tsx'
import { useMay } from '../parts/scopes.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { Far, Moment } from '../parts/times.tsx'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { formatMoney } from '../shipments/money.ts'
import { guidesOf } from './why.ts'

type Choose = ((chosen: Partial<DecisionDraft>) => void) | null

type CandidatesProps = {
  readonly operation: Operation
  /** Opens the decision for a guide; null if nothing can be decided now. */
  readonly onChoose: Choose
}

/** The guides that the courier has under our reference, to find out which one is ours. */
export function Candidates({ operation, onChoose }: CandidatesProps) {
  const { client } = useSession()
  const { id, looks } = operation
  const hasGuides = guidesOf(operation).length > 0
  const guides = useShown<{ readonly data: readonly Guide[] }>(
    useQuery<{ readonly data: readonly Guide[] }>({
      queryKey: ['operation', id, 'guides', looks.length],
      queryFn: ({ signal }) => client.operations.listGuides({ id }, { signal }),
      enabled: hasGuides,
      placeholderData: keepPreviousData,
    }),
  )
  const scans = useScans(operation, hasGuides)
  if (!hasGuides) return null
  return (
    <Panel title={i18n.t('Guides under our reference')}>
      {guides.data === undefined ? (
        guides.isPending ? (
          <Loading />
        ) : (
          <Failed error={guides.error} />
        )
      ) : (
        <ul className="cards">
          {guides.data.data.map((guide) => (
            <li key={guide.guide_number}>
              <Candidate guide={guide} operation={operation} scans={scans} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

type Guide = { readonly guide_number: string; readonly listed: boolean } & {
  readonly price: Schemas['Money'] | null
  readonly first_listed_at: string
  readonly last_listed_at: string
}
type Scans = { readonly guideNumber: string; readonly events: Schemas['Tracking']['events'] }

/** The scans of the guide that the shipment follows: the only ones in the ledger. */
function useScans({ shipment_id: id, resolutions }: Operation, isEnabled: boolean): Scans | null {
  const { client } = useSession()
  const guideNumber = resolutions.at(-1)?.guide_number ?? null
  const maySee = useMay('shipments:read')
  const { data } = useQuery({
    queryKey: ['tracking', id, guideNumber],
    queryFn: ({ signal }) => client.tracking.get({ id }, { signal }),
    enabled: isEnabled && maySee && guideNumber !== null,
  })
  return data === undefined || guideNumber === null ? null : { guideNumber, events: data.events }
}

type CandidateProps = CandidatesProps & { readonly guide: Guide; readonly scans: Scans | null }

function Candidate({ guide, operation, scans, onChoose }: CandidateProps) {
  const { guide_number: number, price } = guide
  const { resolution, surplus_guide_numbers: surplus, workspace_id: workspaceId } = operation
  const isOpen = operation.status !== 'resolved'
  const { first_listed_at: first, last_listed_at: last } = guide
  const facts = [
    [i18n.t('Price'), price === null ? i18n.t('not known') : formatMoney(price)],
    [i18n.t('First listed'), <Moment key="first" at={first} workspaceId={workspaceId} />],
    [
      i18n.t('Last listed'),
      <span key="last">
        <Far at={last} workspaceId={workspaceId} />
        {guide.listed ? '' : ` · ${i18n.t('no longer listed')}`}
      </span>,
    ],
    [
      i18n.t('Scans'),
      <ScansOf key="scans" guideNumber={number} scans={scans} workspaceId={workspaceId} />,
    ],
  ] as const
  return (
    <article aria-label={i18n.t('Guide {number}', { number })}>
      <Group component="header" gap="xs" mb="xs">
        <Copyable text={number} />
        {resolution?.guide_number === number && <Badge value="in_use" />}
        {surplus.includes(number) && <Badge value="surplus" />}
        {isOpen && onChoose !== null && (
          <Box ml="auto">
            <SteadyButton
              isOff={false}
              aria-label={i18n.t('This one is ours… ({number})', { number })}
              onPress={() => onChoose({ decision: 'guide_exists', guideNumber: number })}
            >
              {i18n.t('This one is ours…')}
            </SteadyButton>
          </Box>
        )}
      </Group>
      <DataList gap="2xs" labelWidth="5.5rem">
        {facts.map(([name, value]) => (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue>{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
    </article>
  )
}

type ScansProps = {
  readonly guideNumber: string
  readonly scans: Scans | null
  readonly workspaceId: string
}

const scansShown = 3

function ScansOf({ guideNumber, scans, workspaceId }: ScansProps) {
  if (scans === null || scans.guideNumber !== guideNumber) {
    return (
      <span className="reason">
        {i18n.t('This guide was not tracked. Ask the courier for its scans.')}
      </span>
    )
  }
  if (scans.events.length === 0) return i18n.t('none so far')
  return (
    <Stack component="ol" gap="3xs">
      {scans.events
        .slice(-scansShown)
        .toReversed()
        .map((scan) => (
          <li key={scan.id}>
            {scan.status === null ? (
              <ServiceText>{scan.code.replaceAll('_', ' ')}</ServiceText>
            ) : (
              <Badge value={scan.status} />
            )}{' '}
            <Far at={scan.occurred_at} workspaceId={workspaceId} />
          </li>
        ))}
    </Stack>
  )
}
