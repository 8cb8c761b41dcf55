import { type ScenarioEnd, scenarios } from '../../../src/couriers/simulator/scenarios.ts'

/** The text of docs/scenarios.md. */
export function scenariosPage(): string {
  const entries = Object.entries(scenarios)
  const rows = entries.map(
    ([name, { number, summary, ends, expected }]) =>
      `| ${number} | [\`${name}\`](#${name}) | ${summary} | ${answerOf(expected)} | ${ends} |`,
  )
  const sections = entries.map(([name, { steps, calls, expected }]) => {
    const listed = steps.map((text) => `- ${text}`).join('\n')
    const played = calls.map((call) => `\`${call.method} ${call.path}\``).join(', then ')
    return `## ${name}\n\n${listed}\n\nPlayed by ${played}. ${sentenceOf(expected)}\n`
  })
  return `# Sandbox scenarios

Test keys choose one with the header \`Sandbox-Scenario\` or with \`metadata.sandbox_scenario\`; without
either it is \`happy_path\`. \`GET /v1/sandbox/scenarios\` answers the same table with the calls to make.
Times count from the guide's request, on the workspace's clock.

| # | name | what happens | the API answers | ends |
|---|---|---|---|---|
${rows.join('\n')}

${sections.join('\n')}`
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
