import t from 'tap'
import {
  idsOfRequest,
  parseTraceparent,
  traceparentOf,
} from '../../src/service/tracing/trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

t.test('a traceparent is read, with its decision whether the trace is recorded', async (t) => {
  const sampled = { traceId, spanId, isSampled: true }
  t.strictSame(parseTraceparent(`00-${traceId}-${spanId}-01`), sampled)
  t.strictSame(parseTraceparent(`00-${traceId}-${spanId}-00`), { ...sampled, isSampled: false })
  t.strictSame(parseTraceparent(`00-${traceId}-${spanId}-03`), sampled, 'other flags are ignored')
  t.strictSame(parseTraceparent(`cc-${traceId}-${spanId}-01-more`), sampled, 'a later version')
  t.equal(traceparentOf(sampled), `00-${traceId}-${spanId}-01`)
  t.equal(traceparentOf({ ...sampled, isSampled: false }), `00-${traceId}-${spanId}-00`)
})

t.test('a traceparent that is not valid counts as absent', async (t) => {
  const invalid = [
    undefined,
    ['00', traceId],
    '',
    'a text',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  ]
  for (const header of invalid) t.equal(parseTraceparent(header), null, String(header))
})

t.test('the ids of a request that begins a trace follow from its id', async (t) => {
  const ids = idsOfRequest('req_2Hs9vLq4NxWc6RtYbF3kPg')
  t.strictSame(ids, idsOfRequest('req_2Hs9vLq4NxWc6RtYbF3kPg'))
  t.match(parseTraceparent(traceparentOf({ ...ids, isSampled: true })), ids)
  t.not(ids.traceId, idsOfRequest('req_2Hs9vLq4NxWc6RtYbF3kPh').traceId)
})
