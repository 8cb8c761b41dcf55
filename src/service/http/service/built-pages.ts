import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

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
/** In a built page; each answer has a nonce of its own there. */
const noncePlaceholder = 'NONCE_OF_THE_ANSWER'

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

/**
 * Answers with a page that is in the folder of the built pages; null if there is no such page. An
 * answer has a nonce of its own, so it cannot be reused: it has no ETag.
 */
export async function sendPage(
  reply: FastifyReply,
  folder: string,
  { file, allowed, status = 200 }: Page,
): Promise<FastifyReply | null> {
  const built = await readBuilt(join(folder, file))
  if (built === null) return null
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

async function readBuilt(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(() => null)
}

/** The answer of an installation that has the service alone. */
export function sayNotInstalled(reply: FastifyReply): FastifyReply {
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
