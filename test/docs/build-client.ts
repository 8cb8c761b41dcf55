import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bundleCommand } from '../../src/client/build/bundle-command.ts'
import { say } from '../support/say.ts'
import { projectRoot } from '../support/source-files.ts'
import { buildPythonClient } from './build-python-client.ts'

/**
 * Writes the client as a separate package: JavaScript, declarations, the command as one file, and a
 * manifest without dependencies.
 */
export async function buildClient(folder: string): Promise<void> {
  const own = JSON.parse(readFileSync(join(projectRoot, 'src', 'client', 'package.json'), 'utf8'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const compiler = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  const project = join(projectRoot, 'src', 'client', 'tsconfig.json')
  execFileSync(process.execPath, [compiler, '-p', project, '--outDir', folder], {
    stdio: 'inherit',
  })
  await bundleCommand(folder, join(projectRoot, 'docs', 'guides'))
  chmodSync(join(folder, 'shipping-ledger.js'), 0o755)
  const manifest = {
    name: own.name,
    version: own.version,
    private: true,
    description: own.description,
    license: own.license,
    type: 'module',
    engines: own.engines,
    sideEffects: own.sideEffects,
    /** What the types were generated from: `docs/openapi.json` with this digest. */
    openapi: { version: own.version, sha256: documentDigest() },
    bin: { 'shipping-ledger': './shipping-ledger.js' },
    exports: { './client': { types: './client.d.ts', default: './client.js' } },
  }
  copyFileSync(join(projectRoot, 'src', 'client', 'README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function documentDigest(): string {
  const document = readFileSync(join(projectRoot, 'docs', 'openapi.json'))
  return createHash('sha256').update(document).digest('hex')
}

if (import.meta.main) {
  await buildClient(join(projectRoot, 'dist', 'client'))
  say('written dist/client')
  const path = buildPythonClient(join(projectRoot, 'dist', 'client-python'))
  say(`written ${relative(projectRoot, path)}`)
}
