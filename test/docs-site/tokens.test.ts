import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { cssVariables, theme } from '../../src/console/theme.ts'
import { projectRoot } from '../support/source-files.ts'

const declared = (file: string) => {
  const text = readFileSync(join(projectRoot, 'src', file), 'utf8')
  const found = [...text.matchAll(/^ {2}(--[\w-]+): (.+);$/gm)]
  return new Map(found.map(([, name = '', value = '']) => [name, value]))
}

t.test('the documentation has the fonts and colors of the console', async (t) => {
  const site = declared('docs-site/styles/tokens.css')
  const { light, dark } = cssVariables(theme as Parameters<typeof cssVariables>[0])
  const colors = theme.colors ?? {}
  const inConsole = new Map(
    [...declared('console/styles/base.css')].map(([name, value]) => [
      name,
      value.replace(
        /var\(--mantine-color-(\w+)-(\d)\)/g,
        (_, color, shade) => colors[color]?.[shade] ?? '',
      ),
    ]),
  )
  for (const [name, value] of Object.entries(light))
    inConsole.set(name, `light-dark(${value}, ${dark[name as keyof typeof dark]})`)
  const indigo = colors.indigo ?? []
  for (const [shade, value] of indigo.entries())
    inConsole.set(`--mantine-color-indigo-${shade}`, String(value))
  for (const [kind, sizes] of [
    ['spacing', theme.spacing],
    ['font-size', theme.fontSizes],
  ] as const)
    for (const [size, value] of Object.entries(sizes ?? {}))
      inConsole.set(`--mantine-${kind}-${size}`, String(value))
  const shared = [...site].filter(([name]) => inConsole.has(name))
  t.ok(shared.length > 25)
  for (const [name, value] of shared) t.equal(value, inConsole.get(name), name)
  t.match(theme.fontFamily, /^Inter,/)
  t.match(site.get('--sl-font'), /^Inter,/)
})
