import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Files } from './bundle-files.ts'
import { evidenceShop } from './evidence-shop.ts'
import {
  type Asked,
  byProduct,
  byPython,
  byScript,
  pythonLacks,
  runScript,
} from './run-verifiers.ts'

/* Bundles of the current product, checked by all verifiers. */

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-bundles-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
const made = await evidenceShop(t)
const { issued, decided, erased, ledgerKey, witnessKey } = made
const shipments = Object.entries({ issued, decided, erased })
const written = (name: string, content: Buffer | string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

function unpacked(name: string, files: Files): string {
  const path = join(folder, name)
  mkdirSync(path)
  for (const [file, content] of files) writeFileSync(join(path, file), content)
  return path
}

/** Each shipment's bundle with and without personal data, with the options for verifying it. */
const asked: Asked[] = []
for (const [name, id] of shipments) {
  for (const includePersonal of [false, true]) {
    const { zip, files } = await made.bundleOf(id, { includePersonal })
    const bundle = written(`${name}-${includePersonal}.zip`, zip)
    const checkpoint = join(unpacked(`${name}-${includePersonal}`, files), 'checkpoint.txt')
    asked.push({ bundle }, { bundle, options: { key: ledgerKey, witness: witnessKey, checkpoint } })
  }
}

t.test('a bundle is checked by the script that it contains, where it was unpacked', async (t) => {
  for (const [name, id] of shipments) {
    const { exitCode, text } = runScript(join(folder, `${name}-true`, 'verify.mjs'), [])
    t.equal(exitCode, 0, text)
    t.ok(text.startsWith(`Nothing is wrong with the evidence about ${id}.\n`), text)
    t.ok(text.includes(`pass yours with --key: ${ledgerKey}\n`), text)
  }
})

t.test('new bundles are accepted by the product and by the script in them', async (t) => {
  const byScriptAll = byScript(asked)
  for (const [index, each] of asked.entries()) {
    const product = await byProduct(each)
    t.equal(product.exitCode, 0, product.text)
    t.equal(byScriptAll[index]?.exitCode, 0, byScriptAll[index]?.text ?? 'no answer')
    if (each.options === undefined) continue
    for (const text of [product.text, byScriptAll[index]?.text ?? '']) {
      t.match(text, /[wW]itness auditor\.example\/w1 has cosigned/)
      t.match(text, /Of 1 checkpoint that you hold, 1 is part of /)
    }
  }
  const [, , , withPersonal] = byScriptAll
  t.match(
    withPersonal?.text,
    /In personal\.json, [1-9]\d* entries and [1-9]\d* bodies of courier requests/,
  )
})

/** In CI the tests always run. */
const skip = pythonLacks !== null && !process.env.CI ? pythonLacks : false
const without = pythonLacks === null ? '' : ` (skipped: ${pythonLacks})`
t.test(`new bundles are accepted by the verifier in Python${without}`, { skip }, async (t) => {
  for (const { exitCode, text } of byPython(asked)) t.equal(exitCode, 0, text)
})
