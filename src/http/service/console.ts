import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Pages } from '../../console-build/keep-built.ts'
import { Problem } from '../../errors.ts'

/**
 * Nothing but the console's own files and the API of this very address. `blob:` is the label, which
 * is asked for with the key and shown from memory.
 */
const contentSecurity = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  'object-src blob:',
  'frame-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** An address below `/console` that cannot be decoded reaches no route: the console says so itself. */
export function pageForUndecodable(url: string): string | null {
  return url.startsWith('/console/') ? '/console/no-such-page' : null
}

/** As the build names files. */
const assetName = /^[\w-]+(\.[\w-]+)+$/
/** A file whose name has its digest never changes. */
const unchanging = 'public, max-age=31536000, immutable'
/** A build takes about this long. */
const retryAfterSeconds = 3

/** `/console` and what is below it: the operators' console, a client of `/v1` like any other. */
export async function consolePages(app: FastifyInstance, pages: Pages): Promise<void> {
  const hidden = { schema: { hide: true } }
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': contentSecurity,
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
    // The parameter is decoded: a name of several parts is none of ours.
    if (!assetName.test(request.params.name)) throw new Problem('not_found')
    return reply.sendFile(request.params.name, assets)
  })
  // Which screen an address below /console means is known in the browser.
  const page = (_request: unknown, reply: FastifyReply) => sendPage(reply, pages)
  app.get('/console', hidden, page)
  app.get('/console/*', hidden, page)
}

function sendPage(reply: FastifyReply, pages: Pages): FastifyReply {
  const state = pages.state()
  const isThere = existsSync(join(pages.folder, 'index.html'))
  if (state === 'current' || (state === 'failed' && isThere)) {
    return reply.sendFile('index.html', pages.folder)
  }
  return reply
    .code(503)
    .header('retry-after', retryAfterSeconds)
    .type('text/html; charset=utf-8')
    .send(state === 'failed' ? failedPage : beingBuiltPage)
}

const beingBuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>shipping-ledger console</title>
<h1>The console is being built</h1>
<p>It takes a few seconds after the first start; this page asks again by itself. The API serves meanwhile.</p>
</html>
`

const failedPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>shipping-ledger console</title>
<h1>The console could not be built</h1>
<p>The log of this process says why. Once that is mended, run <code>npm run build:console</code> and start again. The API is not touched by it.</p>
</html>
`
