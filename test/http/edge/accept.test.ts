import t from 'tap'
import { accepts } from '../../../src/service/http/rules/accept.ts'

t.test('the most specific range of an Accept header decides', async (t) => {
  const allowed = [
    undefined,
    '',
    ' , ',
    '*/*',
    'application/*',
    'Application/JSON',
    'text/html, */*;q=0.1',
    '*/*;q=0, application/json;q=0.001',
    'application/*;q=0, application/json',
    'application/json; charset=UTF-8',
    '*/*; charset=utf-8',
    'application/json;version=2',
    'text/html;title="a, b", application/json',
  ]
  const refused = [
    'text/html',
    'text/*, application/pdf',
    'application/json;q=0',
    'application/json;q=0.0, */*',
    'application/*; Q=0, */*',
    'application/json;q=high',
    'json',
    `${'text/html,'.repeat(32)}application/json`,
  ]
  for (const header of allowed) t.ok(accepts(header, 'application/json'), header ?? 'none')
  for (const header of refused) t.notOk(accepts(header, 'application/json'), header)
})
