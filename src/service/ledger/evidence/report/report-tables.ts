import { type Instant, instant } from '../../../domain/decider.ts'
import type { Exchange } from '../../../domain/event-fields.ts'
import type { LedgerEvent } from '../../../event-store/codec.ts'
import { type Block, type Cell, heading, paragraph } from '../../../processes/documents/report.ts'
import { describeActor, failureLabels, type Names } from './event-labels.ts'
import { type DescribeDeps, describeEvent } from './timeline.ts'
import type { Times } from './times.ts'

/* The tables of a report. The first column is the event's number in the history. */

const numberColumn = { title: '#', points: 20 } as const
const timeColumn = { title: 'When', points: 104 } as const
const personColumn = { title: 'Who', points: 112 } as const

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
    const who = describeActor(event, names)
    return [String(event.version), whenCell(deps.times, at(event)), who, described.what, because]
  })
  const columns = [
    numberColumn,
    timeColumn,
    personColumn,
    { title: what, share: 1.1 },
    { title: why, share: 1 },
  ]
  return { kind: 'table', columns, rows }
}

export function timelineBlocks(events: readonly LedgerEvent[], deps: TableDeps): readonly Block[] {
  return [
    heading('What happened, step by step'),
    paragraph(
      'Every event that the ledger holds about this shipment, in its order. “When” is the time at which the event was recorded.',
    ),
    eventTable(events, deps, { what: 'What', why: 'Why' }),
  ]
}

const callWords = { create: 'Create a guide', cancel: 'Cancel a guide', look: 'Look' } as const
const sentWords = { yes: 'yes', no: 'no', unknown: 'unknown' } as const
/** Characters of a digest that are printed: enough to find it in the history. */
const digestCharacters = 12

function exchangesOf(event: LedgerEvent): readonly Exchange[] {
  return 'exchanges' in event.data ? (event.data.exchanges ?? []) : []
}

export function exchangeBlocks(events: readonly LedgerEvent[], times: Times): readonly Block[] {
  const rows = events.flatMap((event) =>
    exchangesOf(event).map((exchange) => [
      String(event.version),
      ...exchangeCells(exchange, times),
    ]),
  )
  const title = heading('Requests to the courier')
  if (rows.length === 0) return [title, paragraph('No request to the courier is on record.')]
  return [
    title,
    paragraph(
      'Every request that could create or cancel a guide, or looked for one, safe retries included. “Sent” says whether a byte of it left. The digests commit to both bodies; only their first characters are printed.',
    ),
    {
      kind: 'table',
      columns: [
        numberColumn,
        timeColumn,
        { title: 'Request', points: 62 },
        { title: 'Sent', points: 34 },
        { title: 'Answer', share: 1 },
        { title: "Courier's id", share: 1.1 },
        { title: 'Digests', points: 76 },
      ],
      rows,
    },
  ]
}

function exchangeCells(exchange: Exchange, times: Times): readonly Cell[] {
  const { at, call, attempt, sent, status_code: status, failure, latency_ms: ms } = exchange
  const answer = status === null ? 'No answer' : `HTTP ${status}`
  return [
    whenCell(times, instant(at)),
    attempt === 1 ? callWords[call] : [callWords[call], `retry ${attempt - 1}`],
    sentWords[sent],
    [answer, ...(failure === null ? [] : [failureLabels[failure]]), `${ms} ms`],
    exchange.courier_request_id ?? 'none',
    [`sent ${short(exchange.request_digest)}`, `got ${short(exchange.response_digest)}`],
  ]
}

function short(digest: string | null): string {
  return digest === null ? 'none' : digest.slice(0, digestCharacters)
}

export function lookBlocks(events: readonly LedgerEvent[], deps: TableDeps): readonly Block[] {
  const looks = events.filter(
    ({ type }) => type === 'GuideLookedUp' || type === 'CancellationLookedUp',
  )
  if (looks.length === 0) return []
  return [
    heading('Looks at the courier'),
    paragraph('“When” is the time at which the look began.'),
    eventTable(looks, deps, {
      what: 'Result',
      why: 'Does it count?',
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
  const title = heading('What was concluded, by whom and why')
  const conclusions = events.filter(({ type }) => concluding.has(type))
  if (conclusions.length === 0) return [title, paragraph('Nothing is concluded yet.')]
  const more = (event: LedgerEvent) => contradiction(event, events)
  return [title, eventTable(conclusions, deps, { what: 'Conclusion', why: 'Why', more })]
}

/** A note if a later event of the same operation contradicts this one. */
function contradiction(event: LedgerEvent, events: readonly LedgerEvent[]): string {
  if (event.type === 'OperationContradicted' || event.type === 'OperationReviewRequired') return ''
  const operationId = operationIn(event)
  const against = events.find(
    (later) =>
      later.type === 'OperationContradicted' &&
      later.version > event.version &&
      operationIn(later) === operationId,
  )
  return against === undefined ? '' : `Contradicted by event ${against.version}.`
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
  const title = heading('Legal holds and erasures')
  const acts = events.filter(({ type }) => keeping.has(type))
  if (acts.length > 0) return [title, eventTable(acts, deps, { what: 'What', why: 'Why' })]
  const none = 'None on this shipment. A hold on its whole workspace is not part of its history.'
  return [title, paragraph(none)]
}
