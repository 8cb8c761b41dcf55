import { i18n } from '@lingui/core'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Badge } from '../../parts/badge.tsx'
import { type Fact, Facts } from '../../parts/facts.tsx'
import { Masked, RevealButton } from '../../parts/masked.tsx'
import { hrefOf } from '../../parts/object-links.ts'
import { useMay } from '../../parts/scopes.tsx'
import { Time } from '../../parts/times.tsx'
import { polledEvery } from '../../reading/polled.ts'
import { useSession } from '../../session.tsx'
import { EvidenceBundle } from '../../shipments/evidence-bundle.tsx'
import type { InvoiceLine } from '../invoice-findings.ts'
import { BilledFirst } from './line-columns.tsx'
import { hrefOfBilled } from './line-view.ts'

const everyMs = 6_000

/** The facts of a line: its shipment, where else it is billed, and the decision. */
export function LineFacts({ line }: { readonly line: InvoiceLine }) {
  const { shipment_id: shipmentId, client_reference: reference, decision } = line
  const hasWords = (decision?.note ?? null) !== null || isMasked(line)
  return (
    <Stack gap="sm" pt="xs" style={{ borderTop: '1px solid var(--line)' }}>
      <Facts
        facts={[
          ...shipmentFacts(line),
          ...billedBefore(line),
          ...(line.date === null ? [] : [[i18n.t('Date'), line.date] as const]),
          ...(reference === null
            ? []
            : [[i18n.t('Client reference'), <Reference key="reference" line={line} />] as const]),
          ...decisionFacts(line),
        ]}
      />
      <div className="actions">
        {shipmentId !== null && <EvidenceBundle shipmentId={shipmentId} />}
        {hasWords && <RevealButton word={i18n.t('Show the notes')} />}
      </div>
    </Stack>
  )
}

function Reference({ line }: { readonly line: InvoiceLine }) {
  const { client_reference: reference } = line
  return isMasked(line) ? <Masked value={reference} /> : <code>{reference}</code>
}

/**
 * A courier may print any text as the reference, including a name, so it is masked unless it is our
 * own id.
 */
function isMasked({ client_reference: reference, shipment_id: shipmentId }: InvoiceLine): boolean {
  return reference !== null && reference !== shipmentId
}

function shipmentFacts(line: InvoiceLine): readonly Fact[] {
  const { shipment_id: id, shipment_version: version, finding } = line
  if (id === null) return [[i18n.t('Shipment'), i18n.t('unknown')]]
  return [
    [
      i18n.t('Shipment'),
      <span key="shipment">
        <Link href={hrefOf(id)}>{id}</Link> <ShipmentNow id={id} of={version} />
      </span>,
    ],
    ...(version === null
      ? []
      : ([
          [
            i18n.t('Compared with'),
            <Link key="as-of" href={`${hrefOf(id)}?as_of=${version}`}>
              {i18n.t('version {version}', { version })}
            </Link>,
          ],
        ] as const)),
    ...(finding === 'unresolved' || finding === 'nothing_created'
      ? ([[i18n.t('Operation'), <OperationOf key="operation" shipmentId={id} />]] as const)
      : []),
  ]
}

/** The shipment's current status, and whether it has changed since the finding. */
function ShipmentNow({ id, of }: { readonly id: string; readonly of: number | null }) {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['invoice-line', 'shipment', id],
    queryFn: async ({ signal }) => {
      const { status, version } = await client.shipments.get({ id }, { signal })
      return { status, version }
    },
    enabled: useMay('shipments:read'),
    refetchInterval: polledEvery(everyMs),
  })
  if (data === undefined) return null
  return (
    <>
      <Badge value={data.status} />
      {of !== null && data.version > of && (
        <span className="reason">
          {' '}
          {i18n.t('It has changed since and is now at version {version}.', {
            version: data.version,
          })}
        </span>
      )}
    </>
  )
}

function OperationOf({ shipmentId }: { readonly shipmentId: string }) {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['invoice-line', 'operation', shipmentId],
    queryFn: async ({ signal }) => {
      const of = { shipment_id: shipmentId, limit: 1 }
      const [newest] = (await client.operations.list(of, { signal })).data
      return newest === undefined ? null : { id: newest.id, status: newest.result ?? newest.status }
    },
    refetchInterval: polledEvery(everyMs),
  })
  if (data === undefined || data === null) return data === undefined ? '…' : i18n.t('no operation')
  return (
    <span>
      <Link href={hrefOf(data.id)}>{data.id}</Link> <Badge value={data.status} />
    </span>
  )
}

function billedBefore({ billed_before: before }: InvoiceLine): readonly Fact[] {
  if (before === null) return []
  const link = (
    <Link key="before" href={hrefOfBilled(before)}>
      <BilledFirst before={before} />
    </Link>
  )
  return [[i18n.t('Billed first'), link]]
}

/** The decision itself is shown as a badge above. */
function decisionFacts({ decision }: InvoiceLine): readonly Fact[] {
  if (decision === null) return []
  const { decided_by: by, operator_id: operatorId, note, at } = decision
  return [
    [i18n.t('Decided by'), <bdi key="by">{by ?? operatorId ?? '–'}</bdi>],
    [i18n.t('Decided at'), <Time key="at" at={at} />],
    [i18n.t('Decided about'), <Badge key="about" value={decision.finding} />],
    [i18n.t('Note'), <Masked key="note" value={note} />],
  ]
}
