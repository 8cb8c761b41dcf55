import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import {
  consoleFolder,
  digestFile,
  manifestFile,
  noncePlaceholder,
} from '../../src/console/build/folders.ts'
import { keepBuilt, type PagesState } from '../../src/console/build/keep-built.ts'
import { pagesForTest } from '../console/console.ts'
import { eventually } from '../support/eventually.ts'
import { noLog } from '../support/no-log.ts'
import { watchProcess } from '../support/run-process.ts'
import { projectRoot } from '../support/source-files.ts'
import { serverUnderTest } from './server-under-test.ts'

const folder = mkdtempSync(join(tmpdir(), 'pages-build-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
/** The most that the console may weigh, compressed: everything, and what its first screen needs. */
const bundleBytesMax = 560 * 1_024
const firstBytesMax = 240 * 1_024
const firstScreen = 'home/home.tsx'

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
const built = join(pages.folder, consoleFolder)
const asset = (name: string) => join(built, 'assets', name)
const assetNames = readdirSync(join(built, 'assets'))
/** The largest one: some have a single icon, which compresses little. */
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

/** The files of a chunk and of everything that it needs. */
function filesOf(manifest: Readonly<Record<string, Chunk>>, name: string): readonly string[] {
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`there is no chunk ${name}`)
  const needed = (chunk.imports ?? []).flatMap((each) => filesOf(manifest, each))
  return [chunk.file, ...(chunk.css ?? []), ...needed]
}

const gzippedBytes = (files: Iterable<string>) =>
  [...new Set(files)]
    .map((file) => gzipSync(readFileSync(join(built, file))).length)
    .reduce((sum, size) => sum + size, 0)

t.test('the console weighs less than 560 KB, and its first screen less than 240 KB', async (t) => {
  const all = assetNames.filter((name) => !/\.(br|gz)$/.test(name)).map((name) => `assets/${name}`)
  const total = gzippedBytes(['index.html', ...all])
  t.comment(`${all.length} files, ${Math.round(total / 1_024)} KB gzipped`)
  t.ok(total < bundleBytesMax, `${total} bytes`)
  const manifest = JSON.parse(readFileSync(join(built, manifestFile), 'utf8'))
  const entry = filesOf(manifest, 'index.html')
  const screens = Object.keys(manifest).filter((name) => name.endsWith('.tsx'))
  t.ok(screens.length > 10, 'each screen is loaded alone')
  const first = [...entry, ...filesOf(manifest, firstScreen)]
  const firstBytes = gzippedBytes(['index.html', ...first])
  t.comment(`the first screen: ${Math.round(firstBytes / 1_024)} KB gzipped`)
  t.ok(firstBytes < firstBytesMax, `${firstBytes} bytes`)
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
  for (const url of ['/docs', '/docs/errors', '/docs/errors.md'])
    t.equal((await get(url)).statusCode, 503, url)
  state = 'failed'
  t.match((await get('/console')).body, 'npm run build:pages')
  t.match((await get('/docs/errors')).body, 'npm run build:pages')
  mkdirSync(join(folder, consoleFolder))
  writeFileSync(join(folder, consoleFolder, 'index.html'), 'an earlier build')
  t.equal((await get('/console')).body, 'an earlier build', 'older pages are better than none')
  t.equal((await get('/healthz')).statusCode, 200)
})

/** A process that starts the program as the service does, says its id, and stays. */
const starter = (program: string) => `
  const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(program)}], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  console.log(child.pid)
  setInterval(() => {}, 1000)`

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

t.test('a build ends when the process that started it is killed', async (t) => {
  const program = join(projectRoot, 'src', 'console', 'build', 'build.ts')
  const builtAt = () => statSync(join(pages.folder, digestFile)).mtimeMs
  const before = builtAt()
  const starting = watchProcess(spawn(process.execPath, ['--eval', starter(program)]))
  const [, pid] = await starting.said(/(\d+)\n/)
  starting.child.kill('SIGKILL')
  await starting.ended
  await eventually(
    async () => isRunning(Number(pid)),
    (running) => !running,
  )
  t.equal(builtAt(), before, 'it had not come to its end')
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
