import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { NotExportable } from '../../ledger/export.ts'
import { type Call, CommandFailed, Undecided } from '../command.ts'

/* The file that a command writes, which must not exist yet. */

type OutFile = { readonly name: string; readonly file: string }

/**
 * The file in `--out`. Throws CommandFailed if it exists, Undecided if its folder does not exist.
 */
export function outFile({ flags, pathOf }: Call): OutFile {
  const name = flags.get('out') ?? ''
  const out = { name, file: pathOf(name) }
  refuseTaken(out)
  const folder = dirname(out.file)
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new Undecided(`The folder of ${name} does not exist.`)
  }
  return out
}

export function refuseTaken({ file, name }: OutFile): void {
  if (existsSync(file)) throw new CommandFailed(`${name} already exists: choose another name.`)
}

/** Converts an error of writing the file into a sentence. */
export function explained(error: unknown, name: string): unknown {
  if (error instanceof NotExportable) return new CommandFailed(error.message, { cause: error })
  if (!(error instanceof Error)) return error
  if (error.name === 'AbortError') {
    return new Undecided('The export was interrupted. Its file was removed.', { cause: error })
  }
  const code = 'code' in error ? String(error.code) : ''
  // Errors of an open file have no path. Errors from a database have neither path nor disk code.
  if (!('path' in error) && !diskErrors.has(code)) return error
  return new Undecided(`${name} cannot be written (${code}).`, { cause: error })
}

const diskErrors: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'])
