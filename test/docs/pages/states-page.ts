import { cancellation } from '../../../src/service/domain/operation/cancellation.ts'
import { creation } from '../../../src/service/domain/operation/creation.ts'
import {
  type OperationType,
  operationResultOf,
  operationStatusOfState,
} from '../../../src/service/domain/operation/operation.ts'
import {
  type Declared,
  type EventRole,
  type OperationState,
  operationStates,
  transitions,
} from '../../../src/service/domain/operation/transitions.ts'
import {
  statusByCancellation,
  statusByCreation,
} from '../../../src/service/domain/shipment/shipment.ts'
import { trackingCodes } from '../../../src/service/domain/tracking/tracking.ts'
import {
  trackingStatuses,
  trackingStatusFacts,
  trackingTransitions,
} from '../../../src/service/domain/tracking/tracking-transitions.ts'

const steps = Object.keys(transitions.calling) as readonly EventRole[]

/** The transition table, with steps as rows and states as columns. */
function moves(): string {
  const rows = steps.map((step) => {
    const cells = operationStates.map((state) => {
      const target = transitions[state][step]
      return target === 'never' ? '·' : target
    })
    return `| ${step} | ${cells.join(' | ')} |`
  })
  return `| step | ${operationStates.join(' | ')} |
|---|${operationStates.map(() => '---').join('|')}|
${rows.join('\n')}`
}

/** The event of each step, for both types of operation. */
function eventNames(): string {
  const rows = steps.map(
    (step) => `| ${step} | \`${creation.events[step]}\` | \`${cancellation.events[step]}\` |`,
  )
  return `| step | creation | cancellation |
|---|---|---|
${rows.join('\n')}`
}

function shows(
  type: OperationType,
  shipment: Readonly<Record<OperationState, string>>,
): readonly string[] {
  return operationStates.map((state) => {
    const result = operationResultOf({ type, state })
    const ended = result === null ? '' : `\`${result}\``
    return `| ${state} | \`${shipment[state]}\` | \`${operationStatusOfState[state]}\` | ${ended} |`
  })
}

/** The text of docs/states.md. */
export function statesPage(): string {
  const tracking = Object.entries(trackingStatusFacts).map(
    ([status, { phase, rank }]) => `| \`${status}\` | ${phase} | ${rank} |`,
  )
  const codes = Object.entries(trackingCodes).map(
    ([code, { status, subStatus, exception, signal, description }]) =>
      `| \`${code}\` | ${quoted(status)} | ${quoted(subStatus)} | ${exception ?? ''} | ${signal === status ? '' : quoted(signal)} | ${description} |`,
  )
  return `# States

A dot means that the step cannot happen in that state.

## An operation

A creation and a cancellation are one machine: a request that goes to the courier once, and whose
outcome must become certain. Columns are the state, rows the step, cells the next state; *decision* is
what the operator decides. A courier's own confirmation of a cancellation is never contradicted.

${moves()}

\`\`\`mermaid
${diagram(creation)}
\`\`\`

Each step is an event of its kind:

${eventNames()}

## What the shipment and the operation show

The current attempt of a shipment is one that is open, else one with a guide, else the last. An
operation that was neither unknown nor contradicted is found by its id, and is in no list.

| the creation is | \`shipment.status\` | \`operation.status\` | \`operation.result\` |
|---|---|---|---|
${shows('shipment_creation', statusByCreation).join('\n')}

A shipment with a guide can be cancelled. Of several tries to cancel it, one that is cancelled takes
precedence, then one that is under way or open.

| the cancellation is | \`shipment.status\` | \`operation.status\` | \`operation.result\` |
|---|---|---|---|
${shows('shipment_cancellation', statusByCancellation).join('\n')}

## Tracking

Scans are folded in the order of the courier's own times, whenever they are learned. A higher rank
may be reached by skipping; any other move is an anomaly, kept without effect. \`cancelled\` follows
only \`registered\`. A final status is left only by what was found after a loss, and by a correction.
A scan from more than a day before the shipment was requested is about an earlier parcel with the same
guide number: it is kept and not folded.

| status | phase | rank |
|---|---|---|
${tracking.join('\n')}

Columns are where the parcel is, rows what a later scan says, cells where it is then; a dot is an
anomaly.

| scan | ${trackingStatuses.join(' | ')} |
|---|${trackingStatuses.map(() => '---').join('|')}|
${trackingMoves().join('\n')}

## Tracking codes

| code | leads to | \`sub_status\` | exception | says | what people read |
|---|---|---|---|---|---|
${codes.join('\n')}
`
}

function trackingMoves(): readonly string[] {
  const signals = Object.keys(trackingTransitions.registered)
  return signals.map((signal) => {
    const cells = trackingStatuses.map((from) => {
      const target = (trackingTransitions[from] as Readonly<Record<string, string>>)[signal]
      return target === 'anomaly' ? '·' : target
    })
    return `| \`${signal}\` | ${cells.join(' | ')} |`
  })
}

function quoted(text: string | null): string {
  return text === null ? '' : `\`${text}\``
}

/** Every transition with its events; transitions between the same states share an arrow. */
function diagram({ events }: Declared): string {
  const arrows = new Map<string, string[]>()
  for (const from of operationStates) {
    for (const step of steps) {
      const target = transitions[from][step]
      for (const to of target === 'decision' ? ['affirmed', 'denied'] : [target]) {
        if (to === 'never' || to === from) continue
        const pair = `${from} --> ${to}`
        arrows.set(pair, [...(arrows.get(pair) ?? []), events[step]])
      }
    }
  }
  const lines = [...arrows].map(([pair, named]) => `    ${pair}: ${named.join('<br>')}`)
  return ['stateDiagram-v2', '    [*] --> calling: GuideRequested', ...lines].join('\n')
}
