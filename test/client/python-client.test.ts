import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { operations } from '../../src/client/generated/operations.ts'
import { eventually } from '../support/eventually.ts'
import { receiver } from '../support/receiver.ts'
import { watchProcess, withoutPython } from '../support/run-process.ts'
import { service } from '../support/service.ts'
import { projectRoot } from '../support/source-files.ts'

const folder = join(projectRoot, 'src', 'client-python')
const skip = withoutPython()

t.test('the Python client keeps its promises against the service', { skip }, async (t) => {
  const shop = await service(t)
  const { workspaceId, shopKey } = shop.seeded
  const webhooks = await receiver(t)
  const endpoint = await shop.client.webhookEndpoints.create({
    workspace_id: workspaceId,
    url: webhooks.url,
    event_types: ['label.ready'],
  })
  await shop.client.webhookEndpoints.test({ id: endpoint.id, type: 'label.ready' })
  await eventually(
    () => webhooks.received.length,
    (count) => count > 0,
  )
  const [delivery] = webhooks.received
  const running = watchProcess(
    spawn(
      'python3',
      ['-B', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'],
      {
        cwd: folder,
        env: {
          ...process.env,
          BASE_URL: shop.url,
          SHOP_KEY: shopKey,
          WEBHOOK_BODY: delivery?.body.toString('base64') ?? '',
          WEBHOOK_HEADERS: JSON.stringify(delivery?.headers),
          WEBHOOK_SECRET: String(endpoint.secret),
        },
        stdio: 'pipe',
      },
    ),
  )
  t.teardown(() => running.child.kill('SIGKILL'))
  const { code, stderr } = await running.ended
  t.equal(code, 0, stderr)
  t.match(stderr, /Ran 11 tests/)

  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const [, sample = ''] = /```python\n(.+?)```/s.exec(readme) ?? []
  const played = watchProcess(
    spawn('python3', ['-B', '-c', sample.replace('http://127.0.0.1:3000', shop.url)], {
      cwd: folder,
      env: { ...process.env, SHIPPING_LEDGER_KEY: shopKey },
      stdio: 'pipe',
    }),
  )
  const { stdout, stderr: troubles } = await played.ended
  t.match(stdout, /^guide_exists SG\w+/, troubles)
})

t.test('the Python client has a method for each operation', async (t) => {
  const text = readFileSync(join(folder, 'shipping_ledger', '_resources.py'), 'utf8')
  const calls = [...text.matchAll(/"(GET|POST|PATCH|DELETE)",\n {12}"([^"]+)"/g)]
  t.same(
    calls.map(([, method, path]) => `${method} ${path}`).sort(),
    Object.values(operations)
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  )
})
