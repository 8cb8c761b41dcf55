import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { readManifest } from '../../../src/service/ledger/evidence/read-manifest.ts'
import { readVerifier } from '../../../src/service/ledger/signed-note.ts'
import { goldenFile, goldenKeys } from './golden.ts'
import { differing, questionsIn } from './questions.ts'
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

t.test('no single bit of a manifest can be changed', async (t) => {
  const manifest = whole().get('manifest.txt') ?? Buffer.alloc(0)
  const trusted = [readVerifier(goldenKeys().ledger)].filter((key) => key !== null)
  t.equal(readManifest(manifest)?.isSigned(trusted), true)
  const unnoticed: number[] = []
  for (let bit = 0; bit < manifest.length * 8; bit++) {
    const copy = Buffer.from(manifest)
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    if (readManifest(copy)?.isSigned(trusted)) unnoticed.push(bit)
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
