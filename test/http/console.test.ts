import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import t from 'tap'
import { buildPages } from '../../src/console/build/build-pages.ts'
import {
  builtPages,
  consoleSources,
  manifestFile,
  noncePlaceholder,
} from '../../src/console/build/folders.ts'
import { fontCharacters } from '../../src/console/build/font.ts'
import { serverUnderTest } from './server-under-test.ts'

const folder = mkdtempSync(join(tmpdir(), 'pages-build-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
/** The size limits of the console, compressed: everything, a language, and what its first screen needs. */
const bundleBytesMax = 560 * 1_024
const languageBytesMax = 44 * 1_024
const firstBytesMax = 240 * 1_024
const firstScreen = 'home/home.tsx'

const { app, lines } = await serverUnderTest(t, { pagesFolder: builtPages })
const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers })
const built = join(builtPages, 'console')
const asset = (name: string) => join(built, 'assets', name)
const assetNames = readdirSync(join(built, 'assets'))
/** The largest one: some contain a single icon, which compresses little. */
const script = assetNames
  .filter((name) => name.endsWith('.js'))
  .toSorted((a, b) => statSync(asset(b)).size - statSync(asset(a)).size)[0]

t.test('every address below /console serves the page under a strict security policy', async (t) => {
  for (const url of ['/console', '/console/', '/console/operations?status=all', '/console/a/b']) {
    const { statusCode, headers, body } = await get(url)
    t.equal(statusCode, 200, url)
    t.match(body, '<div id="console">')
    t.equal(headers['cache-control'], 'no-cache')
    t.equal(headers['x-content-type-options'], 'nosniff')
    t.equal(headers['referrer-policy'], 'no-referrer')
    const policy = String(headers['content-security-policy'])
    t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]+';/)
    t.match(policy, "frame-ancestors 'none'")
    t.notMatch(policy, /unsafe|\*|https?:|data:/)
    t.notMatch(body, /<style|<script>| style=|https?:/, 'nothing inline and nothing from elsewhere')
  }
  t.notMatch(JSON.stringify(lines), 'ALREADY_SENT', 'each page is sent once')
  t.match((await get('/console')).body, '<meta name="sign-in" content="key">')
  t.equal((await app.inject({ method: 'POST', url: '/console' })).statusCode, 405)
  const asset = await get(`/console/assets/${script}`)
  t.match(asset.headers['content-security-policy'], "style-src 'self';")
  t.equal((await get('/consoles')).statusCode, 404)
  const undecodable = await get('/console/shipments/%')
  t.equal(undecodable.headers.location, '/console/no-such-page', 'a page, and no JSON')
  t.equal((await get('/v1/shipments/%')).statusCode, 404)
})

t.test('console files with a digest in their name are cached forever and compressed', async (t) => {
  const plain = await get(`/console/assets/${script}`)
  t.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  t.match(plain.headers['content-type'], /javascript/)
  const small = await get(`/console/assets/${script}`, { 'accept-encoding': 'br, gzip' })
  t.equal(small.headers['content-encoding'], 'br')
  t.ok(small.rawPayload.length < plain.rawPayload.length / 2)
  for (const name of ['gone.js', '../index.html', '..%2findex.html', '../built-from.txt', '']) {
    const { statusCode, headers } = await get(`/console/assets/${name}`)
    t.notMatch(headers['cache-control'], 'immutable', name)
    t.ok(statusCode === 404 || statusCode === 200, name)
  }
  for (const folder of ['/console/assets', '/docs/assets']) {
    for (const name of ['gone.js', '..%2f..%2fpackage.json']) {
      const { statusCode, body } = await get(`${folder}/${name}`)
      t.equal(statusCode, 404, `${folder}/${name}`)
      t.equal(JSON.parse(body).reason, 'not_found')
    }
  }
})

t.test('each answer of the console has its own nonce for styles, and none is reused', async (t) => {
  const nonces = new Set<string>()
  for (let n = 0; n < 3; n++) {
    const { headers, body } = await get('/console', { 'if-none-match': '*' })
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
    t.match(body, `<meta property="csp-nonce" nonce="${nonce}">`)
    t.notMatch(body, noncePlaceholder)
    t.equal(headers.etag, undefined, 'a page with an earlier nonce would lose its styles')
    nonces.add(nonce)
  }
  t.equal(nonces.size, 3)
})

