import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { noncePlaceholder } from '../../../console/build/folders.ts'
import type { Pages } from '../../../console/build/keep-built.ts'

/** What a page may load beside our own files and the API of the same origin. */
export type Allowed = Readonly<Partial<Record<'img-src' | 'object-src' | 'frame-src', string>>>

/**
 * Only our own files and the API of the same origin. The nonce is for the style elements in which the
 * component library puts the theme's variables.
 */
function contentSecurity(allowed: Allowed = {}, nonce?: string): string {
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': nonce === undefined ? "'self'" : `'self' 'nonce-${nonce}'`,
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
/** A build takes about three times as long. */
const retryAfterSeconds = 3

/** What the console and the documentation site have in common; register it before their routes. */
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
      // Examples are there to be read; ".ts" would be taken for a film.
      if (/\.(http|ts|py|php|sql)$/.test(path))
        reply.header('content-type', 'text/plain; charset=utf-8')
    },
  })
}

/** The parameter is decoded: a name with several parts is not one of the build's files. */
export function isAssetName(name: string): boolean {
  return assetName.test(name)
}

type Page = {
  /** The page's file, inside the built pages. */
  readonly file: string
  readonly allowed?: Allowed
  /** Of a page that stands for one that does not exist. */
  readonly status?: number
}

/** Whether there is nothing to look for yet. */
export function isBeingBuilt(pages: Pages): boolean {
  const state = pages.state()
  return state === 'missing' || state === 'building'
}

export function sayNotBuilt(reply: FastifyReply, page: string = beingBuiltPage): FastifyReply {
  return reply
    .code(503)
    .header('retry-after', retryAfterSeconds)
    .type('text/html; charset=utf-8')
    .send(page)
}

/**
 * Answers with a page, or says that it is being built. The page has another nonce in each answer, so
 * an answer cannot be reused: it has no ETag. Null: the page is not among those that are built.
 */
export async function sendPage(
  reply: FastifyReply,
  pages: Pages,
  { file, allowed, status = 200 }: Page,
): Promise<FastifyReply | null> {
  if (isBeingBuilt(pages)) return sayNotBuilt(reply)
  const built = await readBuilt(pages, file)
  if (built === null) return pages.state() === 'failed' ? sayNotBuilt(reply, failedPage) : null
  const nonce = randomBytes(nonceBytes).toString('base64')
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurity(allowed, nonce),
    })
    .type('text/html; charset=utf-8')
    .send(built.replaceAll(noncePlaceholder, nonce))
}

/** Null: there is no such page, or it is just being replaced. */
async function readBuilt({ folder }: Pages, file: string): Promise<string | null> {
  return await readFile(join(folder, file), 'utf8').catch(() => null)
}

const beingBuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>shipping-ledger</title>
<h1>The pages are being built</h1>
<p>It takes a few seconds after the first start, and this page reloads by itself. The API is available meanwhile.</p>
</html>
`

const failedPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>shipping-ledger</title>
<h1>The pages could not be built</h1>
<p>The log of this process says why. Once that is fixed, run <code>npm run build:pages</code> and start again. The API is not affected.</p>
</html>
`
