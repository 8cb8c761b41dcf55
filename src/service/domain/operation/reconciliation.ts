import type { Instant } from '../decider.ts'
import { isOpen, type Look, type OperationCore } from './machine.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Timing of reconciliation, which ends every unknown outcome. */
export const reconciliationTimes = {
  /** Absence cannot be concluded before the call deadline plus this margin. */
  settleMs: 2 * minuteMs,
  /** A person must decide after this. */
  deadlineMs: 8 * hourMs,
  /** Wait between the outcome becoming unknown and the first look. */
  firstLookMs: 2 * secondMs,
  /** Waits after the 1st, 2nd and 3rd absence. The next look is when settling ends, and none is later. */
  afterAbsentMs: [5 * secondMs, 15 * secondMs, 45 * secondMs],
  /** Wait after each look once settling has ended. */
  afterSettledMs: 30 * secondMs,
  /** Waits after the 1st, 2nd, … inconclusive look of an operation; the last one repeats. */
  afterInconclusiveMs: [2 * minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 2 * hourMs],
  /** Absences count only if they are at least this far apart. */
  countedApartMs: 30 * secondMs,
  /** Counted absences in a row needed to conclude. */
  countedToConclude: 3,
  /** An operation open for this long is shown to the platform too. */
  escalateMs: hourMs,
  /** Looks after a conclusion, counted from the attempt's request. */
  followUpMs: [24 * hourMs, 48 * hourMs, 7 * dayMs],
  /** Wait before the only look after a conclusion that came later than all of those. */
  followUpLateMs: 24 * hourMs,
  /** Minimum time between two looks by operators. */
  lookApartMs: 10 * secondMs,
} as const

/** Looks of one operation; the schedule makes fewer than 40, operators make the rest. */
export const looksMax = 500

export type DueAction =
  | { readonly do: 'expire'; readonly operationId: string }
  | { readonly do: 'look'; readonly operationId: string }
  | { readonly do: 'require_review'; readonly operationId: string }
  | { readonly do: 'escalate'; readonly operationId: string }

type Due = { readonly at: Instant; readonly action: DueAction }

/** Whether the answer denies that the request was carried out: no guide, or one that still stands. */
export function isDenial(answer: Look['answer']): boolean {
  return answer === 'absent' || answer === 'standing'
}

function absencesAndFailures(operation: OperationCore): { absent: number; inconclusive: number } {
  let absent = 0
  let inconclusive = 0
  for (const look of operation.looks) {
    if (isDenial(look.answer)) absent += 1
    if (look.answer === 'inconclusive') inconclusive += 1
  }
  return { absent, inconclusive }
}

function pick(waits: readonly number[], count: number): number {
  return waits[Math.min(count, waits.length) - 1] ?? 0
}

function nextScheduledLook(operation: OperationCore, unknownAt: Instant): Instant {
  const last = operation.looks.at(-1)
  if (last === undefined) return unknownAt + reconciliationTimes.firstLookMs
  const { absent, inconclusive } = absencesAndFailures(operation)
  if (last.answer === 'inconclusive') {
    return last.at + pick(reconciliationTimes.afterInconclusiveMs, inconclusive)
  }
  if (last.at >= operation.settleUntil) return last.at + reconciliationTimes.afterSettledMs
  const waits = reconciliationTimes.afterAbsentMs
  if (absent > waits.length) return operation.settleUntil
  return Math.min(last.at + pick(waits, absent), operation.settleUntil)
}

function nextFollowUp(operation: OperationCore): Instant | null {
  if (operation.endedAt === null) return null
  const lookedAt = operation.looks.at(-1)?.at ?? operation.endedAt
  const after = Math.max(operation.endedAt, lookedAt)
  const points = reconciliationTimes.followUpMs.map((wait) => operation.requestedAt + wait)
  const last = points.at(-1) ?? operation.requestedAt
  if (operation.endedAt >= last) {
    const late = operation.endedAt + reconciliationTimes.followUpLateMs
    return lookedAt >= late ? null : late
  }
  return points.find((point) => point > after) ?? null
}

/** When the courier is next asked automatically; null if never again. */
export function nextLookAt(operation: OperationCore): Instant | null {
  if (!operation.courierCanBeAsked || operation.looks.length >= looksMax) return null
  switch (operation.state) {
    case 'reconciling': {
      const at = nextScheduledLook(operation, operation.unknownAt ?? operation.callDeadline)
      return at < operation.deadlineAt ? at : null
    }
    case 'needs_review':
    case 'denied':
      return nextFollowUp(operation)
    case 'affirmed':
      return operation.resolution?.by === 'operator' ? nextFollowUp(operation) : null
    case 'calling':
    case 'succeeded':
    case 'refused':
    case 'not_sent':
      return null
  }
}

/**
 * Everything still due for the operation, earliest first; on a tie, review precedes another look.
 */
function dueOf(operation: OperationCore): Due[] {
  const due: Due[] = []
  const { operationId } = operation
  if (operation.state === 'calling') {
    due.push({ at: operation.callDeadline, action: { do: 'expire', operationId } })
  }
  if (operation.state === 'reconciling') {
    const at = operation.courierCanBeAsked ? operation.deadlineAt : (operation.unknownAt ?? 0)
    due.push({ at, action: { do: 'require_review', operationId } })
  }
  if (isOpen(operation) && !operation.escalated) {
    const began = operation.unknownAt ?? operation.requestedAt
    const at =
      operation.state === 'needs_review'
        ? (operation.endedAt ?? operation.updatedAt)
        : began + reconciliationTimes.escalateMs
    due.push({ at, action: { do: 'escalate', operationId } })
  }
  const lookAt = nextLookAt(operation)
  if (lookAt !== null) due.push({ at: lookAt, action: { do: 'look', operationId } })
  return due.sort((a, b) => a.at - b.at)
}

/** The pure half of the process manager: what is due first for these operations; null if nothing is. */
export function nextDue(operations: readonly OperationCore[]): Due | null {
  let first: Due | null = null
  for (const operation of operations) {
    const due = dueOf(operation)[0]
    if (due !== undefined && (first === null || due.at < first.at)) first = due
  }
  return first
}

/**
 * What is due now. Past its deadline an operation goes to review, even if it was waiting for a
 * look. Work that needs no courier does not wait for a look that a parked connection defers.
 */
export function next(operations: readonly OperationCore[], now: Instant): DueAction | null {
  const due = operations
    .flatMap(dueOf)
    .filter(({ at }) => at <= now)
    .sort((a, b) => a.at - b.at)
  const first =
    due.find(({ action: step }) => step.do === 'require_review') ??
    due.find(({ action: step }) => step.do !== 'look') ??
    due[0]
  return first?.action ?? null
}

/** Whether a denial counts if its look started at this time. */
export function counts(operation: OperationCore, startedAt: Instant): boolean {
  if (startedAt < operation.settleUntil) return false
  const last = operation.looks.findLast((look) => look.counted)
  return last === undefined || startedAt - last.at >= reconciliationTimes.countedApartMs
}

/** Whether the looks so far, including this one, are enough counted denials in a row. */
export function concludesDenied(
  operation: OperationCore,
  look: Pick<Look, 'answer' | 'counted'>,
): boolean {
  if (!isDenial(look.answer)) return false
  let inRow = 0
  for (const { answer, counted } of [...operation.looks, look]) {
    if (answer === 'inconclusive') inRow = 0
    else if (counted) inRow += 1
  }
  return inRow >= reconciliationTimes.countedToConclude
}
