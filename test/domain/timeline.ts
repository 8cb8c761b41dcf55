import { type Instant, isRefusal } from '../../src/service/domain/decider.ts'
import type { CallOutcome, LookResult } from '../../src/service/domain/operation/kind.ts'
import { next, nextDue } from '../../src/service/domain/operation/reconciliation.ts'
import { initialState, type Shipment } from '../../src/service/domain/shipment/shipment.ts'
import { type Command, decide } from '../../src/service/domain/shipment/shipment-decisions.ts'
import { operationId, type Past, record, requestShipment, start } from '../support/given.ts'

export type ScriptedCourier = {
  /** How the call ended and when; null if the process that made it died. */
  readonly call: { readonly atMs: number; readonly outcome: CallOutcome } | null
  /** What a look finds if it starts this long after T. */
  readonly look: (atMs: number) => LookResult
  /** The real time that a look takes. */
  readonly lookMs?: number
}

/** What happened, in seconds after T. */
type Happened = { readonly at: number; readonly what: string }

export type Timeline = { readonly past: Past; readonly happened: readonly Happened[] }

const stepsMax = 200

/**
 * Runs the process manager against a scripted courier, without waiting, until this long after T.
 */
export function play(courier: ScriptedCourier, untilMs: number): Timeline {
  let line = act(
    { past: { state: initialState, events: [] }, happened: [] },
    requestShipment,
    start,
  )
  if (courier.call !== null) {
    const { atMs, outcome } = courier.call
    line = act(line, { do: 'record_outcome', operationId, outcome }, start + atMs)
  }
  return resume(line, courier, untilMs)
}

/** Continues from there; work due earlier is done at its due time. */
export function resume(line: Timeline, courier: ScriptedCourier, untilMs: number): Timeline {
  let now = line
  for (let steps = 0; steps < stepsMax; steps++) {
    const { attempts, updatedAt } = now.past.state as Shipment
    const due = nextDue(attempts)
    if (due === null || due.at > start + untilMs) return now
    const at = Math.max(due.at, updatedAt)
    const step = next(attempts, at)
    if (step === null) throw new Error('nothing is due at the time that nextDue gave')
    now = act(
      now,
      commandOf(step, at, courier),
      step.do === 'look' ? at + (courier.lookMs ?? 0) : at,
    )
  }
  throw new Error('the process manager never finishes')
}

function commandOf(
  step: NonNullable<ReturnType<typeof next>>,
  at: Instant,
  courier: ScriptedCourier,
): Command {
  switch (step.do) {
    case 'look':
      return {
        do: 'record_look',
        operationId: step.operationId,
        by: 'reconciliation',
        startedAt: at,
        result: courier.look(at - start),
      }
    case 'expire': {
      const outcome = { kind: 'unknown', cause: 'process_died', courierCanBeAsked: true } as const
      return { do: 'record_outcome', operationId: step.operationId, outcome }
    }
    case 'require_review':
      return { do: 'require_review', operationId: step.operationId, now: at }
    case 'escalate':
      return { do: 'escalate', operationId: step.operationId }
  }
}

/** Decides and records the command at this time. */
export function act(line: Timeline, command: Command, at: Instant): Timeline {
  const decision = decide(line.past.state, command)
  if (isRefusal(decision)) throw new Error(`${command.do} was refused: ${decision.refused}`)
  const happened = decision.map((event) => ({
    at: ((event.occurredAt ?? at) - start) / 1_000,
    what: event.type === 'GuideLookedUp' ? `look ${event.data.answer}` : event.type,
  }))
  return {
    past: record(line.past, decision, at),
    happened: [...line.happened, ...happened],
  }
}

/** The times at which something happened, in seconds after T. */
export function timesOf(line: Timeline, what: string): readonly number[] {
  return line.happened.filter((each) => each.what.startsWith(what)).map((each) => each.at)
}
