import { errorTable, reasons } from '../../errors.ts'

/** The text of docs/errors.md, the page that a problem's `type` links to. */
export function errorsPage(): string {
  const rows = reasons.map((reason) => {
    const { status, title, retryable, outcome, remedy } = errorTable[reason]
    const can = retryable ? 'yes' : 'no'
    return `| <a id="${reason}"></a>\`${reason}\` | ${status} | ${title} | ${can} | \`${outcome}\` | ${remedy} |`
  })
  return `# Errors

Generated from \`src/errors.ts\` by \`npm run generate\`.

Every error is \`application/problem+json\` (RFC 9457), or the same bytes as \`application/json\` for a
client that accepts only that: \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`, \`reason\`,
\`retryable\`, \`request_id\`, on a changing call \`outcome\`, and where they apply \`operation_id\`,
\`shipment_id\` and \`errors\` with a pointer (RFC 6901) for each field. Programs decide by \`reason\`
and \`outcome\`; \`title\` and \`detail\` are for people and may change.

\`outcome\` says what this request did: \`not_executed\`, \`executed\` or \`unknown\`. The table
shows what a reason says unless more is known.

| reason | status | meaning | repeating can help | outcome of a change | what to do |
|---|---|---|---|---|---|
${rows.join('\n')}
`
}
