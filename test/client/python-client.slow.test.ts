import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { operations } from '../../src/client/generated/operations.ts'
import { buildPythonClient } from '../docs/build-python-client.ts'
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
          OPERATOR_KEY: shop.seeded.operatorKey,
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
  t.match(stderr, /Ran 35 tests/)

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
  t.match(stdout, /^created SG\w+/, troubles)
})

t.test(
  'the wheel and the folder of the Python client install without an index',
  { skip },
  async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'python-client-'))
    t.teardown(() => rmSync(directory, { recursive: true, force: true }))
    const wheel = buildPythonClient(join(directory, 'wheel'))
    const copy = join(directory, 'source')
    cpSync(folder, copy, { recursive: true })
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-index',
      '--no-deps',
      '--no-build-isolation',
    ]
    const canBuild = spawnSync('python3', ['-c', 'import setuptools, wheel']).status === 0
    const described: string[] = []
    for (const [name, from] of [['a', wheel], ...(canBuild ? [['b', copy]] : [])] as const) {
      const target = join(directory, String(name))
      const environment = { ...process.env, PYTHONPATH: target, PYTHONDONTWRITEBYTECODE: '1' }
      const installed = spawnSync('python3', [...pip, '--target', target, String(from)], {
        env: environment,
        encoding: 'utf8',
      })
      t.equal(installed.status, 0, installed.stderr)
      const script = `
from importlib.metadata import files, metadata
import json, shipping_ledger
of = metadata("shipping-ledger-client")
fields = ["Name", "Version", "Summary", "License", "Classifier", "Requires-Python"]
paths = sorted(str(one) for one in files("shipping-ledger-client") if one.parts[0] == "shipping_ledger")
print(json.dumps([[of[field] for field in fields], paths, shipping_ledger.Client.__name__]))`
      const asked = spawnSync('python3', ['-c', script], { env: environment, encoding: 'utf8' })
      t.equal(asked.status, 0, asked.stderr)
      described.push(asked.stdout)
    }
    t.match(described[0], /LicenseRef-Unlicensed/)
    t.match(described[0], /shipping_ledger\/py\.typed/)
    t.equal(new Set(described).size, 1, 'both are the same package')
  },
)

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
