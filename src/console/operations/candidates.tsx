import { i18n } from '@lingui/core'
import { Box, DataList, Group, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Operation, Schemas } from '../../client/methods.ts'
import type { DecisionDraft } from '../decisions/decision.ts'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { AgencyLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { useMay } from '../parts/scopes.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { Far, Moment, Time } from '../parts/times.tsx'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { formatMoney } from '../shipments/money.ts'
import { scanWords } from '../shipments/parcel-words.ts'
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
type Scan = Schemas['Tracking']['events'][number]
type Scans = { readonly guideNumber: string; readonly events: readonly Scan[] }

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
      scans?.guideNumber === number ? (
        <ScanList key="scans" scans={scans.events.slice(-scansShown)} />
      ) : (
        <ScansOnRequest key="scans" operationId={operation.id} guideNumber={number} />
      ),
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

/** Of the guide in use: its shipment shows the others. */
const scansShown = 3

type OnRequestProps = { readonly operationId: string; readonly guideNumber: string }

/** The scans of a guide that is not tracked: the courier is asked for them when a person wants them. */
function ScansOnRequest({ operationId, guideNumber }: OnRequestProps) {
  // A repeated request would be refused, because the courier was just asked.
  const { single } = useSession()
  const asked = useQuery<{ readonly data: readonly Scan[] }>({
    queryKey: ['guide-scans', operationId, guideNumber],
    queryFn: ({ signal }) =>
      single.operations.listGuideScans({ id: operationId, guide_number: guideNumber }, { signal }),
    enabled: false,
    retry: false,
  })
  const isShown = asked.data !== undefined
  return (
    <Stack gap={isShown ? 'xs' : 0} align="start">
      <div aria-live="polite">{isShown && <ScanList scans={asked.data.data} />}</div>
      <SteadyButton
        isOff={asked.isFetching}
        aria-label={
          isShown
            ? i18n.t('Ask again ({number})', { number: guideNumber })
            : i18n.t('Show its scans ({number})', { number: guideNumber })
        }
        onPress={() => void asked.refetch()}
      >
        {isShown ? i18n.t('Ask again') : i18n.t('Show its scans')}
      </SteadyButton>
      <Refused error={asked.error} />
    </Stack>
  )
}

/** Scans with place and time, latest first. */
function ScanList({ scans }: { readonly scans: readonly Scan[] }) {
  if (scans.length === 0) return i18n.t('The courier has no scans of it yet.')
  return (
    <Stack component="ol" gap="xs">
      {scans.toReversed().map((scan) => (
        <li key={scan.id}>
          {scanWords(scan.code) ?? <ServiceText>{scan.description}</ServiceText>}
          <Group gap="2xs">
            <Time at={scan.occurred_at} />
            {scan.agency_id !== null && <AgencyLink id={scan.agency_id} />}
          </Group>
        </li>
      ))}
    </Stack>
  )
}
