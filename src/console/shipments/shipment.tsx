import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import IconShieldCheck from '@tabler/icons-react/icons/IconShieldCheck'
import { Link } from 'wouter'
import type { Answered, Operation, Shipment } from '../../client/methods.ts'
import { LegalHold } from '../forms/legal-hold.tsx'
import { ShipmentBills } from '../invoices/shipment-bills.tsx'
import { ListLink } from '../lists/list-link.tsx'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { operationColumns } from '../operations/operation-columns.tsx'
import { Badge } from '../parts/badge.tsx'
import {
  labelFileOf,
  singleLabelFormats,
  singleLabelQueryOf,
  useLabelFormat,
} from '../parts/label-format.ts'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { PdfOnRequest } from '../parts/pdf-on-request.tsx'
import { Needs, useMay } from '../parts/scopes.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { type Delivery, deliveryColumns } from '../webhooks/delivery-columns.tsx'
import { isErased } from './act-refusals.ts'
import { EvidenceBundle } from './evidence-bundle.tsx'
import { OpenOutcome } from './open-outcome.tsx'
import { RecipientLink } from './recipient-link.tsx'
import { ShipmentActs } from './shipment-acts.tsx'
import { ShipmentFacts } from './shipment-facts.tsx'
import { ShipmentHistory } from './shipment-history.tsx'
import { ShipmentNotes } from './shipment-notes.tsx'
import { ShipmentParcel } from './shipment-parcel.tsx'
import { type Replay, ShipmentReplay, useReplay } from './shipment-replay.tsx'

/**
 * During a creation or cancellation, changes come within moments; later they come with the
 * courier's scans.
 */
const movingEveryMs = 2_000
const restingEveryMs = 6_000
const moving = new Set<string>(['creating', 'unknown_outcome', 'cancelling'])

/** One shipment: where its parcel is, then its history and data. */
export function ShipmentScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const shipment = usePolled(
    ['shipment', id],
    client.shipments.get,
    { id },
    {
      everyMs: (last) => (moving.has(last?.status ?? '') ? movingEveryMs : restingEveryMs),
    },
  )
  if (shipment.data !== undefined) return <Shown now={shipment.data} />
  if (shipment.isPending) return <Loading />
  return <Failed isScreen error={shipment.error} again={() => void shipment.refetch()} />
}

function Shown({ now }: { readonly now: Answered<Shipment> }) {
  const replay = useReplay(now)
  const { shown, version } = replay
  const isOther = shown !== null && version !== null && shown.version !== version
  return (
    <>
      <ScreenHead
        back={<ListLink to="/shipments">{i18n.t('Shipments')}</ListLink>}
        title={<bdi>{now.external_reference}</bdi>}
        states={shown !== null && !isOther && <States shipment={shown} />}
        acts={<ShipmentActs shipment={now} />}
      />
      <OpenOutcome shipment={now} />
      {version !== null && <Earlier replay={replay} />}
      <div className="split">
        <Stack gap="sm" className="split-main">
          <ShipmentParcel id={now.id} shown={isOther ? null : shown} replay={replay} />
          <ShipmentNotes shipment={now} />
          <ShipmentHistory replay={replay} />
          <ShipmentReplay now={now} replay={replay} />
          <Proofs shipment={now} />
          <ShipmentOperations shipmentId={now.id} />
          <ShipmentBills shipmentId={now.id} />
          <ShipmentDeliveries shipmentId={now.id} />
        </Stack>
        <Stack gap="sm">
          {shown !== null ? (
            <Stack gap="sm" className="facts-of" aria-busy={isOther}>
              {isOther && (
                <p role="status">
                  {i18n.t('Showing version {shown} while version {version} is loading…', {
                    shown: shown.version,
                    version,
                  })}
                </p>
              )}
              <ShipmentFacts shipment={shown} />
            </Stack>
          ) : replay.error !== null ? (
            <Failed error={replay.error} again={replay.again} />
          ) : (
            <Loading />
          )}
          <RecipientLink shipment={now} />
          {/* A label that was loaded before an erasure must not stay on the screen. */}
          <ShipmentLabel key={isErased(now) ? 'erased' : 'kept'} shipment={now} />
        </Stack>
      </div>
    </>
  )
}

/** Says that the screen shows an earlier version, whose slider may be out of view. */
function Earlier({ replay: { version, versions, at, goTo } }: { readonly replay: Replay }) {
  return (
    <Group gap="xs" justify="space-between" px="md" py="xs" className="warned">
      <Text fz="inherit" flex="1 1 18rem" m={0}>
        {at === null ? (
          i18n.t('This is version {version} of {versions}.', { version, versions })
        ) : (
          <Trans
            id="This is version {version} of {versions}, as of {time}."
            values={{ version, versions, time: <Time at={at} /> }}
          />
        )}
      </Text>
      <Button variant="default" onClick={() => goTo(null)}>
        {i18n.t('Show the current version')}
      </Button>
    </Group>
  )
}

