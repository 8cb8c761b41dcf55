import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const projectRoot = join(import.meta.dirname, '..', '..')

/** Paths in .gitignore and git's own folder: generated files that are not part of the project. */
const madeByRunning = /^(\.git|node_modules|\.data|\.tap|coverage|dist|label\.pdf)$|\.log$/

/** The names at the top level of the project. */
export function topLevel(): readonly string[] {
  return readdirSync(projectRoot).filter((name) => !madeByRunning.test(name))
}

/** Every file of the project, relative to the root, with forward slashes. */
export function projectFiles(): readonly string[] {
  const files: string[] = []
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(projectRoot, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (madeByRunning.test(entry.name)) continue
      if (entry.isDirectory()) walk(path)
      else files.push(path)
    }
  }
  walk('')
  return files.sort()
}

/** The project's files that match, as path → text. */
export function projectTexts(fits: (file: string) => boolean): ReadonlyMap<string, string> {
  const files = projectFiles().filter(fits)
  return new Map(files.map((file) => [file, readFileSync(join(projectRoot, file), 'utf8')]))
}

export const isSource = (file: string) => /^(src|projections)\/.*\.tsx?$/.test(file)
export const isTest = (file: string) => /^test\/.*\.ts$/.test(file)
