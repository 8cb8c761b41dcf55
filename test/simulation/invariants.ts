import { isDeepStrictEqual } from 'node:util'
import { foldBatch } from '../../projections/fold-batch.ts'
import type { Cancellation } from '../../src/service/domain/operation/cancellation.ts'
import type { Creation } from '../../src/service/domain/operation/creation.ts'
import { isCarriedOut } from '../../src/service/domain/operation/machine.ts'
import { isCounted } from '../../src/service/domain/quota.ts'
import {
  currentAttempt,
  operationOf,
  type Shipment,
  statusOf,
} from '../../src/service/domain/shipment/shipment.ts'
import type { LedgerEvent } from '../../src/service/event-store/codec.ts'
import { decodeEvent } from '../../src/service/event-store/codec.ts'
import type { MasterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { Vault } from '../../src/service/security/vault/vault.ts'
import { outboxEventsOf } from '../../src/service/webhooks/outbox.ts'
import type { OutboxEvent } from '../../src/service/webhooks/store-webhooks.ts'
import { request } from '../support/given.ts'
import type { CourierTruth } from './courier-truth.ts'
import { MemoryReadModel } from './ports/memory-read-model.ts'
import type { MemoryVaultRows } from './ports/memory-vault-rows.ts'
import type { Outside } from './service-node.ts'
import type { Answers } from './shops.ts'

/** The violations of an event that is being written. */
export function whenAppended(
  shipmentId: string,
  event: LedgerEvent,
  before: Shipment | null,
  truth: CourierTruth,
): string | null {
  const guides = truth.of(shipmentId)
  if (closing.has(event.type) && isContradicted(event, before)) {
    return `${event.type} closes what was contradicted, and no person does`
  }
  switch (event.type) {
    case 'GuideRequested':
      return before?.erasedAt != null ? 'an erased person is to be sent to the courier again' : null
    case 'GuideNotCreated':
    case 'GuideNotSent':
    case 'GuideRejected':
      return guides.length > 0 ? `${event.type} of a guide that exists` : null
    case 'GuideIssued':
    case 'GuideFound': {
      const { guide_number: number } = event.data
      return guides.some((guide) => guide.number === number)
        ? null
        : `${event.type} of a guide that does not exist`
    }
    default:
      return null
  }
}

/** The events with which looks and late answers conclude. */
const closing: ReadonlySet<string> = new Set([
  'GuideFound',
  'GuideNotCreated',
  'CancellationFound',
  'GuideNotCancelled',
])

function isContradicted({ data }: LedgerEvent, before: Shipment | null): boolean {
  if (before === null || !('operation_id' in data)) return false
  return operationOf(before, data.operation_id)?.contradicted === true
}

type AtRest = {
  readonly states: ReadonlyMap<string, Shipment>
  readonly truth: CourierTruth
  readonly rows: MemoryVaultRows
  readonly answers: Answers
  readonly outside: Outside
  readonly keys: MasterKeys
}

/** The violations when nothing is in progress and nothing is due any more. */
export async function atRest(run: AtRest): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [shipmentId, state] of run.states) {
    wrong.push(...endedTruly(run, shipmentId, state), ...cancelledTruly(run, shipmentId, state))
    wrong.push(...(await personOf(run, shipmentId, state)))
  }
  for (const [shipmentId, numbers] of run.answers) {
    const real = run.truth.of(shipmentId).map(({ number }) => number)
    if (numbers.size > 1) wrong.push('one key was answered with two guides')
    if ([...numbers].some((number) => !real.includes(number)))
      wrong.push('an answer names a guide that does not exist')
  }
  for (const model of run.outside.models) wrong.push(...(await readModelOf(run, model)))
  return [...wrong, ...evidenceIn(run), ...placesOf(run), ...(await toldOf(run))]
}

const open = new Set(['calling', 'reconciling'])

function endedTruly({ truth }: AtRest, shipmentId: string, state: Shipment): string[] {
  const attempt = currentAttempt(state)
  const guides = truth.of(shipmentId)
  const wrong: string[] = []
  if (state.attempts.some((each) => open.has(each.state))) wrong.push('an attempt never ended')
  if (
    isCarriedOut(attempt) &&
    !guides.some(({ number }) => number === attempt.guide?.guideNumber)
  ) {
    wrong.push('a guide that does not exist')
  }
  const isDenied = ['refused', 'not_sent', 'denied'].includes(attempt.state)
  if (isDenied && guides.length > 0) wrong.push(`${attempt.state}, although a guide exists`)
  // An operation needs review only where the courier itself created two guides.
  if (attempt.state === 'needs_review' && guides.length < 2) {
    wrong.push(`it needs review with ${guides.length} guides: ${attempt.reviewReason}`)
  }
  return wrong
}

function cancelledTruly({ truth }: AtRest, shipmentId: string, state: Shipment): string[] {
  const number = currentAttempt(state).guide?.guideNumber
  const guide = truth.of(shipmentId).find((each) => each.number === number)
  if (guide === undefined) return []
  if (state.cancellations.some((each) => open.has(each.state))) {
    return ['a cancellation never ended']
  }
  const status = statusOf(state)
  const isUnderReview = state.cancellations.some((each) => each.state === 'needs_review')
  if (isUnderReview) return ['a cancellation needs review although the courier shows its outcome']
  return (status === 'cancelled') === guide.isCancelled
    ? []
    : [`${status}, and the guide is ${guide.isCancelled ? '' : 'not '}cancelled`]
}

