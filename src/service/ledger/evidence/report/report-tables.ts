import { type Instant, instant } from '../../../domain/decider.ts'
import type { Exchange } from '../../../domain/event-fields.ts'
import type { Language } from '../../../domain/language.ts'
import type { LedgerEvent } from '../../../event-store/codec.ts'
import { type Block, type Cell, heading, paragraph } from '../../../processes/documents/report.ts'
import { describeActor, eventLabels, type Names } from './event-labels.ts'
import { tableTexts } from './table-texts.ts'
import { type DescribeDeps, describeEvent } from './timeline.ts'
import type { Times } from './times.ts'

/* The tables of a report. The first column is the event's number in the history. */

const numberColumn = { title: '#', points: 20 } as const
const timePoints = 104
const personPoints = 112

/** The time in the reader's zone and, unless that is UTC, in UTC. */
function whenCell(times: Times, at: Instant): Cell {
  return times.zone === 'UTC' ? times.utc(at) : [times.local(at), times.utc(at)]
}

export type TableDeps = DescribeDeps & { readonly names: Names }

type EventTable = {
  readonly what: string
  readonly why: string
  /** The time to show. Default: when the event was recorded. */
  readonly at?: (event: LedgerEvent) => Instant
  /** A line to add to the column `why`. */
  readonly more?: (event: LedgerEvent) => string
}

/** One row for each event. */
function eventTable(
  events: readonly LedgerEvent[],
  { names, ...deps }: TableDeps,
  { what, why, at = ({ recordedAt }) => recordedAt, more = () => '' }: EventTable,
): Block {
  const rows = events.map((event) => {
    const described = describeEvent(event, deps)
    const because = [described.why, more(event)].filter((line) => line !== '')
    const who = describeActor(event, names, deps.language)
    return [String(event.version), whenCell(deps.times, at(event)), who, described.what, because]
  })
  const texts = tableTexts[deps.language]
  const columns = [
    numberColumn,
    { title: texts.when, points: timePoints },
    { title: texts.who, points: personPoints },
    { title: what, share: 1.1 },
    { title: why, share: 1 },
  ]
  return { kind: 'table', columns, rows }
}

export function timelineBlocks(events: readonly LedgerEvent[], deps: TableDeps): readonly Block[] {
  const { timeline, what, why } = tableTexts[deps.language]
  return [
    heading(timeline.title),
    paragraph(timeline.about),
    eventTable(events, deps, { what, why }),
  ]
}

/** Characters of a digest that are printed: enough to find it in the history. */
const digestCharacters = 12

function exchangesOf(event: LedgerEvent): readonly Exchange[] {
  return 'exchanges' in event.data ? (event.data.exchanges ?? []) : []
}

export function exchangeBlocks(
  events: readonly LedgerEvent[],
  { times, language }: Pick<TableDeps, 'times' | 'language'>,
): readonly Block[] {
  const { when, exchanges: texts } = tableTexts[language]
  const rows = events.flatMap((event) =>
    exchangesOf(event).map((exchange) => [
      String(event.version),
      ...exchangeCells(exchange, times, language),
    ]),
  )
  const title = heading(texts.title)
  if (rows.length === 0) return [title, paragraph(texts.none)]
  return [
    title,
    paragraph(texts.about),
    {
      kind: 'table',
      columns: [
        numberColumn,
        { title: when, points: timePoints },
        { title: texts.columns.request, points: 62 },
        { title: texts.columns.sent, points: 34 },
        { title: texts.columns.answer, share: 1 },
        { title: texts.columns.courierId, share: 1.1 },
        { title: texts.columns.digests, points: 76 },
      ],
      rows,
    },
  ]
}

function exchangeCells(exchange: Exchange, times: Times, language: Language): readonly Cell[] {
  const texts = tableTexts[language].exchanges
  const { failures } = eventLabels[language]
  const { at, call, attempt, sent, status_code: status, failure, latency_ms: ms } = exchange
  const answer = status === null ? texts.noAnswer : `HTTP ${status}`
  return [
    whenCell(times, instant(at)),
    attempt === 1 ? texts.calls[call] : [texts.calls[call], texts.retry(attempt - 1)],
    texts.sent[sent],
    [answer, ...(failure === null ? [] : [failures[failure]]), `${ms} ms`],
    exchange.courier_request_id ?? texts.noCourierId,
    [
      texts.sentDigest(short(exchange.request_digest) ?? texts.noDigest),
      texts.gotDigest(short(exchange.response_digest) ?? texts.noDigest),
    ],
  ]
}

function short(digest: string | null): string | null {
  return digest === null ? null : digest.slice(0, digestCharacters)
}

export function lookBlocks(events: readonly LedgerEvent[], deps: TableDeps): readonly Block[] {
  const looks = events.filter(
    ({ type }) => type === 'GuideLookedUp' || type === 'CancellationLookedUp',
  )
  if (looks.length === 0) return []
  const texts = tableTexts[deps.language].looks
  return [
    heading(texts.title),
    paragraph(texts.about),
    eventTable(looks, deps, {
      what: texts.result,
      why: texts.counts,
      at: ({ occurredAt }) => occurredAt,
    }),
  ]
}

/** The events that draw a conclusion, and those that undo one. */
const concluding: ReadonlySet<string> = new Set([
  'GuideIssued',
  'GuideRejected',
  'GuideNotSent',
  'GuideFound',
  'GuideNotCreated',
  'OperationReviewRequired',
  'OperationResolved',
  'OperationContradicted',
  'GuideCancelled',
  'CancellationRefused',
  'CancellationNotSent',
  'CancellationFound',
  'GuideNotCancelled',
])

export function conclusionBlocks(
  events: readonly LedgerEvent[],
  deps: TableDeps,
): readonly Block[] {
  const { why, conclusions: texts } = tableTexts[deps.language]
  const title = heading(texts.title)
  const conclusions = events.filter(({ type }) => concluding.has(type))
  if (conclusions.length === 0) return [title, paragraph(texts.none)]
  const more = (event: LedgerEvent) => {
    const against = contradiction(event, events)
    return against === null ? '' : texts.contradictedBy(against)
  }
  return [title, eventTable(conclusions, deps, { what: texts.conclusion, why, more })]
}

/** The number of a later event of the same operation that contradicts this one. */
function contradiction(event: LedgerEvent, events: readonly LedgerEvent[]): number | null {
  if (event.type === 'OperationContradicted' || event.type === 'OperationReviewRequired')
    return null
  const operationId = operationIn(event)
  const against = events.find(
    (later) =>
      later.type === 'OperationContradicted' &&
      later.version > event.version &&
      operationIn(later) === operationId,
  )
  return against?.version ?? null
}

function operationIn({ data }: LedgerEvent): string | null {
  return 'operation_id' in data ? data.operation_id : null
}

const keeping: ReadonlySet<string> = new Set([
  'LegalHoldPlaced',
  'LegalHoldLifted',
  'PersonalDataErased',
])

export function keepingBlocks(events: readonly LedgerEvent[], deps: TableDeps): readonly Block[] {
  const { what, why, keeping: texts } = tableTexts[deps.language]
  const title = heading(texts.title)
  const acts = events.filter(({ type }) => keeping.has(type))
  if (acts.length > 0) return [title, eventTable(acts, deps, { what, why })]
  return [title, paragraph(texts.none)]
}
