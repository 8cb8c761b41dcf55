import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { noncePlaceholder } from '../../console-build/folders.ts'
import type { Pages } from '../../console-build/keep-built.ts'
import { Problem } from '../../errors.ts'

/**
 * Only the console's own files and the API of the same origin. `blob:` is for the label, which is
 * fetched with the key and shown from memory. The nonce is for the style elements in which the
 * component library puts the theme's variables.
 */
const contentSecurity = (nonce?: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    nonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    'object-src blob:',
    'frame-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const nonceBytes = 16

/**
 * A path below `/console` that cannot be decoded reaches no route, so the console shows the error.
 */
export function pageForUndecodable(url: string): string | null {
  return url.startsWith('/console/') ? '/console/no-such-page' : null
}

/** Matches the file names of the build. */
const assetName = /^[\w-]+(\.[\w-]+)+$/
/** A file with its digest in its name never changes. */
const unchanging = 'public, max-age=31536000, immutable'
/** A build takes about this long. */
const retryAfterSeconds = 3

/**
 * Serves `/console` and everything below it: the operators' console, an ordinary client of `/v1`.
 */
export async function consolePages(app: FastifyInstance, pages: Pages): Promise<void> {
  const hidden = { schema: { hide: true } }
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': reply.getHeader('content-security-policy') ?? contentSecurity(),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    })
  })
  const assets = join(pages.folder, 'assets')
  await app.register(fastifyStatic, {
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(assets) ? unchanging : 'no-cache')
    },
  })
  app.get<{ Params: { name: string } }>('/console/assets/:name', hidden, (request, reply) => {
    // The parameter is decoded: a name with several parts is not one of our files.
    if (!assetName.test(request.params.name)) throw new Problem('not_found')
    return reply.sendFile(request.params.name, assets)
  })
  // The browser decides which screen a path below /console means.
  const page = (_request: unknown, reply: FastifyReply) => sendPage(reply, pages)
  app.get('/console', hidden, page)
  app.get('/console/*', hidden, page)
}

/** The page has another nonce in each answer, so an answer cannot be reused: it has no ETag. */
async function sendPage(reply: FastifyReply, pages: Pages): Promise<FastifyReply> {
  const state = pages.state()
  const isReady = state === 'current' || state === 'failed'
  const built = isReady ? await readBuilt(pages) : null
  if (built === null) {
    return reply
      .code(503)
      .header('retry-after', retryAfterSeconds)
      .type('text/html; charset=utf-8')
      .send(state === 'failed' ? failedPage : beingBuiltPage)
  }
  const nonce = randomBytes(nonceBytes).toString('base64')
  return reply
    .headers({ 'cache-control': 'no-cache', 'content-security-policy': contentSecurity(nonce) })
    .type('text/html; charset=utf-8')
    .send(built.replaceAll(noncePlaceholder, nonce))
}

/** Null: there is no build, or it is just being replaced. */
async function readBuilt({ folder }: Pages): Promise<string | null> {
  return await readFile(join(folder, 'index.html'), 'utf8').catch(() => null)
}

const beingBuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>shipping-ledger console</title>
<h1>The console is being built</h1>
<p>It takes a few seconds after the first start, and this page reloads by itself. The API is available meanwhile.</p>
</html>
`

const failedPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>shipping-ledger console</title>
<h1>The console could not be built</h1>
<p>The log of this process says why. Once that is fixed, run <code>npm run build:console</code> and start again. The API is not affected.</p>
</html>
`
