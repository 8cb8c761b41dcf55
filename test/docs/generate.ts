import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { say } from '../support/say.ts'
import { projectRoot } from '../support/source-files.ts'
import { generatedPages } from './generated-pages.ts'

// All pages are made before any is written: the changelog compares with the document that is still
// on disk.
const pages: [string, string][] = []
for (const [file, content] of Object.entries(generatedPages)) pages.push([file, await content()])
for (const [file, fresh] of pages) {
  const path = join(projectRoot, file)
  const isSame = existsSync(path) && readFileSync(path, 'utf8') === fresh
  mkdirSync(dirname(path), { recursive: true })
  if (!isSame) writeFileSync(path, fresh)
  say(`${isSame ? 'fresh  ' : 'written'} ${file}`)
}
