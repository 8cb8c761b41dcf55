import {
  type Scenario,
  type ScenarioEnd,
  scenarios,
} from '../../../src/service/couriers/scenarios/scenarios.ts'

/** The text of docs/scenarios.md. */
export function scenariosPage(): string {
  const entries = Object.entries(scenarios)
  const rows = entries.map(
    ([name, { number, summary, ends, expected }]) =>
      `| ${number} | [\`${name}\`](#${name}) | ${summary} | ${answerOf(expected)} | ${ends} |`,
  )
  const sections = entries.map(([name, { steps, calls, expected, billing }]) => {
    const listed = steps.map((text) => `- ${text}`).join('\n')
    const played = calls.map((call) => `\`${call.method} ${call.path}\``).join(', then ')
    return `## ${name}\n\n${listed}\n\nPlayed by ${played}. ${sentenceOf(expected)}\n\n${billedAs(billing)}\n`
  })
  return `# Sandbox scenarios

Test keys choose one with the header \`Sandbox-Scenario\` or with \`metadata.sandbox_scenario\`; without
either it is \`happy_path\`. \`GET /v1/sandbox/scenarios\` answers the same table with the calls to make.
Times count from the guide's request, on the workspace's clock. Webhooks of alerts are not listed, and a
guide that is cancelled at once has no \`label.ready\`.

| # | name | what happens | the API answers | ends |
|---|---|---|---|---|
${rows.join('\n')}

${sections.join('\n')}
## The month's invoice

The simulated courier bills a connection for the guides that were requested in a calendar month of UTC, on the
workspace's clock, so far; each scenario above says how. The last line of every invoice is a guide that was never made:
\`unknown_guide\`. A guide that you cancel is not billed, except by \`cancel_response_lost\`. Cash on delivery is
paid out once the parcel is handed over, less what the scenario bills too much. A month without guides, or that has not
begun, has no invoice: 409 \`invoice_not_ready\`. This call needs the scope \`operations:review\`:

\`\`\`sh
curl -sS -H "Authorization: Bearer $SHIPPING_LEDGER_KEY" -H 'Content-Type: application/json' \\
  -d '{"courier_connection_id":"'"$CONNECTION_ID"'","month":"2026-02"}' \\
  "$SHIPPING_LEDGER_URL/v1/courier-invoices/fetch"
\`\`\`

[Checking the courier's invoice](guides/courier-invoices.md) says what to do with what it finds.`
}

function billedAs({ how, findings }: Scenario['billing']): string {
  const found = findings.map((each) => `\`${each}\``).join(', ')
  return `[On the month's invoice](#the-months-invoice): ${how}${found === '' ? '' : ` Found: ${found}.`}`
}

function answerOf({ answer }: ScenarioEnd): string {
  return answer.reason === null ? String(answer.status) : `${answer.status} \`${answer.reason}\``
}

function sentenceOf(expected: ScenarioEnd): string {
  const operation =
    expected.operation === null ? '' : ` its operation ends as \`${expected.operation}\`,`
  const tracking =
    expected.tracking === null ? 'nothing is tracked' : `tracking ends at \`${expected.tracking}\``
  const { status, reason } = expected.repeated
  const repeated = reason === null ? String(status) : `${status} \`${reason}\``
  const milestones = expected.tracked.map((each) => `\`${each}\``).join(', ')
  const story = milestones === '' ? '' : ` Tracking tells ${milestones}.`
  const sent = expected.webhooks.map((type) => `\`${type}\``).join(', ')
  const webhooks = sent === '' ? '' : ` Webhooks: ${sent}.`
  return `The shipment ends as \`${expected.shipment}\`,${operation} ${tracking}; the same request afterwards answers ${repeated}.${story}${webhooks}`
}
