import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchServer, scratchVariable } from '../../support/scratch-server.ts'
import { evidenceShop } from './evidence-shop.ts'
import { goldenFolder, goldenNames } from './golden.ts'

/*
 * Creates the bundles in test/ledger/golden with the current product and with keys that are used
 * for nothing else: `node test/ledger/evidence/make-golden.ts`. Run it only if the format of
 * bundles has changed: the files prove that today's verifiers accept older bundles.
 */

const closers: (() => Promise<unknown>)[] = []
const server = await scratchServer()
process.env[scratchVariable] = server.adminUrl
try {
  const made = await evidenceShop({ teardown: (close) => closers.push(close) }, { isRotated: true })
  const { shop, held: trusted, seeds, ledgerKey, witnessKey } = made
  mkdirSync(goldenFolder, { recursive: true })
  let size = 0
  for (const name of goldenNames) {
    const { zip, files } = await made.bundleOf(made[name], { includePersonal: true })
    size = Number(String(files.get('checkpoint.txt')).split('\n')[1])
    writeFileSync(join(goldenFolder, `${name}.zip`), zip)
  }
  const path = `/v1/ledger/consistency?from=${trusted.tree_size}&to=${size}`
  const json = {
    held: trusted,
    consistency: (await shop.call(path)).body,
    keys: {
      ledger: ledgerKey,
      ledger_seed: seeds.ledger.toString('hex'),
      witness: witnessKey,
      witness_seed: seeds.witness.toString('hex'),
    },
  }
  for (const [name, content] of Object.entries(json))
    writeFileSync(join(goldenFolder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`)
} finally {
  for (const close of closers.toReversed()) await close()
  await server.stop()
}
