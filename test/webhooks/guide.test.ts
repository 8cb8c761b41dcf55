import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../../src/service/embedded-postgres/postmaster.ts'
import {
  newSecret,
  secretText,
  signingKey,
  webhookHeaders,
} from '../../src/service/webhooks/sign.ts'
import { buildClient } from '../docs/build-client.ts'
import { eventually } from '../support/eventually.ts'
import { projectRoot } from '../support/source-files.ts'

const guide = readFileSync(join(projectRoot, 'docs/guides/verify-a-webhook.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-guide-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

type Receiver = {
  readonly name: string
  /** Starts it; null if its runtime is not installed, so that only its text is checked. */
  readonly command: (port: number) => readonly [string, ...string[]] | null
  readonly env?: Readonly<Record<string, string>>
}

/** The guide's receiver in a language. */
function codeInGuide(language: string): string {
  const [, code = ''] = guide.split(`\`\`\`${language} tab\n`)
  return code.split('```')[0] ?? ''
}

/** A receiver whose whole text is in the guide. */
function inGuide(language: string, file: string, program: string): Receiver {
  const source = codeInGuide(language)
  if (source.split('\n').length < 8) throw new Error(`the guide has no receiver in ${language}`)
  writeFileSync(join(folder, file), source)
  const hasRuntime = spawnSync(program, ['--version']).status === 0
  return {
    name: `the receiver in ${language} of the guide`,
    command: () => (hasRuntime ? [program, join(folder, file)] : null),
  }
}

/** The packed client and the frameworks, where the examples for Node look for them. */
async function withPackages(): Promise<void> {
  const packages = join(folder, 'node_modules')
  mkdirSync(packages)
  await buildClient(join(packages, 'shipping-ledger'))
  for (const name of ['express', 'fastify']) {
    symlinkSync(join(projectRoot, 'node_modules', name), join(packages, name))
  }
}

const examples = join(projectRoot, 'docs', 'examples', 'receivers')
await withPackages()
for (const name of ['express.ts', 'fastify.ts']) {
  await copyFile(join(examples, name), join(folder, name))
}
const pythonWithFlask = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import flask']).status === 0,
)
const hasPhp = spawnSync('php', ['--version']).status === 0

const receivers: readonly Receiver[] = [
  inGuide('js', 'receiver.mjs', process.execPath),
  inGuide('python', 'receiver.py', 'python3'),
  { name: 'the example on Express', command: () => [process.execPath, join(folder, 'express.ts')] },
  { name: 'the example on Fastify', command: () => [process.execPath, join(folder, 'fastify.ts')] },
  {
    name: 'the example on Flask',
    command: () =>
      pythonWithFlask === undefined ? null : [pythonWithFlask, join(examples, 'flask_app.py')],
    env: {
      PYTHONPATH: join(projectRoot, 'src', 'client-python'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  },
  {
    name: 'the example in PHP',
    command: (port) =>
      hasPhp ? ['php', '-S', `127.0.0.1:${port}`, join(examples, 'receiver.php')] : null,
  },
]

t.test('the guide shows the examples on Express and in PHP as they are', async (t) => {
  t.equal(codeInGuide('ts'), readFileSync(join(examples, 'express.ts'), 'utf8'))
  t.equal(codeInGuide('php'), readFileSync(join(examples, 'receiver.php'), 'utf8'))
})

for (const receiver of receivers) {
  t.test(`${receiver.name} accepts signed webhooks and refuses all others`, async (t) => {
    const port = await freePort()
    const [command, ...words] = receiver.command(port) ?? []
    if (command === undefined) {
      t.comment('its runtime is not on this machine: it was not run')
      return
    }
    const [current, previous] = [newSecret(), newSecret()]
    const env = {
      ...process.env,
      ...receiver.env,
      WEBHOOK_SECRET: secretText(current),
      PORT: String(port),
    }
    const child = spawn(command, words, { env, stdio: 'ignore' })
    t.teardown(() => child.kill('SIGKILL'))
    await judges(t, port, current, previous)
  })
}

async function judges(t: Test, port: number, current: Buffer, previous: Buffer): Promise<void> {
  const body = Buffer.from('{"id":"evt_1","type":"label.ready"}')
  const now = Math.floor(Date.now() / 1_000)
  const send = async (headers: object, raw: Buffer = body) => {
    const sent = { ...headers, 'content-type': 'application/json' }
    const init = { method: 'POST', headers: sent, body: raw }
    return (await fetch(`http://127.0.0.1:${port}`, init)).status
  }
  const signed = (secrets: readonly Buffer[], at = now) =>
    webhookHeaders(secrets.map(signingKey), 'evt_1', at, body)
  const first = await eventually(
    () => send(signed([current])).catch(() => null),
    (status) => status !== null,
    10_000,
  )
  t.equal(first, 204)
  t.equal(await send(signed([previous, current])), 204, 'while a secret is rotated')
  t.equal(await send(signed([previous])), 400, 'a wrong secret')
  t.equal(await send(signed([current], now - 400)), 400, 'too old')
  t.equal(await send(signed([current]), Buffer.from('{"id":"evt_2"}')), 400, 'another body')
}
