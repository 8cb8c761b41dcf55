import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { signerOf } from '../../../src/service/ledger/signed-note.ts'
import { witnessText } from '../../../src/service/ledger/witnesses/cosignature.ts'
import { service } from '../../support/service.ts'
import { byProduct, byPython, byScript, pythonLacks } from './run-verifiers.ts'

/* A witness does not answer, and the service still creates its bundles. */

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-silent-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
const witness = signerOf('silent.example/w1', randomBytes(32))
const key = witnessText(witness)
// Nothing listens there.
const shop = await service(t, { witnesses: [{ ...witness, url: 'http://127.0.0.1:1' }] })

t.test('a bundle without the cosignature of a witness that it lists is accepted', async (t) => {
  const { body } = await shop.create('silent')
  const answer = await shop.call(`/v1/shipments/${body.id}/evidence`)
  t.equal(answer.status, 200)
  const bundle = join(folder, 'evidence.zip')
  writeFileSync(bundle, answer.body)
  const asked = [{ bundle }, { bundle, options: { witness: key } }]
  const product = [
    await byProduct({ bundle }),
    await byProduct({ bundle, options: { witness: key } }),
  ]
  const python = pythonLacks === null ? [byPython(asked)] : []
  for (const [listed, given] of [product, byScript(asked), ...python]) {
    t.equal(listed?.exitCode, 0, listed?.text ?? 'no answer')
    t.match(listed?.text, /silent\.example\/w1/)
    t.equal(given?.exitCode, 2, given?.text ?? 'no answer')
  }
})
