import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { writer } from './questions.ts'
import { byScript, verifyScript } from './run-verifiers.ts'
import { singleChecks } from './single-checks.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-single-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
const checks = singleChecks(writer(folder))

t.test('what one check refuses would be accepted without that check', async (t) => {
  const script = readFileSync(verifyScript, 'utf8')
  for (const [check, { off, refuses }] of checks) {
    const [part, instead] = off
    t.equal(script.split(part).length, 2, `verify.mjs has the part that is ${check} once`)
    const weakened = join(folder, `without ${check}.mjs`)
    writeFileSync(
      weakened,
      script.replace(part, () => instead),
    )
    const verdicts = byScript(Object.values(refuses), weakened)
    for (const [index, name] of Object.keys(refuses).entries())
      t.equal(verdicts[index]?.exitCode, 0, `${name}: ${verdicts[index]?.text}`)
  }
})
