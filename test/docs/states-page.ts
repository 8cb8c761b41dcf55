import {
  attemptStatuses,
  attemptTransitions,
} from '../../src/domain/operation/attempt-transitions.ts'
import {
  cancellationStatuses,
  cancellationTransitions,
} from '../../src/domain/operation/cancellation-transitions.ts'
import { cancellationFacts, operationFacts } from '../../src/domain/operation/operation.ts'
import { cancellationShows, shipmentStatusOf } from '../../src/domain/shipment/shipment.ts'
import { trackingCodes } from '../../src/domain/tracking/tracking.ts'
import {
  trackingStatuses,
  trackingStatusFacts,
  trackingTransitions,
} from '../../src/domain/tracking/tracking-transitions.ts'

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A transition table: events down, states across. */
function movesOf(table: Table): string {
  const statuses = Object.entries(table)
  const events = Object.keys(table.calling ?? {})
  const rows = events.map((event) => {
    const cells = statuses.map(([, targets]) => {
      const target = targets[event]
      return target === 'never' || target === undefined ? '·' : target
    })
    return `| \`${event}\` | ${cells.join(' | ')} |`
  })
  return `| event | ${statuses.map(([status]) => status).join(' | ')} |
|---|${statuses.map(() => '---').join('|')}|
${rows.join('\n')}`
}

/** The text of docs/states.md. */
export function statesPage(): string {
  const shown = attemptStatuses.map((attempt) => {
    const { status, result } = operationFacts[attempt]
    const ended = result === null ? '' : `\`${result}\``
    return `| ${attempt} | \`${shipmentStatusOf[attempt]}\` | \`${status}\` | ${ended} |`
  })
  const cancelling = cancellationStatuses.map((status) => {
    const { status: operation, result } = cancellationFacts[status]
    const ended = result === null ? '' : `\`${result}\``
    return `| ${status} | \`${cancellationShows[status]}\` | \`${operation}\` | ${ended} |`
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

${movesOf(attemptTransitions)}

What moves an attempt, as a diagram:

\`\`\`mermaid
${diagram('GuideRequested', attemptTransitions, ['guide_exists', 'nothing_created'])}
\`\`\`

## What the shipment and the operation show

The attempt that speaks for a shipment is one that is open, else one with a guide, else the last. An
operation that was neither unknown nor contradicted answers by its id, and is in no list.

| the attempt is | \`shipment.status\` | \`operation.status\` | \`operation.result\` |
|---|---|---|---|
${shown.join('\n')}

## A cancellation

The same machinery with other words. The shipment has a guide then; of several tries to cancel it one
that is cancelled prevails, then one that is under way or open.

${movesOf(cancellationTransitions)}

\`\`\`mermaid
${diagram('CancellationRequested', cancellationTransitions, ['cancelled', 'not_cancelled'])}
\`\`\`

| the cancellation is | \`shipment.status\` | \`operation.status\` | \`operation.result\` |
|---|---|---|---|
${cancelling.join('\n')}

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
function diagram(first: string, table: Table, decided: readonly string[]): string {
  const arrows = new Map<string, string[]>()
  for (const [from, targets] of Object.entries(table)) {
    for (const [event, target] of Object.entries(targets)) {
      for (const to of target === 'decision' ? decided : [target]) {
        if (to === 'never' || to === from) continue
        const pair = `${from} --> ${to}`
        arrows.set(pair, [...(arrows.get(pair) ?? []), event])
      }
    }
  }
  const lines = [...arrows].map(([pair, events]) => `    ${pair}: ${events.join(', ')}`)
  return ['stateDiagram-v2', `    [*] --> calling: ${first}`, ...lines].join('\n')
}
