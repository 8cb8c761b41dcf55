import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { projectRoot } from '../support/source-files.ts'

const source = join(projectRoot, 'src', 'client-python')
const python = 'shipping_ledger'
/** The earliest time that a ZIP can hold: the wheel then depends on its contents alone. */
const mtime = '1980-01-01T12:00:00'

function manifestOf(house: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(projectRoot, house, 'package.json'), 'utf8'))
}

/** The metadata of the Python package. */
export function pythonPackage() {
  const { name, version } = manifestOf('src/client')
  const { description } = manifestOf('.')
  return {
    name: `${name}-client`,
    version,
    summary: `The Python client of the ${name} API. ${description}.`,
    license: 'LicenseRef-Unlicensed',
    classifier: 'Private :: Do Not Upload',
    requiresPython: '>=3.11',
  }
}

/** Writes the wheel, which installs without an index, and returns its path. It needs no Python. */
export function buildPythonClient(folder: string): string {
  const { name, version } = pythonPackage()
  const stem = `${name.replaceAll('-', '_')}-${version}`
  const info = `${stem}.dist-info`
  const modules = readdirSync(join(source, python)).filter((file) => /\.py$|^py\.typed$/.test(file))
  const files = new Map<string, Buffer>([
    ...modules
      .toSorted()
      .map((file) => [`${python}/${file}`, readFileSync(join(source, python, file))] as const),
    [`${info}/METADATA`, Buffer.from(metadata())],
    [`${info}/WHEEL`, Buffer.from(wheel)],
  ])
  files.set(`${info}/RECORD`, Buffer.from(recordOf(files, `${info}/RECORD`)))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${stem}-py3-none-any.whl`)
  writeFileSync(path, zipSync(Object.fromEntries(files), { mtime }))
  return path
}

const wheel = `Wheel-Version: 1.0
Generator: shipping-ledger
Root-Is-Purelib: true
Tag: py3-none-any
`

function metadata(): string {
  const { name, version, summary, license, classifier, requiresPython } = pythonPackage()
  return `Metadata-Version: 2.1
Name: ${name}
Version: ${version}
Summary: ${summary}
License: ${license}
Classifier: ${classifier}
Requires-Python: ${requiresPython}
Description-Content-Type: text/markdown

${readFileSync(join(source, 'README.md'), 'utf8')}`
}

/** The digest and size of each file; the list's own entry has neither. */
function recordOf(files: ReadonlyMap<string, Buffer>, own: string): string {
  const lines = [...files].map(([path, content]) => {
    const digest = createHash('sha256').update(content).digest('base64url')
    return `${path},sha256=${digest},${content.length}`
  })
  return `${[...lines, `${own},,`].join('\n')}\n`
}
