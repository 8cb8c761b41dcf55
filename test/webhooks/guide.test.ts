import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { freePort } from '../../src/embedded-postgres/postmaster.ts'
import { newSecret, secretText, signingKey, webhookHeaders } from '../../src/webhooks/sign.ts'
import { eventually } from '../support/eventually.ts'
import { projectRoot } from '../support/source-files.ts'

const guide = readFileSync(join(projectRoot, 'docs/guides/webhooks.md'), 'utf8')
const languages = [
  { language: 'js', file: 'receiver.mjs', command: process.execPath },
  { language: 'python', file: 'receiver.py', command: 'python3' },
]

for (const { language, file, command } of languages) {
  t.test(
    `the guide's receiver in ${language} accepts signed webhooks and refuses all others`,
    async (t) => {
      const [, code = ''] = guide.split(`\`\`\`${language}\n`)
      const source = code.split('```')[0] ?? ''
      t.ok(source.split('\n').length > 8)
      if (spawnSync(command, ['--version']).status !== 0) {
        t.comment(`${command} is not on this machine: the text alone is looked at`)
        return
      }
      const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-guide-'))
      t.teardown(() => rmSync(directory, { recursive: true, force: true }))
      writeFileSync(join(directory, file), source)
      const [current, previous] = [newSecret(), newSecret()]
      const port = await freePort()
      const env = { ...process.env, WEBHOOK_SECRET: secretText(current), PORT: String(port) }
      const child = spawn(command, [join(directory, file)], { env, stdio: 'ignore' })
      t.teardown(() => child.kill('SIGKILL'))
      const body = Buffer.from('{"id":"evt_1","type":"label.ready"}')
      const now = Math.floor(Date.now() / 1_000)
      const send = async (headers: object, raw: Buffer = body) => {
        const init = { method: 'POST', headers: { ...headers }, body: raw }
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
    },
  )
}