type Chunk = {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

/** The files of a chunk and everything that it imports. */
function filesOf(manifest: Readonly<Record<string, Chunk>>, name: string): readonly string[] {
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`there is no chunk ${name}`)
  const needed = (chunk.imports ?? []).flatMap((each) => filesOf(manifest, each))
  return [chunk.file, ...(chunk.css ?? []), ...needed]
}

/** What a browser receives: with Brotli if that is smaller. */
const sentBytes = (files: Iterable<string>) =>
  [...new Set(files)]
    .map((file) => join(built, file))
    .map((file) => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size)
    .reduce((sum, size) => sum + size, 0)

t.test('the console weighs less than 560 KB, and its first screen less than 240 KB', async (t) => {
  const all = assetNames.filter((name) => !/\.(br|gz)$/.test(name)).map((name) => `assets/${name}`)
  const isLanguage = (file: string) => /^assets\/es-[\w-]+\.js$/.test(file)
  const [spanish = '', ...others] = all.filter(isLanguage)
  t.same(others, [])
  t.ok(sentBytes([spanish]) < languageBytesMax, `${sentBytes([spanish])} bytes of Spanish`)
  const total = sentBytes(['index.html', ...all.filter((file) => !isLanguage(file))])
  t.comment(`${all.length} files, ${Math.round(total / 1_024)} KB`)
  t.ok(total < bundleBytesMax, `${total} bytes`)
  const manifest = JSON.parse(readFileSync(join(built, manifestFile), 'utf8'))
  const entry = filesOf(manifest, 'index.html')
  const screens = Object.keys(manifest).filter((name) => name.endsWith('.tsx'))
  t.ok(screens.length > 10, 'each screen is loaded alone')
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  const [, font = ''] = /rel="preload" as="font"[^>]* href="\/console\/([^"]+)"/.exec(page) ?? []
  t.match(font, /\.woff2$/)
  const first = [...entry, ...filesOf(manifest, firstScreen), font]
  const firstBytes = sentBytes(['index.html', ...first])
  t.comment(`the first screen: ${Math.round(firstBytes / 1_024)} KB`)
  t.ok(firstBytes < firstBytesMax, `${firstBytes} bytes`)
})

t.test('the font has every letter of the console', async (t) => {
  const sources = readdirSync(consoleSources, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('build/'))
    .map((name) => readFileSync(join(consoleSources, name), 'utf8'))
  const missing = new Set([...sources.join('')].filter((sign) => sign > '~'))
  for (const sign of fontCharacters) missing.delete(sign)
  t.same([...missing].toSorted(), ['≤', '⌘'], 'these come from the system')
})

t.test('an installation without the pages says so, and serves the API', async (t) => {
  const { app } = await serverUnderTest(t, { pagesFolder: folder })
  for (const url of ['/console', '/console/operations', '/docs', '/docs/errors']) {
    const { statusCode, body } = await app.inject({ method: 'GET', url })
    t.equal(statusCode, 404, url)
    t.match(body, 'npm run build:pages')
  }
  t.equal((await app.inject({ method: 'GET', url: '/docs/errors.md' })).statusCode, 404)
  t.equal((await app.inject({ method: 'GET', url: '/healthz' })).statusCode, 200)
})

t.test('pages are built when their sources have changed, and only then', async (t) => {
  const source = join(folder, 'source.txt')
  const name = `test-${process.pid}`
  t.teardown(() => rmSync(join(builtPages, name), { recursive: true, force: true }))
  let builds = 0
  const build = (needs: readonly string[] = ['fastify']) =>
    buildPages({
      name,
      inputs: [source],
      needs,
      build: async (made) => {
        builds++
        writeFileSync(join(made, 'page.js'), readFileSync(source))
      },
    })
  writeFileSync(source, 'one')
  t.match(await build(['fastify', 'no-such-package']), 'this installation has no no-such-package')
  t.match(await build(), 'built in')
  t.equal(await build(), null)
  t.equal(builds, 1)
  writeFileSync(source, 'two')
  await Promise.all([build(), build()])
  const page = join(builtPages, name, 'page.js')
  t.equal(readFileSync(page, 'utf8'), 'two')
  t.equal(brotliDecompressSync(readFileSync(`${page}.br`)).toString(), 'two')
  t.same(
    readdirSync(builtPages).filter((each) => each.startsWith(`${name}-`)),
    [],
    'nothing half built is left',
  )
})
