import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { type Files, zipOf } from './bundle-files.ts'
import { evidenceShop } from './evidence-shop.ts'
import { runScript } from './run-verifiers.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-bundles-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
const { issued, decided, erased, bundleOf, ledgerKey, witnessKey } = await evidenceShop(t)
const shipments = { issued, decided, erased }

function unpacked(name: string, files: Files): string {
  const path = join(folder, name)
  mkdirSync(path)
  for (const [file, bytes] of files) writeFileSync(join(path, file), bytes)
  return path
}

t.test('a bundle is checked by the script that it contains, unpacked and as a ZIP', async (t) => {
  for (const [name, id] of Object.entries(shipments)) {
    for (const includePersonal of [false, true]) {
      const files = await bundleOf(id, { includePersonal })
      const path = unpacked(`${name}-${includePersonal}`, files)
      const script = join(path, 'verify.mjs')
      const zip = join(folder, `${name}-${includePersonal}.zip`)
      writeFileSync(zip, zipOf(files))
      const alone = runScript(script, [])
      t.match(alone, { exitCode: 0, text: `Nothing is wrong with the evidence about ${id}.` })
      t.match(alone.text, `pass yours with --key: ${ledgerKey}`)
      const held = join(path, 'checkpoint.txt')
      const trusted = ['--key', ledgerKey, '--witness', witnessKey, '--checkpoint', held]
      const asked = runScript(script, [zip, ...trusted])
      t.match(asked, { exitCode: 0, text: /Of 1 checkpoints that you hold, 1 are of this/ })
      t.match(asked.text, /The witness auditor\.example\/w1 has cosigned the checkpoint/)
      if (includePersonal && id !== erased)
        t.match(asked.text, /In personal\.json, [1-9]\d* entries .* [1-9]\d* bodies of requests/)
    }
  }
})