/**
 * Each shipment that counts holds one place in the quota. Orphans wait for the sweeper; there are none if
 * places are taken with the events.
 */
function placesOf({ rows, states, outside: { isTogether } }: AtRest): readonly string[] {
  const wrong: string[] = []
  const held = new Set(rows.held())
  for (const [shipmentId, state] of states) {
    // Reserved for another attempt that was never appended: the sweeper releases it a day later.
    const isOrphan = rows.placeVersion(shipmentId) === state.version && !isCounted(state)
    if ((isOrphan && !isTogether) || held.has(shipmentId) === isCounted(state)) continue
    wrong.push(`the quota holds ${held.has(shipmentId)} for ${statusOf(state)}`)
  }
  if (isTogether) {
    const named = new Set([...states.values()].map(({ request }) => request.vault_ref))
    if ([...rows.rows.keys()].some((ref) => !named.has(ref))) wrong.push('a row without its event')
    if ([...held].some((shipmentId) => !states.has(shipmentId)))
      wrong.push('a place without its shipment')
  }
  const used = rows.used(request.organization_id)
  return used === held.size ? wrong : [...wrong, `${used} places are used and ${held.size} held`]
}

/**
 * The courier has the recipient of the winning request, and the vault can either open it or it is
 * erased.
 */
async function personOf(run: AtRest, shipmentId: string, state: Shipment): Promise<string[]> {
  const vault = new Vault(run.rows, run.keys)
  const open = await vault.open(state.request.vault_ref)
  if (state.erasedAt !== null) {
    const left = [...run.rows.rows.values()].some((row) => row.shipmentId === shipmentId)
    return open === null && !left ? [] : ['something is left of an erased person']
  }
  if (open === null) return ['the person of a shipment is lost']
  const { document } = open.payload.recipient as { document: string }
  return run.truth
    .of(shipmentId)
    .filter((guide) => guide.document !== document)
    .map(() => 'a label of another person')
}

/**
 * Every definite answer to a surviving process is recorded once that process has finished its work,
 * even before looks find it again.
 */
export function evidenceIn({ truth, states }: Pick<AtRest, 'truth' | 'states'>): readonly string[] {
  return truth.definiteReplies
    .filter(({ process }) => !process.wasCutOff)
    .filter(({ what, reference, guideNumber }) => {
      const state = states.get(reference)
      return what === 'created'
        ? !state?.attempts.some((attempt) => knows(attempt, guideNumber))
        : !state?.cancellations.some((each) => isKnown(each, guideNumber))
    })
    .map(() => 'what a courier has told was dropped')
}

function knows({ guide, knownGuides, lateAnswers, looks }: Creation, guideNumber: string): boolean {
  return (
    guide?.guideNumber === guideNumber ||
    knownGuides.includes(guideNumber) ||
    lateAnswers.includes('issued') ||
    looks.some(({ guideNumbers }) => guideNumbers.includes(guideNumber))
  )
}

/** Whether the ledger records the cancellation. */
function isKnown(cancellation: Cancellation, guideNumber: string): boolean {
  const isRecorded = isCarriedOut(cancellation) || cancellation.lateAnswers.includes('cancelled')
  return cancellation.guideNumber === guideNumber && isRecorded
}

async function allEvents({ outside }: AtRest) {
  const { events } = await outside.store.readAll(null, { limit: 10_000 })
  return events
}

/** Each event counts once, regardless of batches, repetitions and processes. */
async function readModelOf(run: AtRest, model: MemoryReadModel): Promise<readonly string[]> {
  const { projection } = model
  const fresh = new MemoryReadModel(projection)
  const apply = await fresh.prepare(run.outside.store, await allEvents(run), new Map())
  apply(null, (await run.outside.store.head()) ?? '')
  const said = (made: MemoryReadModel) =>
    [...Object.keys(projection.tables).map((table) => made.rows(table)), [...made.reconcileAt]].map(
      (rows) => rows.map((row) => JSON.stringify(row)).sort(),
    )
  return isDeepStrictEqual(said(fresh), said(model))
    ? []
    : [`${projection.name} does not match the ledger`]
}

/** The webhooks match the ledger, each exactly once, without a gap in a shipment's sequence. */
async function toldOf(run: AtRest): Promise<readonly string[]> {
  const { outbox: webhookOutbox, store } = run.outside
  const events = await allEvents(run)
  const decoded = events.map((event) => decodeEvent(event))
  const whole = await outboxEventsOf(store)((await foldBatch(store, decoded, new Map())).steps)
  const ids = (list: readonly OutboxEvent[]) =>
    list.map(({ event }) => `${event.id} ${event.sequence}`)
  const [was, is] = [ids(webhookOutbox.webhooks), ids(whole)]
  return was.join() === is.join() ? [] : ['the webhooks do not match the ledger']
}
