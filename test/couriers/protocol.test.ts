import t from 'tap'
import { answers, type OperationName, operations } from '../../src/service/couriers/protocol.ts'
import { refusalCodes, trackingCodes } from '../../src/service/couriers/protocol-codes.ts'
import { scenarioNames, scenarios } from '../../src/service/couriers/scenarios/scenarios.ts'
import { connectorOpenApi, connectorProtocolPage } from '../docs/protocol-docs.ts'
import { examples } from '../docs/protocol-examples.ts'

const names = Object.keys(operations) as OperationName[]

t.test('every example of the protocol fits its schema', async (t) => {
  for (const name of names) {
    const { request, answer } = examples[name]
    const schema = operations[name].request
    if (schema === null) t.equal(request, null)
    else t.equal(schema.safeParse(request).error, undefined, `${name} request`)
    if (name === 'label') t.equal(answer, null)
    else t.equal(answers[name].safeParse(answer).error, undefined, `${name} answer`)
  }
})

t.test(
  "the connector's OpenAPI document has every operation once and no broken reference",
  async (t) => {
    const text = JSON.stringify(connectorOpenApi())
    for (const name of names) t.equal(text.split(`"operationId":"${name}"`).length, 2, name)
    const { components } = JSON.parse(text)
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      (match) => match[1] ?? '',
    )
    t.ok(references.length > 20)
    for (const name of references) t.ok(Object.hasOwn(components.schemas, name), name)
    t.notMatch(text, /\$defs|\$schema/)
  },
)

t.test('the protocol page names every route, tracking code and refusal code', async (t) => {
  const page = connectorProtocolPage()
  for (const { method, path } of Object.values(operations))
    t.ok(page.includes(`\`${method} ${path}\``))
  for (const code of Object.keys({ ...trackingCodes, ...refusalCodes }))
    t.ok(page.includes(`- \`${code}\`:`), code)
})

t.test(
  'scenarios use only protocol tracking codes, except one that is unmapped on purpose',
  async (t) => {
    const unmapped = scenarioNames.flatMap((name) =>
      scenarios[name].script.timeline
        .filter(({ code }) => !Object.hasOwn(trackingCodes, code))
        .map(({ code }) => `${name}: ${code}`),
    )
    t.strictSame(unmapped, ['noisy_tracking: sorted_on_belt'])
  },
)
