import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { builtPages } from '../../src/console-build/folders.ts'
import { keepBuilt, type PagesState } from '../../src/console-build/keep-built.ts'
import { pagesForTest } from '../console/console.ts'
import { noLog } from '../support/no-log.ts'
import { serverUnderTest } from './server-under-test.ts'

const folder = mkdtempSync(join(tmpdir(), 'console-build-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
/** The most that the console may weigh, compressed, when it is loaded for the first time. */
const bundleBytesMax = 300 * 1_024

const pages = await pagesForTest()
let state: PagesState = 'current'
let servedFrom = pages.folder
const { app } = await serverUnderTest(t, {
  pages: {
    ...pages,
    state: () => state,
    get folder() {
      return servedFrom
    },
  },
})
const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers })
const assetNames = readdirSync(join(builtPages, 'assets'))
const script = assetNames.find((name) => name.endsWith('.js'))

t.test('every address below /console serves the page under a strict security policy', async (t) => {
  for (const url of ['/console', '/console/', '/console/operations?status=all', '/console/a/b']) {
    const { statusCode, headers, body } = await get(url)
    t.equal(statusCode, 200, url)
    t.match(body, '<div id="console">')
    t.equal(headers['cache-control'], 'no-cache')
    t.equal(headers['x-content-type-options'], 'nosniff')
    t.equal(headers['referrer-policy'], 'no-referrer')
    const policy = String(headers['content-security-policy'])
    t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
    t.match(policy, "frame-ancestors 'none'")
    t.notMatch(policy, /unsafe|\*|https?:|data:/)
    t.notMatch(body, /<style|<script>| style=|https?:/, 'nothing inline and nothing from elsewhere')
  }
  t.equal((await app.inject({ method: 'POST', url: '/console' })).statusCode, 405)
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
  for (const folder of ['/console/assets', '/docs/reference/static']) {
    for (const name of ['gone.js', '..%2f..%2fpackage.json']) {
      const { statusCode, body } = await get(`${folder}/${name}`)
      t.equal(statusCode, 404, `${folder}/${name}`)
      t.equal(JSON.parse(body).reason, 'not_found')
    }
  }
})

t.test('the whole console weighs less than 300 KB compressed', async (t) => {
  const files = [
    'index.html',
    ...assetNames.filter((name) => !/\.(br|gz)$/.test(name)).map((name) => `assets/${name}`),
  ]
  const sizes = files.map((file) => gzipSync(readFileSync(join(builtPages, file))).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  t.comment(`${files.length} files, ${Math.round(total / 1_024)} KB gzipped`)
  t.ok(total > 10_000)
  t.ok(total < bundleBytesMax, `${total} bytes`)
})

t.test('an unbuilt console says when to retry, a failed build says what to run', async (t) => {
  servedFrom = folder
  t.teardown(() => {
    servedFrom = pages.folder
    state = 'current'
  })
  state = 'building'
  const waiting = await get('/console')
  t.equal(waiting.statusCode, 503)
  t.equal(waiting.headers['retry-after'], '3')
  t.match(waiting.body, 'being built')
  state = 'failed'
  t.match((await get('/console')).body, 'npm run build:console')
  writeFileSync(join(folder, 'index.html'), 'an earlier build')
  t.equal((await get('/console')).body, 'an earlier build', 'older pages are better than none')
  t.equal((await get('/healthz')).statusCode, 200)
})

t.test('a failed console build is logged, and a build gets no secrets', async (t) => {
  const program = join(folder, 'build.mjs')
  const isCurrent = async () => false
  const lines: unknown[] = []
  const log = { ...noLog, error: (line: unknown) => void lines.push(line) }
  writeFileSync(program, 'console.error("no such module"); process.exit(3)')
  const failing = keepBuilt({ log, program, isCurrent })
  t.equal(await failing.ready(), 'failed')
  t.match(lines, [{ err: { message: /ended with 3: no such module/ } }])

  writeFileSync(program, 'setInterval(() => {}, 1000)')
  const endless = keepBuilt({ log, program, isCurrent })
  await endless.close()
  t.equal(endless.state(), 'failed')
  t.equal(lines.length, 1, 'a stop is no failure')

  writeFileSync(program, 'process.exit(Object.keys(process.env).includes("HOME") ? 1 : 0)')
  t.equal(await keepBuilt({ log, program, isCurrent }).ready(), 'current', 'no secret goes along')
})
