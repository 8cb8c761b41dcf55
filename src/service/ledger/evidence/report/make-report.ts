import { formatMoney } from '../../../domain/currency.ts'
import type { JsonObject } from '../../../domain/decider.ts'
import { type Language, numberText } from '../../../domain/language.ts'
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
import { eventLabels } from './event-labels.ts'
import { orderTexts } from './order-texts.ts'
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
  const { shipmentId, events, madeAt, times, checked, language } = of
  const texts = orderTexts[language]
  const state = events.reduce(evolve, initialState as State)
  if (state === null) throw new Error('bug: a report without events')
  const made = bothTimes(times, madeAt.getTime())
  return {
    language,
    title: texts.title,
    subtitle: `${shipmentId} · ${texts.mode[state.request.livemode ? 'live' : 'test']}`,
    footer: texts.footer(shipmentId, made),
    madeAt,
    blocks: [
      heading(texts.summary),
      paragraph(summary(events, of)),
      paragraph(texts.inTheEnd(eventLabels[language].statuses[statusOf(state)])),
      { kind: 'facts', rows: resultFacts(of, state) },
      heading(texts.order),
      { kind: 'facts', rows: orderFacts(of, state) },
      ...personalBlocks(of, state),
      ...timelineBlocks(events, of),
      ...exchangeBlocks(events, of),
      ...lookBlocks(events, of),
      ...conclusionBlocks(events, of),
      ...keepingBlocks(events, of),
      ...checkBlocks(checked, times, language),
      ...meaningBlocks(language),
      ...repeatBlocks(verifierText(checked.signedWith), language),
    ],
  }
}

function resultFacts(of: ReportOf, state: Shipment): readonly Fact[] {
  const { events, checked, language } = of
  const texts = orderTexts[language]
  const guide = findCurrentAttempt(state)?.guide ?? null
  return [
    [texts.results.guide, guide?.guideNumber ?? texts.noGuide],
    [
      texts.results.price,
      guide?.price == null ? texts.noPrice : formatMoney(guide.price, language),
    ],
    [texts.results.history, period(events, of)],
    [texts.results.check, checked.file.problems === 0 ? texts.nothingWrong : texts.problems],
  ]
}

function orderFacts(
  { shipmentId, times, language }: ReportOf,
  { request, createdAt }: Shipment,
): readonly Fact[] {
  const texts = orderTexts[language]
  const { facts } = texts
  const { package: parcel, service } = request
  const sides = [parcel.length_m, parcel.width_m, parcel.height_m]
  return [
    [facts.shop, texts.shop(request.organization_id, request.workspace_id)],
    [facts.courier, texts.courier(request.provider_code, request.courier_connection_id)],
    [facts.courierReference, shipmentId],
    [facts.externalReference, request.external_reference],
    [facts.idempotencyKey, request.idempotency_key],
    [facts.from, texts.agency(request.origin.agency_id)],
    [facts.to, texts.agency(request.destination.agency_id)],
    [
      facts.parcel,
      texts.parcel({
        quantity: parcel.quantity,
        kilograms: numberText(parcel.weight_kg, language),
        meters: sides.map((side) => numberText(side, language)).join(' × '),
        productId: parcel.product_id,
      }),
    ],
    [facts.service, texts.service(service.mode, service.payer)],
    ...moneyFacts(request, language),
    ...quoteFacts(request, language),
    ...otherFacts(request),
    [facts.ordered, bothTimes(times, createdAt)],
  ]
}

function moneyFacts(
  { declared_value: value, cash_on_delivery: cash }: Shipment['request'],
  language: Language,
): Fact[] {
  const { facts } = orderTexts[language]
  return [
    ...(value === undefined ? [] : [[facts.declaredValue, formatMoney(value, language)] as const]),
    ...(cash === undefined ? [] : [[facts.cashOnDelivery, formatMoney(cash, language)] as const]),
  ]
}

function quoteFacts(
  { quote_id: quote, quoted_amount: amount }: Shipment['request'],
  language: Language,
): Fact[] {
  if (quote === null) return []
  const value = amount === undefined ? quote : `${quote}, ${formatMoney(amount, language)}`
  return [[orderTexts[language].facts.quote, value]]
}

function personalBlocks({ personal, kept, language }: ReportOf, state: Shipment): readonly Block[] {
  const texts = orderTexts[language].personal
  if (personal === null) {
    return [paragraph(texts.without)]
  }
  const payload = kept(state.request.vault_ref)
  if (payload === null) {
    const isErased = personal.erased.includes(state.request.vault_ref)
    return [paragraph(isErased ? texts.erased : texts.missing)]
  }
  return [
    heading(texts.title),
    {
      kind: 'facts',
      rows: [...personalFacts(payload, texts), ...pickupFacts(kept, state, texts)],
    },
    paragraph(texts.more),
  ]
}

type PersonalTexts = (typeof orderTexts)[Language]['personal']

function personalFacts(payload: JsonObject, texts: PersonalTexts): readonly Fact[] {
  const { recipient, declared_content: content, metadata } = payload
  const person = (recipient ?? {}) as JsonObject
  const { document_type, document, first_name, last_name, phone, email } = person
  return [
    [texts.recipient, textOf([first_name, last_name])],
    [texts.document, textOf([document_type, document])],
    ...(phone === undefined ? [] : [[texts.phone, textOf([phone])] as const]),
    ...(email === undefined ? [] : [[texts.email, textOf([email])] as const]),
    [texts.declaredContent, textOf([content])],
    ...Object.entries((metadata ?? {}) as JsonObject).map(
      ([name, value]): Fact => [texts.metadata(name), textOf([value])],
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
  'declared_value',
  'cash_on_delivery',
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

function pickupFacts(
  kept: ReportOf['kept'],
  state: Shipment,
  texts: PersonalTexts,
): readonly Fact[] {
  const code = kept(findCurrentAttempt(state)?.guide?.pickupCodeRef ?? null)?.pickup_code
  return typeof code === 'string' ? [[texts.pickupCode, code]] : []
}

function textOf(values: readonly unknown[]): string {
  return values.filter((value) => typeof value === 'string' && value !== '').join(' ')
}
