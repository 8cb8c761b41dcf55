import { attemptTransitions } from '../../src/domain/attempt-transitions.ts'
import { shipmentStatusOf } from '../../src/domain/shipment.ts'
import { trackingCodes, trackingStatusFacts } from '../../src/domain/tracking.ts'

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
  const shown = Object.entries(shipmentStatusOf).map(
    ([attempt, status]) => `| ${attempt} | \`${status}\` |`,
  )
  const tracking = Object.entries(trackingStatusFacts).map(
    ([status, { phase, rank, back }]) =>
      `| \`${status}\` | ${phase} | ${rank} | ${back.map((each) => `\`${each}\``).join(', ')} |`,
  )
  const codes = Object.entries(trackingCodes).map(
    ([code, { status, exception, description }]) =>
      `| \`${code}\` | ${status === null ? '' : `\`${status}\``} | ${exception ?? ''} | ${description} |`,
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

## What the shipment shows

| its last attempt is | \`shipment.status\` |
|---|---|
${shown.join('\n')}

## Tracking

A higher rank may be reached by skipping; an older event never lowers it.

| status | phase | rank | may go back to |
|---|---|---|---|
${tracking.join('\n')}

## Tracking codes

| code | leads to | exception | what people read |
|---|---|---|---|
${codes.join('\n')}
`
}
