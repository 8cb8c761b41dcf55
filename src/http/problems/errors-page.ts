import { errorTable, reasons } from '../../errors.ts'

/** The page that a problem's `type` links to: the same table as HTML, one row for each reason. */
export function errorsHtml(): string {
  const rows = reasons.map((reason) => {
    const { status, title, retryable, outcome, remedy } = errorTable[reason]
    const cells = [
      `<a href="#${reason}"><code>${reason}</code></a>`,
      String(status),
      inHtml(title),
      retryable ? 'yes' : 'no',
      `<code>${outcome}</code>`,
      inHtml(remedy),
    ]
    return `<tr id="${reason}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const titles = ['reason', 'status', 'meaning', 'repeating can help', 'outcome', 'what to do']
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>shipping-ledger: errors</title>
<style>td, th { text-align: left; vertical-align: top; padding: 0.2rem 0.8rem 0.2rem 0 } tr:target { background: #ffc }</style>
<h1>Errors</h1>
<p><a href="/docs">shipping-ledger</a></p>
<p>Programs decide by <code>reason</code> and <code>outcome</code>; <code>title</code> and <code>detail</code> are for people and may change. The outcome in this table is the default of a changing call; a response that knows more says so.</p>
<table>
<tr>${titles.map((title) => `<th>${title}</th>`).join('')}</tr>
${rows.join('\n')}
</table>
</html>
`
}

/** The table's texts contain no markup but code between backticks. */
function inHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped.replace(/`([^`]*)`/g, '<code>$1</code>')
}

/** The text of docs/errors.md. */
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
