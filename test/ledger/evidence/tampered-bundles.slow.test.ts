import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { ledgerKey, manifestSigner, readKey, readManifest } from '../../../src/verifier/verify.mjs'
import { zipOf } from './bundle-files.ts'
import { goldenFile, goldenKeys } from './golden.ts'
import { differing, questionsIn } from './questions.ts'
import { dataOf, resealed } from './resealed-bundle.ts'
import { byProduct, byScript, type Verdict } from './run-verifiers.ts'
import { allTampers, ownTampers, whole } from './tampers.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-tampered-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
const questions = questionsIn(folder)
const asked = [...questions.values()].map(([one]) => one)

t.test('the table of tampers has every file of a bundle', async (t) => {
  t.same(Object.keys(ownTampers).sort(), [...whole().keys()].sort())
  t.ok(allTampers().size > 80, String(allTampers().size))
})

t.test('the product gives the right verdict on each tampered bundle', async (t) => {
  const verdicts: Verdict[] = []
  for (const one of asked) verdicts.push(await byProduct(one))
  t.same(differing(questions, verdicts), [])
})

t.test('the script in a bundle gives the same verdict as the product', async (t) => {
  t.same(differing(questions, byScript(asked)), [])
})

t.test('only the product refuses an event without the members of its type', async (t) => {
  const files = resealed('issued', (one) => {
    dataOf(one, 'GuideIssued').price.amount = 'nothing'
  })
  const [bundle, key] = [join(folder, 'types.zip'), goldenKeys().ledger]
  writeFileSync(bundle, zipOf(files))
  const product = await byProduct({ bundle, options: { key } })
  t.equal(product.exitCode, 1)
  t.match(product.text, /the event at position \d+ \(GuideIssued\): it cannot be read/)
  const [script] = byScript([{ bundle, options: { key } }])
  t.equal(script?.exitCode, 0, script?.text ?? 'no answer')
})

t.test('no single bit of a manifest can be changed', async (t) => {
  const manifest = whole().get('manifest.txt') ?? Buffer.alloc(0)
  const trusted = await readKey(goldenKeys().ledger, ledgerKey)
  const isSigned = async (bytes: Buffer) => {
    const read = await readManifest(bytes)
    return read !== null && trusted !== null && (await manifestSigner(read, [trusted])) !== null
  }
  t.equal(await isSigned(manifest), true)
  const unnoticed: number[] = []
  for (let bit = 0; bit < manifest.length * 8; bit++) {
    const copy = Buffer.from(manifest)
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    if (await isSigned(copy)) unnoticed.push(bit)
  }
  t.same(unnoticed, [])
})

t.test('a bundle says which shipment it is about, so it cannot stand for another', async (t) => {
  const issued = { bundle: goldenFile('issued.zip') }
  const verdicts = [await byProduct(issued), ...byScript([issued])]
  const id = /^shipment (.+)$/m.exec(String(whole().get('manifest.txt')))?.[1] ?? ''
  for (const { exitCode, text } of verdicts) {
    t.equal(exitCode, 0)
    t.match(text, /shp_\w{22}/)
    t.notMatch(text, id)
  }
})
