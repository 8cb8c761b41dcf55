import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, watchProcess } from '../../support/run-process.ts'
import { type LostEndMutant, lostEndMutants } from './lost-end-mutants.ts'

const root = join(import.meta.dirname, '../../..')
const copied = ['src', 'projections', 'docs', 'test', 'package.json', 'package-lock.json']

export type MutantFound = { readonly ended: Ended; readonly output: string }

/** Runs the mutant's round in a copy of the project with the flaw. */
export async function withMutant(mutant: LostEndMutant): Promise<MutantFound> {
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-mutant-'))
  try {
    for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true })
    symlinkSync(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'))
    for (const [file, before, after] of mutant.changes) {
      const text = readFileSync(join(folder, file), 'utf8')
      if (text.split(before).length !== 2) {
        throw new Error(`${mutant.name}: ${file} does not have once: ${before}`)
      }
      writeFileSync(
        join(folder, file),
        text.replace(before, () => after),
      )
    }
    const program = join(folder, 'test/prove/lost-end/mutant-round.ts')
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', program, String(lostEndMutants.indexOf(mutant))],
      { cwd: folder, stdio: 'pipe' },
    )
    const ended = await watchProcess(child).ended
    return { ended, output: ended.stdout + ended.stderr }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Whether the flaw was found, by what it breaks and not by anything else. */
export function isCaught({ breaks }: LostEndMutant, { ended }: MutantFound): boolean {
  return ended.code === 1 && breaks.some((kind) => ended.stdout.includes(`${kind}: `))
}
