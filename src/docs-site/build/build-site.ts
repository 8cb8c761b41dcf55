import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { build } from 'vite'
import { consoleSources, noncePlaceholder } from '../../console/build/folders.ts'
import { viteSettings } from '../../console/build/vite-settings.ts'
import { operationSamples } from '../code-samples/operation-samples.ts'
import { referencePath, siteMap } from '../site-map.ts'
import {
  type ApiDocument,
  type DocumentArticle,
  type LinkGroup,
  type Prerender,
  pathOfDocument,
  type SiteFiles,
  type SitePage,
} from '../site-page.ts'
import { readSources, type SourceFile } from './documents.ts'
import { drawDiagram } from './draw-diagram.ts'
import { siteSources } from './folders.ts'

const assetsFolder = 'assets'
const notFoundPage = 'no-such-page'

/**
 * Writes the documentation site: `assets`, the pages as HTML in `pages`, and the unchanged
 * documents and other files in `files`.
 */
export async function buildSite(folder: string): Promise<void> {
  const script = await buildScripts(folder)
  const prerender = await loadPrerender(`${folder}-prerender`)
  const asset = (name: string, content: string | Buffer) => writeAsset(folder, name, content)
  const icon = await readFile(join(consoleSources, 'icon.svg'))
  const files: SiteFiles = {
    ...script,
    colorScheme: await asset('color-scheme.js', prerender.colorSchemeScript()),
    icon: await asset('icon.svg', icon),
  }
  const sources = await readSources()
  const document = sources.find(({ file }) => file === 'openapi.json')
  if (document === undefined)
    throw new Error('docs/openapi.json is missing: run `npm run generate`')
  const api = JSON.parse(document.text) as ApiDocument
  const names = new Set(sources.map(({ file }) => file))
  const articles = articlesOf(sources, (file, text) =>
    prerender.articleOf(file, text, { exists: (name) => names.has(name), api, drawDiagram }),
  )
  const searchable = articles.map(({ path, article }) => ({ path, ...article }))
  const index = prerender.searchIndex(searchable, api)
  const frame = {
    groups: groupsOf(new Set(articles.map(({ path }) => path))),
    searchIndex: await asset('search-index.json', index),
    referenceRenderer: await asset('reference-renderer.js', await referenceRenderer()),
    codeSamples: await asset('code-samples.json', JSON.stringify(operationSamples(api))),
  }
  const write = (page: SitePage, html: string) =>
    writeText(
      join(folder, 'pages', `${page.path === '' ? 'index' : page.path}.html`),
      prerender.pageHtml(page, html, { files, nonce: noncePlaceholder }),
    )
  for (const { path, file, article } of articles) {
    const { title, headings, samples, html } = article
    await write({ ...frame, path, title, headings, samples, markdown: file }, html)
  }
  const bare = { ...frame, headings: [], samples: [], markdown: null }
  await write({ ...bare, path: '', title: 'shipping-ledger documentation' }, '')
  await write({ ...bare, path: referencePath, title: 'API reference' }, '')
  await write({ ...bare, path: notFoundPage, title: 'Page not found' }, notFound)
  for (const { file, text } of sources) await writeText(join(folder, 'files', file), text)
}

const notFound = `<h1>Page not found</h1>
<p>Use the navigation or the search to find a page.</p>`

type Placed = { readonly path: string; readonly file: string; readonly article: DocumentArticle }

function articlesOf(
  sources: readonly SourceFile[],
  articleOf: (file: string, text: string) => DocumentArticle,
): readonly Placed[] {
  return sources
    .filter(({ file }) => file.endsWith('.md'))
    .map(({ file, text }) => ({
      path: pathOfDocument(file),
      file,
      article: articleOf(file, text),
    }))
}

/** The sidebar, without listed pages that do not exist. */
function groupsOf(paths: ReadonlySet<string>): readonly LinkGroup[] {
  return siteMap.map(({ title, pages }) => ({
    title,
    pages: pages.filter(({ path }) => paths.has(path) || path === referencePath),
  }))
}

type Chunk = { readonly file: string; readonly css?: readonly string[]; readonly isEntry?: boolean }

async function buildScripts(folder: string): Promise<Pick<SiteFiles, 'script' | 'styles'>> {
  const settings = viteSettings(siteSources, '/docs/')
  const entry = 'hydrate.tsx'
  await build({
    ...settings,
    build: {
      ...settings.build,
      outDir: folder,
      assetsDir: assetsFolder,
      manifest: 'manifest.json',
      rolldownOptions: { ...settings.build?.rolldownOptions, input: join(siteSources, entry) },
    },
  })
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Readonly<
    Record<string, Chunk>
  >
  const chunk = manifest[entry]
  if (chunk === undefined) throw new Error(`The build has no chunk ${entry}.`)
  return {
    script: `/docs/${chunk.file}`,
    styles: (chunk.css ?? []).map((file) => `/docs/${file}`),
  }
}

/** Compiles and loads the code that renders pages in this process. */
async function loadPrerender(folder: string): Promise<Prerender> {
  const settings = viteSettings(siteSources, '/docs/')
  try {
    await build({
      ...settings,
      build: {
        ...settings.build,
        outDir: folder,
        ssr: join(siteSources, 'prerender', 'prerender.tsx'),
        rolldownOptions: {
          ...settings.build?.rolldownOptions,
          output: { entryFileNames: 'prerender.mjs' },
        },
      },
      ssr: { noExternal: true },
    })
    return (await import(pathToFileURL(join(folder, 'prerender.mjs')).href)) as Prerender
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The browser script of the reference renderer. Its package only offers it through a server. */
async function referenceRenderer(): Promise<string> {
  const server = Fastify()
  await server.register(scalar, { routePrefix: '/it', configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await server.inject({ url: '/it/js/scalar.js' })
  await server.close()
  if (statusCode !== 200) throw new Error('The renderer of the reference has another address.')
  return body.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
}

/**
 * Writes a file under a name with its digest, so that it can be cached forever, and returns its
 * address.
 */
async function writeAsset(folder: string, name: string, content: string | Buffer): Promise<string> {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  const extension = extname(name)
  const file = `${basename(name, extension)}-${digest}${extension}`
  await writeText(join(folder, assetsFolder, file), content)
  return `/docs/${assetsFolder}/${file}`
}

async function writeText(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}
