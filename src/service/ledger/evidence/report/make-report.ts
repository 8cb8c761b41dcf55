import type { JsonObject } from '../../../domain/decider.ts'
import {
  evolve,
  findCurrentAttempt,
  initialState,
  type Shipment,
  type State,
  statusOf,
} from '../../../domain/shipment/shipment.ts'
import { placement, type ShipmentPayload } from '../../../domain/shipment/shipment-payload.ts'
import type { LedgerEvent } from '../../../event-store/codec.ts'
import {
  type Block,
  type Fact,
  heading,
  paragraph,
  type Report,
} from '../../../processes/documents/report.ts'
import { verifierText } from '../../signed-note.ts'
import type { Personal } from '../personal.ts'
import {
  bothTimes,
  type Checked,
  checkBlocks,
  meaningBlocks,
  repeatBlocks,
} from './check-blocks.ts'
import { formatMoney, statusLabels } from './event-labels.ts'
import {
  conclusionBlocks,
  exchangeBlocks,
  keepingBlocks,
  lookBlocks,
  type TableDeps,
  timelineBlocks,
} from './report-tables.ts'
import { period, summary } from './summary.ts'

type ReportOf = TableDeps & {
  readonly shipmentId: string
  readonly events: readonly LedgerEvent[]
  readonly madeAt: Date
  readonly checked: Checked
  /** The references without content in the vault; null for a bundle without personal data. */
  readonly personal: Pick<Personal, 'erased' | 'missing'> | null
}

/** The report of a bundle: what happened to a shipment, for people. A pure function. */
export function reportOf(of: ReportOf): Report {
  const { shipmentId, events, madeAt, times, checked, names } = of
  const state = events.reduce(evolve, initialState as State)
  if (state === null) throw new Error('bug: a report without events')
  const made = bothTimes(times, madeAt.getTime())
  return {
    title: 'Evidence about a shipment',
    subtitle: `${shipmentId} · ${state.request.livemode ? 'live mode' : 'test mode: a simulated courier and a clock of its own'}`,
    footer: `Shipment ${shipmentId} · made ${made}`,
    madeAt,
    blocks: [
      heading('Summary'),
      paragraph(summary(events, times, names)),
      paragraph(`At the end of this history: ${statusLabels[statusOf(state)]}.`),
      { kind: 'facts', rows: resultFacts(of, state) },
      heading('The order'),
      { kind: 'facts', rows: orderFacts(of, state) },
      ...personalBlocks(of, state),
      ...timelineBlocks(events, of),
      ...exchangeBlocks(events, times),
      ...lookBlocks(events, of),
      ...conclusionBlocks(events, of),
      ...keepingBlocks(events, of),
      ...checkBlocks(checked, times),
      ...meaningBlocks(),
      ...repeatBlocks(verifierText(checked.signedWith)),
    ],
  }
}

function resultFacts({ events, times, checked }: ReportOf, state: Shipment): readonly Fact[] {
  const guide = findCurrentAttempt(state)?.guide ?? null
  return [
    ['Guide', guide?.guideNumber ?? 'none'],
    ['Price', guide?.price == null ? 'not reported' : formatMoney(guide.price)],
    ['History', period(events, times)],
    [
      'Check',
      checked.file.problems === 0
        ? 'Nothing is wrong with the history in this bundle.'
        : 'PROBLEMS were found. See “The check”.',
    ],
  ]
}

function orderFacts(
  { shipmentId, times }: ReportOf,
  { request, createdAt }: Shipment,
): readonly Fact[] {
  const { package: parcel, service } = request
  return [
    ['Shop', `organization ${request.organization_id}, workspace ${request.workspace_id}`],
    ['Courier', `${request.provider_code}, account ${request.courier_connection_id}`],
    ['Reference at the courier', shipmentId],
    ['External reference', request.external_reference],
    ['Idempotency key', request.idempotency_key],
    ['From', `agency ${request.origin.agency_id}`],
    ['To', `agency ${request.destination.agency_id}`],
    [
      'Parcel',
      `${parcel.quantity} × ${parcel.weight_kg} kg, ${parcel.length_m} × ${parcel.width_m} × ${parcel.height_m} m, product ${parcel.product_id}`,
    ],
    ['Service', `${service.mode}, paid by the ${service.payer}`],
    ...quoteFacts(request),
    ...otherFacts(request),
    ['Ordered', bothTimes(times, createdAt)],
  ]
}

function quoteFacts({ quote_id: quote, quoted_amount: amount }: Shipment['request']): Fact[] {
  if (quote === null) return []
  return [['Quote', amount === undefined ? quote : `${quote}, ${formatMoney(amount)}`]]
}

function personalBlocks({ personal, kept }: ReportOf, state: Shipment): readonly Block[] {
  if (personal === null) {
    return [
      paragraph(
        'This bundle was made without personal data: it does not contain the recipient, the content of the parcel, notes, or texts of the courier. The events commit to all of them.',
      ),
    ]
  }
  const payload = kept(state.request.vault_ref)
  if (payload === null) {
    const isErased = personal.erased.includes(state.request.vault_ref)
    return [paragraph(isErased ? erasedText : missingText)]
  }
  return [
    heading('Personal data'),
    { kind: 'facts', rows: [...personalFacts(payload), ...pickupFacts(kept, state)] },
    paragraph(
      'personal.json in the bundle has all of it, with the bodies of every request to the courier.',
    ),
  ]
}

const erasedText =
  'The personal data of this shipment was erased from the vault. The recipient and the content of the parcel cannot be restored. The history is complete without it.'
const missingText =
  'PROBLEM: the personal data of this shipment is missing from the vault, and no erasure explains it. The history is complete without it.'

function personalFacts(payload: JsonObject): readonly Fact[] {
  const { recipient, declared_content: content, metadata } = payload
  const { document_type, document, first_name, last_name } = (recipient ?? {}) as JsonObject
  return [
    ['Recipient', textOf([first_name, last_name])],
    ['Document', textOf([document_type, document])],
    ['Declared content', textOf([content])],
    ...Object.entries((metadata ?? {}) as JsonObject).map(
      ([name, value]): Fact => [`Metadata: ${name}`, textOf([value])],
    ),
    ...otherFacts(payload),
  ]
}

/** Fields of the order that `orderFacts` and `personalFacts` already show. */
const worded: ReadonlySet<string> = new Set<keyof ShipmentPayload>([
  'workspace_id',
  'courier_connection_id',
  'external_reference',
  'origin',
  'destination',
  'package',
  'service',
  'quote_id',
  'recipient',
  'declared_content',
  'metadata',
])

/** The other fields of the order, by name. */
export function otherFacts(
  fields: object,
  known: Readonly<Record<string, unknown>> = placement,
): readonly Fact[] {
  return Object.entries(fields)
    .filter(([name]) => name in known && !worded.has(name))
    .map(([name, value]) => {
      const words = name.replaceAll('_', ' ')
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return [words.charAt(0).toUpperCase() + words.slice(1), text]
    })
}

function pickupFacts(kept: ReportOf['kept'], state: Shipment): readonly Fact[] {
  const code = kept(findCurrentAttempt(state)?.guide?.pickupCodeRef ?? null)?.pickup_code
  return typeof code === 'string' ? [['Pickup code', code]] : []
}

function textOf(values: readonly unknown[]): string {
  return values.filter((value) => typeof value === 'string' && value !== '').join(' ')
}
