import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { agent } from '../client/agent.ts'
import { buildClient } from '../docs/build-client.ts'
import { receiver } from '../support/receiver.ts'
import { watchProcess } from '../support/run-process.ts'
import { service } from '../support/service.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-command-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const empty = join(folder, 'empty')
mkdirSync(empty)
await buildClient(join(folder, 'built'))
const packed = await run('npm', ['pack', '--silent', join(folder, 'built')], { cwd: empty })
const archive = `./${packed.stdout.trim()}`

const shop = await service(t)
/** The machine's own Node, not the one that this project installs. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((one) => !one.includes('node_modules'))
  .join(delimiter)
const env = {
  HOME: folder,
  PATH: path,
  SHIPPING_LEDGER_URL: shop.url,
  SHIPPING_LEDGER_KEY: shop.seeded.shopKey,
}
const npx = ['--offline', '--yes', archive] as const
const command = async (...words: readonly string[]) =>
  (await run('npx', [...npx, ...words], { cwd: empty, env })).stdout

t.test('the packed command runs in an empty folder without a registry', async (t) => {
  t.match(await command('--help'), /^shipping-ledger <command>/)
  const played = JSON.parse(await command('trigger', 'happy_path', '--json'))
  t.match(played, { object: 'play', answers: [{ status: 201 }] })
  const { workspace_id, ...line } = exampleShipmentRequest('packed-1', shop.seeded)
  writeFileSync(join(empty, 'orders.ndjson'), JSON.stringify(line))
  const batch = ['batch', 'create', 'orders.ndjson', '--reference', 'packed', '--progress']
  const [id = ''] = /^bat_\w+/.exec(await command(...batch)) ?? []
  t.match(JSON.parse(await command('batch', 'show', id, '--json')), { counts: { created: 1 } })
  t.same(readdirSync(empty).toSorted(), ['orders.ndjson', archive.slice(2)])
})

t.test('the packed command listens, and an agent uses it', async (t) => {
  const local = await receiver(t)
  const words = ['listen', '--forward', local.url, '--type', 'shipment.created']
  const child: ChildProcess = spawn('npx', [...npx, ...words], { cwd: empty, env, detached: true })
  const listening = watchProcess(child)
  t.teardown(async () => {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await listening.ended
  })
  await listening.said(/signed with whsec_/)
  const one = await agent(t, {
    url: shop.url,
    key: shop.seeded.shopKey,
    flags: ['--write', '--labels', join(folder, 'labels')],
    command: ['npx', ...npx],
    folder: empty,
    path,
  })
  const { external_reference, ...fields } = exampleShipmentRequest('packed-2', shop.seeded)
  const { said } = await one.call('create_shipment', { order: external_reference, ...fields })
  t.equal(said.result, 'created')
  await listening.said(/shipment\.created {2}evt_\w+ {2}200/)
  const label = await one.call('get_label', { id: said.shipment.id })
  t.equal(readFileSync(label.said.file).subarray(0, 5).toString(), '%PDF-')
  const guide = await one.client.readResource({ uri: 'shipping-ledger://guides/idempotency' })
  t.match(guide.contents[0], { text: /^# / })
})

t.test('the package names the licences of what the command contains', async (t) => {
  const notices = readFileSync(join(folder, 'built', 'LICENSES.md'), 'utf8')
  for (const name of ['@modelcontextprotocol/sdk', 'zod', 'ajv', 'fast-uri']) {
    t.match(notices, `## ${name} - `)
  }
  const sections = notices.split(/^## /m).slice(1)
  t.same(
    sections.filter((text) => text.length < 500),
    [],
    'each with its text',
  )
  const manifest = JSON.parse(readFileSync(join(folder, 'built', 'package.json'), 'utf8'))
  t.equal(manifest.dependencies, undefined)
})
