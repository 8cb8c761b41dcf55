import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedPages } from './generated-pages.ts'
import { say } from './say.ts'
import { projectRoot } from './source-files.ts'

for (const [file, content] of Object.entries(generatedPages)) {
  const path = join(projectRoot, file)
  const fresh = await content()
  const isSame = existsSync(path) && readFileSync(path, 'utf8') === fresh
  mkdirSync(dirname(path), { recursive: true })
  if (!isSame) writeFileSync(path, fresh)
  say(`${isSame ? 'fresh  ' : 'written'} ${file}`)
}
