import { i18n } from '@lingui/core'
import t from 'tap'
import { scenarioWords, serviceTexts } from '../../src/console/sandbox/scenario-words.ts'
import { scenarioNames, scenarios } from '../../src/service/couriers/scenarios/scenarios.ts'

i18n.activate('en')

t.test('the console tells every scenario in English as the service does', async (t) => {
  t.same(Object.keys(scenarioWords), scenarioNames)
  for (const name of scenarioNames) {
    const own = Object.entries(scenarioWords[name] ?? {}).map(([part, say]) => [part, say()])
    t.same(Object.fromEntries(own), serviceTexts({ name, ...scenarios[name] }), name)
  }
})