function States({ shipment }: { readonly shipment: Shipment }) {
  const { status, tracking } = shipment
  return (
    <>
      <Badge value={status} />
      {tracking.status !== null && <Badge value={tracking.status} />}
      {tracking.exception !== null && <Badge value={tracking.exception.code} />}
    </>
  )
}

/** What proves the history to others, and what protects the data against erasure. */
function Proofs({ shipment }: { readonly shipment: Shipment }) {
  const { client } = useSession()
  const { id, legal_hold: hold } = shipment
  return (
    <Panel title={i18n.t('Evidence and legal hold')}>
      {hold !== null && (
        <p>
          <Trans
            id="A legal hold keeps the personal data: since {time}."
            values={{ time: <Time at={hold.since} /> }}
          />
        </p>
      )}
      <div className="actions">
        <EvidenceBundle shipmentId={id} />
        <Button
          component={Link}
          href={`/health?shipment=${id}`}
          variant="default"
          leftSection={<IconShieldCheck size={15} />}
        >
          {i18n.t('Verify this shipment')}
        </Button>
        <LegalHold
          of={shipment}
          api={client.shipments}
          queryKey="shipment"
          keeps={i18n.t(
            'Its personal data is kept. It cannot be erased, and retention skips it, until you lift the hold.',
          )}
          afterwards={i18n.t(
            'If its retention period has ended, its personal data is erased. A hold on its workspace stays in place.',
          )}
        />
      </div>
    </Panel>
  )
}

/** The label, which contains personal data. */
function ShipmentLabel({ shipment }: { readonly shipment: Shipment }) {
  const { client } = useSession()
  const refused = refusalOf(shipment)
  const { format, choose } = useLabelFormat()
  return (
    <Panel title={i18n.t('Label')}>
      <p className="reason">
        {refused ?? i18n.t('It names the recipient, so it is loaded only on request.')}
      </p>
      <div className="actions">
        <NativeSelect
          label={i18n.t('Format of the label')}
          description={i18n.t('Kept in this browser.')}
          value={format === 'four_on_a4' ? 'a6' : format}
          data={singleLabelFormats()}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </div>
      <PdfOnRequest
        refused={refused}
        choices={[
          {
            word: i18n.t('Show the label'),
            read: async () => {
              const query = { id: shipment.id, ...singleLabelQueryOf(format) }
              const content = await client.documents.getLabel(query)
              return { ...labelFileOf(content), content }
            },
          },
        ]}
      />
    </Panel>
  )
}

function refusalOf({ status, guide_number, label }: Shipment): string | null {
  if (label.status === 'erased') return i18n.t('It was erased with the personal data.')
  if (status === 'creating') return i18n.t('The guide is still being created.')
  if (guide_number === null) return i18n.t('Without a guide there is no label.')
  return null
}

function deliveriesShown() {
  const { event, state, attempts, lastAnswer, endpoint, created } = deliveryColumns()
  return [event, state, attempts, lastAnswer, endpoint, created]
}

/** The webhook deliveries about one shipment. */
function ShipmentDeliveries({ shipmentId }: { readonly shipmentId: string }) {
  const { client } = useSession()
  const isEnabled = useMay('webhooks:read')
  const query = { shipment_id: shipmentId }
  const list = usePagedList<Delivery>({
    queryKey: ['deliveries', query],
    isEnabled,
    read: (page, options) => client.webhookDeliveries.list({ ...query, ...page }, options),
  })
  return (
    <Panel title={i18n.t('Webhooks')} className="listed">
      <Needs scope="webhooks:read">
        <Table
          what="webhooks"
          list={list}
          columns={deliveriesShown()}
          href={(row) => hrefOf(row.id)}
          whenEmpty={i18n.t('No endpoint is subscribed to these events.')}
        />
      </Needs>
    </Panel>
  )
}

function operationsShown(): readonly Column<Operation>[] {
  const of = operationColumns()
  return [
    of.type,
    of.state,
    of.plainWhy,
    {
      name: i18n.t('Created'),
      width: 'minmax(10rem, 1fr)',
      isLong: true,
      cell: (row) => <Time at={row.created_at} />,
    },
  ]
}

/** The operations of one shipment, including resolved ones. */
function ShipmentOperations({ shipmentId }: { readonly shipmentId: string }) {
  const { client } = useSession()
  const isEnabled = useMay('operations:read')
  const query = { shipment_id: shipmentId }
  const list = usePagedList<Operation>({
    queryKey: ['operations', 'shipment', query],
    isEnabled,
    read: (page, options) => client.operations.list({ ...query, ...page }, options),
  })
  return (
    <Panel title={i18n.t('Operations')} className="listed">
      <Needs scope="operations:read">
        <Table
          what="operations"
          list={list}
          columns={operationsShown()}
          href={(row) => `/operations/${row.id}`}
          whenEmpty={i18n.t('The outcome of every call was known immediately.')}
        />
      </Needs>
    </Panel>
  )
}
