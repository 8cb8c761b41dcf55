import t from 'tap'
import { urlAt } from '../src/service/url-at.ts'

t.test('what listens anywhere has an address that this machine can call', async (t) => {
  for (const [host, expected] of [
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['localhost', 'http://localhost:3000'],
    ['::1', 'http://[::1]:3000'],
    ['2001:db8::5', 'http://[2001:db8::5]:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://[::1]:3000'],
  ] as const) {
    t.equal(urlAt(host, 3000), expected)
    t.equal(new URL(urlAt(host, 3000)).origin, expected)
  }
})
