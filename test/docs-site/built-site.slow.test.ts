import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import t from 'tap'
import { builtPages } from '../../src/console/build/folders.ts'
import { searchOptions } from '../../src/docs-site/search/search-options.ts'
import { isSearched } from '../../src/docs-site/site-map.ts'
import { slugOfTag } from '../../src/docs-site/site-page.ts'
import { reasons } from '../../src/service/errors.ts'
import { serverUnderTest } from '../http/server-under-test.ts'
import { committedDocument } from '../support/declared-answers.ts'
import { projectFiles, projectRoot } from '../support/source-files.ts'

const { app } = await serverUnderTest(t, { pagesFolder: builtPages })
const get = (url: string) => app.inject({ method: 'GET', url })
const documents = projectFiles().filter((file) => /^docs\/.*\.md$/.test(file))
/** The address of a document's page. */
const addressOf = (file: string) => `/${file.replace(/\.md$/, '').replace(/\/README$/, '')}`
const addresses = ['/docs', '/docs/reference', ...documents.map(addressOf)]

type Page = { readonly body: string; readonly ids: ReadonlySet<string> }

/** The operations to which a link into the reference may lead. */
const operations = new Set(
  Object.values(committedDocument.paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId, tags }) => `tag/${slugOfTag(String(tags?.[0]))}/${operationId}`),
)
/** Every page by address, as served. */
const served = new Map<string, Page>()
for (const address of addresses) {
  const { body } = await get(address)
  const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => String(id)))
  served.set(address, { body, ids })
}

t.test('every document is a page, with a strict security policy', async (t) => {
  t.ok(documents.length > 60)
  for (const address of addresses) {
    const { statusCode, headers, body } = await get(address)
    t.equal(statusCode, 200, address)
    t.match(headers['content-type'], /^text\/html/)
    t.equal(headers['cache-control'], 'no-cache')
    const policy = String(headers['content-security-policy'])
    t.match(policy, /^default-src 'none'; script-src 'self'( 'sha256-[\w+/=]+')+;/)
    t.match(policy, /; style-src 'self'( 'sha256-[\w+/=]+')+; img-src 'self'; font-src 'self';/)
    t.match(policy, "connect-src 'self'")
    t.notMatch(policy, /unsafe|\*|https?:|data:|blob:/, address)
    const markup = body.replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, '')
    t.notMatch(
      markup,
      /(?:src|srcset)="https?:|<link[^>]*"https?:/,
      `${address} loads only our own`,
    )
    for (const [, inline = ''] of body.matchAll(
      /<(?:script|style)(?![^>]* src=)[^>]*>(.*?)<\//gs,
    )) {
      const digest = createHash('sha256').update(inline).digest('base64')
      t.match(policy, `'sha256-${digest}'`, `${address} has nothing inline without its digest`)
    }
    t.notMatch(markup, / on\w+="| style="/, address)
  }
})

t.test('every internal link and anchor of the site leads somewhere', async (t) => {
  const broken: string[] = []
  let followed = 0
  const others = new Map<string, number>()
  for (const [address, { body, ids }] of served) {
    for (const [, href = ''] of body.matchAll(/ href="([^"]*)"/g)) {
      if (/^(https?|mailto):/.test(href)) continue
      followed++
      const [path = '', anchor] = href.split('#')
      const target = path === '' ? address : path
      const known = served.get(target)
      if (known === undefined) {
        const status = others.get(target) ?? (await get(target)).statusCode
        others.set(target, status)
        if (status !== 200) broken.push(`${address}: ${href} is ${status}`)
      }
      const elsewhere = target === '/docs/reference' ? operations : known?.ids
      const has = path === '' ? ids : elsewhere
      if (anchor !== undefined && !has?.has(decodeURIComponent(anchor)))
        broken.push(`${address}: ${href} has no such anchor`)
    }
  }
  t.same(broken, [])
  t.ok(followed > 3_000, `${followed} links`)
})

