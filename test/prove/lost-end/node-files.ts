import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Marks the folder of a node's log. */
const chaser = 'chaser.chk'

/**
 * Copies the files of a running node of EventStoreDB, in the order that its documentation demands:
 * the index, then the marks of how far the log was written, then the log.
 */
export function backUpNode(directory: string, to: string): void {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const log = dirname(files.find((file) => basename(file) === chaser) ?? '')
  const ofIndex = (file: string) => dirname(file) !== log
  const isMark = (file: string) => file.endsWith('.chk')
  const isChunk = (file: string) => basename(file).startsWith('chunk-')
  const turns = [
    (file: string) => ofIndex(file) && isMark(file),
    (file: string) => ofIndex(file) && !isMark(file),
    (file: string) => !ofIndex(file) && isMark(file),
    (file: string) => !ofIndex(file) && isChunk(file),
  ]
  for (const isDue of turns) {
    for (const file of files.filter(isDue)) {
      const copy = join(to, file.slice(directory.length))
      mkdirSync(dirname(copy), { recursive: true })
      // The files of the log are as large as they ever become, and mostly empty.
      execFileSync('cp', ['-a', '--sparse=always', file, copy])
    }
  }
}

/** Puts a backup in the place of a stopped node's files. */
export function restoreNode(backup: string, directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  execFileSync('cp', ['-a', '--sparse=always', backup, directory])
  const marks = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const mark = marks.find((file) => basename(file) === chaser) ?? chaser
  // The node cuts its log there when it starts.
  copyFileSync(join(directory, mark), join(directory, dirname(mark), 'truncate.chk'))
}
