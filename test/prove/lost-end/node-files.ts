import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Identifies the folder of a node's log. */
const chaser = 'chaser.chk'

/**
 * Copies the files of a running EventStoreDB node in the order that its documentation requires: the
 * index, then the checkpoints of how far the log was written, then the log.
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
      // The log files have their full size from the beginning and are mostly empty.
      execFileSync('cp', ['-a', '--sparse=always', file, copy])
    }
  }
}

/** Replaces a stopped node's files with a backup. */
export function restoreNode(backup: string, directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  execFileSync('cp', ['-a', '--sparse=always', backup, directory])
  const marks = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const mark = marks.find((file) => basename(file) === chaser) ?? chaser
  // The node truncates its log there when it starts.
  copyFileSync(join(directory, mark), join(directory, dirname(mark), 'truncate.chk'))
}
