import { attemptStatuses, attemptTransitions } from '../../src/domain/attempt-transitions.ts'
import { operationFacts } from '../../src/domain/operation.ts'
import { shipmentStatusOf } from '../../src/domain/shipment.ts'
import { trackingCodes } from '../../src/domain/tracking.ts'
import {
  trackingStatuses,
  trackingStatusFacts,
  trackingTransitions,
} from '../../src/domain/tracking-transitions.ts'

/** The text of docs/states.md. */
export function statesPage(): string {
  const statuses = Object.entries(attemptTransitions)
  const events = Object.keys(attemptTransitions.calling)
  const rows = events.map((event) => {
    const cells = statuses.map(([, targets]) => {
      const target = (targets as Readonly<Record<string, string>>)[event]
      return target === 'never' || target === undefined ? '·' : target
    })
    return `| \`${event}\` | ${cells.join(' | ')} |`
  })
  const shown = attemptStatuses.map((attempt) => {
    const { status, result } = operationFacts[attempt]
    const ended = result === null ? '' : `\`${result}\``
    return `| ${attempt} | \`${shipmentStatusOf[attempt]}\` | \`${status}\` | ${ended} |`
  })
  const tracking = Object.entries(trackingStatusFacts).map(
    ([status, { phase, rank }]) => `| \`${status}\` | ${phase} | ${rank} |`,
  )
  const codes = Object.entries(trackingCodes).map(
    ([code, { status, subStatus, exception, signal, description }]) =>
      `| \`${code}\` | ${quoted(status)} | ${quoted(subStatus)} | ${exception ?? ''} | ${signal === status ? '' : quoted(signal)} | ${description} |`,
  )
  return `# States

Generated from the transition tables in \`src/domain\` by \`npm run generate\`. The tables are total: a
state without an answer for an event does not compile. A dot is a move that no decision makes.

## An attempt

Columns are what the attempt is, rows the event, cells what it becomes; *decision* is what the
event decides.

| event | ${statuses.map(([status]) => status).join(' | ')} |
|---|${statuses.map(() => '---').join('|')}|
${rows.join('\n')}

What moves an attempt, as a diagram:

\`\`\`mermaid
${diagram()}
\`\`\`

## What the shipment and the operation show

The attempt that speaks for a shipment is one that is open, else one with a guide, else the last. An
operation that was neither unknown nor contradicted answers by its id, and is in no list.

| the attempt is | \`shipment.status\` | \`operation.status\` | \`operation.result\` |
|---|---|---|---|
${shown.join('\n')}

## Tracking

Scans are folded in the order of the courier's own times, whenever they are learned. A higher rank
may be reached by skipping; any other move is an anomaly, kept without effect. \`cancelled\` follows
only \`registered\`. A final status is left only by what was found after a loss, and by a correction.

| status | phase | rank |
|---|---|---|
${tracking.join('\n')}

Columns are where the parcel is, rows what a later scan says, cells where it is then; a dot is an
anomaly.

| scan | ${trackingStatuses.join(' | ')} |
|---|${trackingStatuses.map(() => '---').join('|')}|
${moves().join('\n')}

## Tracking codes

| code | leads to | \`sub_status\` | exception | says | what people read |
|---|---|---|---|---|---|
${codes.join('\n')}
`
}

function moves(): readonly string[] {
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

/** Every move to another status; those of one pair share an arrow. */
function diagram(): string {
  const arrows = new Map<string, string[]>()
  for (const from of attemptStatuses) {
    for (const [event, target] of Object.entries(attemptTransitions[from])) {
      const decided = ['guide_exists', 'nothing_created']
      for (const to of target === 'decision' ? decided : [target]) {
        if (to === 'never' || to === from) continue
        const pair = `${from} --> ${to}`
        arrows.set(pair, [...(arrows.get(pair) ?? []), event])
      }
    }
  }
  const lines = [...arrows].map(([pair, events]) => `    ${pair}: ${events.join(', ')}`)
  return ['stateDiagram-v2', '    [*] --> calling: GuideRequested', ...lines].join('\n')
}
