import { randomBytes } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../../errors.ts'

/** What a page may load besides our own files and the API of the same origin. */
type Allowed = Readonly<Partial<Record<'img-src' | 'object-src' | 'frame-src', string>>>
/** What a page may have inline, as sources of the policy: digests, or a nonce. */
type Inline = { readonly scripts: readonly string[]; readonly styles: readonly string[] }

const nothingInline: Inline = { scripts: [], styles: [] }

/** Allows only our own files and the API of the same origin. */
function contentSecurity(allowed: Allowed = {}, inline: Inline = nothingInline): string {
  const policy = {
    'default-src': "'none'",
    'script-src': ["'self'", ...inline.scripts].join(' '),
    'style-src': ["'self'", ...inline.styles].join(' '),
    'img-src': "'self'",
    'font-src': "'self'",
    'connect-src': "'self'",
    ...allowed,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  }
  return Object.entries(policy)
    .map((directive) => directive.join(' '))
    .join('; ')
}

const nonceBytes = 16
/** Matches the file names of the build. */
const assetName = /^[\w-]+(\.[\w-]+)+$/
/** A file with its digest in its name never changes. */
const unchanging = 'public, max-age=31536000, immutable'
/** Stands in a built page where each answer gets a nonce of its own. */
const noncePlaceholder = 'NONCE_OF_THE_ANSWER'
/** Stands in the console's page where each answer says how people sign in. */
const signInPlaceholder = 'SIGN_IN_OF_THE_SERVICE'

/** What the console and the documentation site share. Register it before their routes. */
export async function builtPages(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': reply.getHeader('content-security-policy') ?? contentSecurity(),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    })
  })
  await app.register(fastifyStatic, {
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      const isAsset = /[\\/]assets[\\/][^\\/]+$/.test(path)
      reply.header('cache-control', isAsset ? unchanging : 'no-cache')
      // Examples are to be read as text. By its ending, a ".ts" file would be a video.
      if (/\.(http|ts|py|php|sql)$/.test(path))
        reply.header('content-type', 'text/plain; charset=utf-8')
    },
  })
}

const hidden = { schema: { hide: true } }

/** The label is fetched with the key and shown from memory. */
const consoleAllowed: Allowed = {
  'img-src': "'self' blob:",
  'object-src': 'blob:',
  'frame-src': 'blob:',
}

/**
 * Serves the operators' console, a client of `/v1` like any other: `/console` and everything below it,
 * from the folder of the built pages. The page is told how people sign in.
 */
export function consolePages(
  app: FastifyInstance,
  folder: string,
  signIn: 'account' | 'key',
): void {
  app.get<{ Params: { name: string } }>('/console/assets/:name', hidden, (request, reply) => {
    if (!isAssetName(request.params.name)) throw new Problem('not_found')
    return reply.sendFile(`console/assets/${request.params.name}`, folder)
  })
  // The browser decides which screen a path below /console means.
  const page = async (_request: unknown, reply: FastifyReply) => {
    const shown = { file: 'console/index.html', allowed: consoleAllowed, signIn }
    if (!(await sendPage(reply, folder, shown))) sayNotInstalled(reply)
    return reply
  }
  app.get('/console', hidden, page)
  app.get('/console/*', hidden, page)
}

/** Paths of pages, and of files that are served as they are. */
const docsPath = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/
const docsFilePath = /^[\w-]+(\/[\w-]+)*\.(md|txt|json|csv|http|sql|svg|yml|ts|py|php)$/

/**
 * Serves `/docs` and everything below it from the folder of the built pages, and redirects `/` to
 * it.
 */
export function docsPages(app: FastifyInstance, folder: string): void {
  const toDocs = async (_request: unknown, reply: FastifyReply) => reply.redirect('/docs')
  app.get('/', hidden, toDocs)
  app.get('/docs/', hidden, toDocs)
  app.get('/docs', hidden, (_request, reply) => docsPage(reply, folder, 'index.html'))
  app.get('/llms.txt', hidden, (_request, reply) => reply.sendFile('docs/llms.txt', folder))
  app.get<{ Params: { name: string } }>('/docs/assets/:name', hidden, (request, reply) => {
    if (!isAssetName(request.params.name)) throw new Problem('not_found')
    return reply.sendFile(`docs/assets/${request.params.name}`, folder)
  })
  app.get<{ Params: { '*': string } }>('/docs/*', hidden, async (request, reply) => {
    const path = request.params['*']
    if (path.endsWith('/')) return reply.redirect(`/docs/${path.replace(/\/+$/, '')}`)
    if (docsFilePath.test(path)) return reply.sendFile(`docs/${path}`, folder)
    return await docsPage(reply, folder, `${docsPath.test(path) ? path : missing}/index.html`)
  })
}

/** No document has this path. */
const missing = 'no-such-page'

/** The build leaves the digests of the inline scripts and styles of its pages beside them. */
async function docsPage(reply: FastifyReply, folder: string, page: string): Promise<FastifyReply> {
  const inline = await readBuilt(join(folder, 'docs', 'inline.json'))
  if (inline === null) return sayNotInstalled(reply)
  reply.header('content-security-policy', contentSecurity({}, JSON.parse(inline)))
  const isThere = await isBuilt(join(folder, 'docs', page))
  return await reply
    .code(isThere ? 200 : 404)
    .sendFile(`docs/${isThere ? page : '404.html'}`, folder)
}

/**
 * The parameter is decoded, so it may contain a slash. A file of the build has none in its name.
 */
function isAssetName(name: string): boolean {
  return assetName.test(name)
}

type Page = {
  /** The file of the page, in the folder of the built pages. */
  readonly file: string
  readonly allowed?: Allowed
  readonly signIn: 'account' | 'key'
}

/**
 * Answers with the console's page. False if there is none. Each answer has a nonce of its own, so it
 * cannot be reused and has no ETag.
 */
async function sendPage(
  reply: FastifyReply,
  folder: string,
  { file, allowed, signIn }: Page,
): Promise<boolean> {
  const built = await readBuilt(join(folder, file))
  if (built === null) return false
  const nonce = randomBytes(nonceBytes).toString('base64')
  reply
    .headers({
      'cache-control': 'no-cache',
      // The component library puts the variables of the theme into style elements.
      'content-security-policy': contentSecurity(allowed, {
        scripts: [],
        styles: [`'nonce-${nonce}'`],
      }),
    })
    .type('text/html; charset=utf-8')
    .send(built.replaceAll(noncePlaceholder, nonce).replace(signInPlaceholder, signIn))
  return true
}

async function isBuilt(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}

async function readBuilt(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(() => null)
}

/** The answer of an installation without built pages. */
function sayNotInstalled(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/html; charset=utf-8').send(notInstalledPage)
}

const notInstalledPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>shipping-ledger</title>
<h1>These pages are not in this installation</h1>
<p><code>npm ci && npm run build:pages</code> installs and builds the console and the documentation. The API does not need them.</p>
</html>
`
