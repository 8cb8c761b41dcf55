import { actions } from '../../../src/service/error-kinds.ts'
import { errorTable, reasons } from '../../../src/service/errors.ts'

/** The text of docs/errors.md, the page that a problem's `type` links to. */
export function errorsPage(): string {
  const rows = reasons.map((reason) => {
    const { status, title, action } = errorTable[reason]
    return `| [\`${reason}\`](#${reason}) | ${status} | \`${action}\` | ${title} |`
  })
  const sections = reasons.map((reason) => {
    const { status, title, retryable, outcome, remedy, action } = errorTable[reason]
    return `### \`${reason}\`

**${status}** ${title}. ${remedy}

Action: \`${action}\`. Outcome of a change: \`${outcome}\`. Retryable: \`${retryable}\`.`
  })
  const meanings = Object.entries(actions).map(([action, meaning]) => `- \`${action}\`: ${meaning}`)
  return `# Errors

Every error is \`application/problem+json\` (RFC 9457). Clients that accept only \`application/json\` get
the same body: \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`, \`reason\`, \`retryable\`,
\`action\`, \`request_id\`, on a changing call \`outcome\`, and where they apply \`operation_id\`,
\`shipment_id\` and \`errors\` with a pointer (RFC 6901) for each field. Decide by \`reason\`,
\`outcome\` and \`action\`; \`title\` and \`detail\` are for people and may change.

\`retryable\` says whether time alone can change the answer to the same request.

\`outcome\` says what this request did: \`not_executed\`, \`executed\` or \`unknown\`. This page shows
what a reason says unless more is known.

\`action\` says what to do next, so that a program needs no list of reasons:

${meanings.join('\n')}

A problem is a union by \`reason\`: \`unknown_outcome\`, \`operation_open\`, \`nothing_created\` and
\`not_cancelled\` always have \`operation_id\` and \`shipment_id\`, and \`validation_failed\` always has
\`errors\`.

| reason | status | action | meaning |
|---|---|---|---|
${rows.join('\n')}

## What to do

${sections.join('\n\n')}
`
}
