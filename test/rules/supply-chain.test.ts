import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../support/source-files.ts'

type Locked = {
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
}

const read = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'))
const lock: {
  readonly packages: Readonly<Record<string, Locked>>
  readonly lockfileVersion: number
} = read('package-lock.json')
const { workspaces, ...service } = read('package.json')
const houses: readonly string[] = workspaces
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
)

/** Licences allowed in the delivered service: permissive, requiring only the notice. */
const allowed = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '(BSD-3-Clause AND Apache-2.0)',
  'Unlicense',
  '0BSD',
  '(MIT OR CC0-1.0)',
  'MIT AND ISC AND BSD-3-Clause',
  // The font; its licence is delivered beside it.
  'OFL-1.1',
])
/** Licences also allowed for tools that are never delivered. */
const allowedForTools = new Set([
  ...allowed,
  'MIT OR Apache-2.0',
  'Python-2.0',
  '(MIT AND Zlib)',
  '(WTFPL OR MIT)',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
])
/** Packages whose lock entry has no usable licence, and the licence found in their files or repository. */
const readByHand: Readonly<Record<string, string>> = {
  'node_modules/png-js': 'MIT',
  'node_modules/compute-gcd': 'MIT',
  'node_modules/compute-lcm': 'MIT',
  'node_modules/reserved': 'MIT',
  'node_modules/validate.io-function': 'MIT',
  'node_modules/validate.io-integer': 'MIT',
  'node_modules/validate.io-integer-array': 'MIT',
  'node_modules/validate.io-number': 'MIT',
  'node_modules/jsonc-simple-parser': 'MIT',
  'node_modules/@event-driven-io/dumbo': 'Apache-2.0',
  'node_modules/@event-driven-io/pongo': 'Apache-2.0',
}
/**
 * Packages that build the pages and are part of nothing that the service serves. For licences that
 * require publishing the source of changed files: no file is changed or redistributed.
 */
const forBuildingOnly: Readonly<Record<string, RegExp>> = {
  'MPL-2.0': /^node_modules\/lightningcss(-[a-z0-9-]+)?$/,
  'EPL-2.0': /^node_modules\/elkjs$/,
  // sharp, which Astro brings for images. The documentation has none, so it is never loaded.
  'LGPL-3.0-or-later': /^node_modules\/@img\/sharp-/,
  'Apache-2.0 AND LGPL-3.0-or-later': /^node_modules\/@img\/sharp-/,
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': /^node_modules\/@img\/sharp-/,
  'CC0-1.0': /^node_modules\/(csso\/node_modules\/)?mdn-data$/,
  'Python-2.0': /^node_modules\/argparse$/,
  // Babel's, which comes with the texts of the console and reads no browser's data there.
  'CC-BY-4.0': /^node_modules\/caniuse-lite$/,
  '(MIT AND Zlib)': /\/woff2sfnt-sfnt2woff\/node_modules\/pako$/,
}
/**
 * Used only in tests; neither delivered nor linked into anything delivered. Emmett is published without
 * a licence: its author has not chosen one yet.
 */
const inTestsOnly: Readonly<Record<string, string>> = {
  'node_modules/mupdf': 'AGPL-3.0-or-later',
  'node_modules/@axe-core/playwright': 'MPL-2.0',
  'node_modules/axe-core': 'MPL-2.0',
  'node_modules/@event-driven-io/emmett': 'none',
  'node_modules/@event-driven-io/emmett-postgresql': 'none',
}

t.test('every locked package has its digest and comes from a registry', async (t) => {
  t.equal(lock.lockfileVersion, 3)
  t.ok(packages.length > 100)
  const strange = packages.filter(
    ([, { integrity = '', resolved = '' }]) =>
      !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ||
      // An address would override the installer's configured registry.
      resolved !== '',
  )
  t.same(
    strange.map(([path]) => path),
    [],
  )
})

t.test('every direct dependency is pinned to the version that is locked', async (t) => {
  const loose: string[] = []
  const manifests = [service, ...houses.map((house) => read(`${house}/package.json`))]
  for (const { name: owner, dependencies, devDependencies } of manifests) {
    const direct: Record<string, string> = { ...dependencies, ...devDependencies }
    for (const [name, wanted] of Object.entries(direct)) {
      const locked = lock.packages[`node_modules/${name}`]?.version
      // `npm:name@version` is a different package under this name.
      if (locked !== wanted.split('@').at(-1))
        loose.push(`${owner}: ${name} ${wanted}, locked ${locked}`)
    }
  }
  t.same(loose, [])
  // Five of them are OpenTelemetry, which is split that finely and loaded only if traces are on.
  t.ok(Object.keys(service.dependencies).length <= 36, 'few run in the service')
})

t.test('every delivered package and every tool has an allowed licence', async (t) => {
  const wrong: string[] = []
  for (const [path, { license, dev }] of packages) {
    const found = license ?? readByHand[path] ?? 'none'
    const may = dev === true ? allowedForTools : allowed
    if (forBuildingOnly[found]?.test(path) === true) continue
    if (!may.has(found) && !(dev === true && inTestsOnly[path] === found)) {
      wrong.push(`${path}: ${found}`)
    }
  }
  t.same(wrong, [])
  const known = new Set(packages.map(([path]) => path))
  const gone = [...Object.keys(readByHand), ...Object.keys(inTestsOnly)].filter(
    (at) => !known.has(at),
  )
  t.same(gone, [], 'every exception is used by a package')
})

const isOurs = (purl: string) => purl.startsWith('pkg:npm/shipping-ledger')

t.test('the bill of materials names every package with its digest', async (t) => {
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], {
    cwd: projectRoot,
    maxBuffer: 64 * 1024 * 1024,
  })
  const { bomFormat, components } = JSON.parse(String(text)) as {
    readonly bomFormat: string
    readonly components: readonly {
      readonly name: string
      readonly version: string
      readonly purl: string
      readonly hashes?: readonly unknown[]
    }[]
  }
  t.equal(bomFormat, 'CycloneDX')
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 13)
  t.same(
    packages
      .map(([path, { version }]) => `${nameOf(path)}@${version}`)
      .filter((each) => !named.has(each)),
    [],
  )
  t.same(
    components.filter(({ hashes = [], purl }) => hashes.length === 0 && !isOurs(purl)),
    [],
  )
})
