import t from 'tap'
import { serviceMetrics } from '../../../src/service/http/service/metrics.ts'
import { metricsServer } from '../../../src/service/http/service/metrics-server.ts'

t.test('metrics are served on their own port, without those that cannot be read', async (t) => {
  let broken = false
  const metrics = serviceMetrics({
    isReady: async () => true,
    disks: async () => [],
    unwritableFiles: async () => [],
    projections: async () => {
      if (broken) throw new Error('the database is away')
      return [{ name: 'tracking', lagSeconds: 3, stoppedBy: 'UnreadableEvent' }]
    },
    webhooks: async () => ({ pending: 0, dead: 0, discarded: 0, failing: 0, oldestAgeSeconds: 0 }),
    erasures: async () => ({ pending: 0, oldestAgeSeconds: 0 }),
    unsealedSeconds: async () => 0,
    ledger: async () => ({
      isDamaged: false,
      findFirst: { asked: 0, found: 0, created: 0 },
    }),
    witnesses: async () => [{ name: 'auditor.example/w1', waitingSeconds: 61 }],
    attention: async () => [{ livemode: true, why: 'past_deadline', count: 2 }],
    operations: async () => [{ status: 'needs_review', count: 2, oldestAgeSeconds: 90 }],
  })
  metrics.append('committed')
  metrics.batch(7)
  metrics.courierCall({ providerCode: 'mock', operation: 'track', outcome: '2xx', seconds: 0.03 })
  const server = await metricsServer({ host: '127.0.0.1', port: 0, registry: metrics.registry })
  t.teardown(() => server.close())
  const address = `http://127.0.0.1:${server.port}`
  const text = await (await fetch(`${address}/metrics`)).text()
  for (const line of [
    'projection_lag_seconds{projection="tracking"} 3',
    'projection_stopped{projection="tracking"} 1',
    'operations_attention{livemode="true",why="past_deadline"} 2',
    'courier_call_duration_seconds_count{provider_code="mock",operation="track",outcome="2xx"} 1',
    'operations{status="needs_review"} 2',
    'operations_oldest_age_seconds{status="needs_review"} 90',
    'ledger_appends_total{outcome="committed"} 1',
    'ledger_append_batch_size_bucket{le="8"} 1',
    'ledger_witness_waiting_seconds{witness="auditor.example/w1"} 61',
    'process_cpu_seconds_total',
  ]) {
    t.match(text, line)
  }
  broken = true
  const without = await (await fetch(`${address}/metrics`)).text()
  t.notMatch(without, 'projection_lag_seconds{')
  t.match(without, 'operations{status="needs_review"} 2')
  t.equal((await fetch(`${address}/other`)).status, 404)
  await t.rejects(
    metricsServer({ host: '127.0.0.1', port: server.port, registry: metrics.registry }),
    { code: 'EADDRINUSE' },
  )
})