t.test(
  'each document is served as Markdown at its address, and other files as they are',
  async (t) => {
    for (const file of documents) {
      const { statusCode, headers, body } = await get(`/${file}`)
      t.equal(statusCode, 200, file)
      t.match(headers['content-type'], 'text/markdown')
      const text = readFileSync(join(projectRoot, file), 'utf8')
      // What only the site understands is left out.
      const marks = /(?<=^```\w+) .*$|^<!-- sign in -->\n+/gm
      t.equal(body, text.replace(marks, ''))
    }
    const others = projectFiles().filter((file) => /^docs\/(?!images\/).*(?<!\.md)$/.test(file))
    t.ok(others.length > 10)
    for (const file of others) t.equal((await get(`/${file}`)).statusCode, 200, file)
    const example = await get('/docs/examples/connector/connector.ts')
    t.match(example.headers['content-type'], 'text/plain')
    for (const gone of [
      '/docs/none.md',
      '/docs/guides/..%2f..%2fREADME.md',
      '/docs/images/x.png',
    ]) {
      t.equal((await get(gone)).statusCode, 404, gone)
    }
  },
)

t.test('every Mermaid diagram is drawn, named, and styled by the page alone', async (t) => {
  const withDiagram = documents.filter((file) =>
    readFileSync(join(projectRoot, file), 'utf8').includes('```mermaid'),
  )
  t.ok(withDiagram.length >= 2)
  for (const file of withDiagram) {
    const [svg = ''] =
      /<svg[^>]*class="drawing".*?<\/svg>/s.exec(served.get(addressOf(file))?.body ?? '') ?? []
    t.match(svg, /^<svg[^>]* role="img" aria-label="Diagram: [^"]+"/, file)
    t.notMatch(svg, /<style| style=|@import|#[0-9a-f]{6}/i, file)
  }
})

t.test('the sidebar leads to every decision, in a closed group for developers', async (t) => {
  const [, developers = ''] = String(served.get('/docs/errors')?.body).split('For developers of')
  const decisions = documents.filter((file) => file.startsWith('docs/decisions/'))
  t.ok(decisions.length > 30)
  for (const file of decisions) t.match(developers, `href="${addressOf(file)}"`)
  t.match(
    served.get('/docs/errors')?.body,
    /<details(?! open)[^>]*>(?:(?!<details).)*For developers/s,
  )
})

t.test("a problem's type leads to the row of its reason", async (t) => {
  const page = served.get('/docs/errors')
  t.same(
    reasons.filter((reason) => !page?.ids.has(reason)),
    [],
  )
})

t.test('the first page says what the service is not, and the other ways lead to it', async (t) => {
  t.match(served.get('/docs')?.body, 'not an official interface of any courier')
  for (const way of ['/', '/docs/']) t.equal((await get(way)).headers.location, '/docs', way)
  t.equal((await get('/docs/guides/webhooks/')).headers.location, '/docs/guides/webhooks')
  t.equal((await get('/docs/%')).headers.location, '/docs/no-such-page')
  const missing = await get('/docs/guides/no-such-guide')
  t.equal(missing.statusCode, 404)
  t.match(missing.body, 'Page not found')
})

/** The most that a page may load, compressed, before it is interactive. */
const pageBytesMax = 50 * 1_024

t.test('a page loads less than 50 KB, and what is large only where it is used', async (t) => {
  const { body } = served.get('/docs/errors') ?? { body: '' }
  const loaded = [...body.matchAll(/(?:src|stylesheet" href)="(\/docs\/assets\/[^"]+)"/g)]
  const sizes = await Promise.all(
    loaded.map(async ([, url = '']) => {
      const file = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
      t.equal(file.headers['content-encoding'], 'gzip', url)
      t.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
      return file.rawPayload.length
    }),
  )
  t.ok(sizes.length >= 3)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  t.comment(`${Math.round(total / 1_024)} KB gzipped`)
  t.ok(total < pageBytesMax, `${total} bytes`)
})

const searchIndex = async () => (await get('/docs/search-index.json')).body

t.test('the search index leads to pages, sections and operations that exist', async (t) => {
  const index = JSON.parse(await searchIndex())
  const found = Object.values<{ address: string }>(index.storedFields).map((one) => one.address)
  const broken = found.filter((address) => {
    const [path = '', anchor] = address.split('#')
    const page = served.get(path)
    const ids = path === '/docs/reference' ? operations : page?.ids
    return page === undefined || !(anchor === undefined || ids?.has(anchor))
  })
  t.same(broken, [])
  t.same(
    [...operations].filter((id) => !found.includes(`/docs/reference#${id}`)),
    [],
  )
  const pages = new Set(found.map((address) => address.split('#')[0]))
  for (const file of documents) {
    const address = addressOf(file)
    t.equal(pages.has(address), isSearched(address.replace('/docs/', '')), address)
  }
  for (const inside of [
    'architecture',
    'invariants',
    'proofs',
    'decisions/0001-idempotency-keys-and-quotes',
  ])
    t.notOk(pages.has(`/docs/${inside}`), `${inside} is for developers`)
})

t.test('llms.txt names every page for customers as Markdown', async (t) => {
  const { statusCode, headers, body } = await get('/llms.txt')
  t.equal(statusCode, 200)
  t.match(headers['content-type'], 'text/plain')
  const links = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  t.ok(links.length > 30)
  for (const link of links) t.equal((await get(link)).statusCode, 200, link)
  t.equal((await get('/docs/llms.txt')).body, body)
})

t.test('a search in the reader’s own words finds the page that answers', async (t) => {
  const index = MiniSearch.loadJSON(await searchIndex(), searchOptions)
  const answers: Readonly<Record<string, string>> = {
    'how the API is versioned': '/docs/guides/versioning',
    'how to cancel': '/docs/reference#tag/shipments/cancelShipment',
    'how are webhooks signed': '/docs/guides/webhooks',
    'verify a webhook': '/docs/guides/verify-a-webhook',
    'webhook signature': '/docs/guides/verify-a-webhook',
    'connect a courier': '/docs/guides/connect-a-courier',
    'what to do with a 409': '/docs/guides/what-to-do-with-a-409',
    GDPR: '/docs/guides/personal-data',
    SDK: '/docs/guides/typescript-client',
    python: '/docs/guides/python-client',
    quota_exceeded: '/docs/errors',
    waybill: '/docs/guides/quick-start',
    'rate limit': '/docs/guides/rate-limits-and-retries',
  }
  for (const [text, address] of Object.entries(answers)) {
    const first = index.search(text).map((each) => String(each.address))[0] ?? ''
    t.ok(first.startsWith(address), `${text}: ${first}`)
  }
})
