import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { say } from '../support/say.ts'
import { projectRoot } from '../support/source-files.ts'
import { generatedPages } from './generated-pages.ts'

for (const [file, content] of Object.entries(generatedPages)) {
  const path = join(projectRoot, file)
  const fresh = await content()
  const isSame = existsSync(path) && readFileSync(path, 'utf8') === fresh
  mkdirSync(dirname(path), { recursive: true })
  if (!isSame) writeFileSync(path, fresh)
  say(`${isSame ? 'fresh  ' : 'written'} ${file}`)
}
