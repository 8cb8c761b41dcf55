import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const projectRoot = join(import.meta.dirname, '..', '..')

/** Paths in .gitignore and git's own folder: generated, not part of the project. */
const madeByRunning = /^(\.git|node_modules|\.data|\.tap|coverage|dist|label\.pdf)$|\.log$/

/** The names at the top level of the project. */
export function topLevel(): readonly string[] {
  return readdirSync(projectRoot).filter((name) => !madeByRunning.test(name))
}

/** Every file of the project, as paths from the top with forward slashes. */
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

/** Path → text of the project's files that match. */
export function projectTexts(fits: (file: string) => boolean): ReadonlyMap<string, string> {
  const files = projectFiles().filter(fits)
  return new Map(files.map((file) => [file, readFileSync(join(projectRoot, file), 'utf8')]))
}

export const isSource = (file: string) => /^(src|projections)\/.*\.tsx?$/.test(file)
export const isTest = (file: string) => /^test\/.*\.ts$/.test(file)
