import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot, projectTexts } from '../../support/source-files.ts'

t.test('the guide to invoices calls what is in the console by its name', async (t) => {
  const guide = readFileSync(join(projectRoot, 'docs/guides/courier-invoices.md'), 'utf8')
  const section = guide.split(/^## /m).find((each) => each.startsWith('In the console\n')) ?? ''
  const names = [...section.matchAll(/\*([^*]+)\*/g)].map(([, name]) => String(name))
  t.ok(names.length >= 7)
  const texts = [...projectTexts((file) => file.startsWith('src/console/')).values()].join('\n')
  t.same(
    names.filter((name) => !texts.includes(name)),
    [],
  )
})
