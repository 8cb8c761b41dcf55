import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Language, languages } from '../../domain/language.ts'
import { Problem } from '../../errors.ts'
import { networkOf } from '../../security/rate-limit.ts'
import type { App, RecipientPageDeps } from '../api-services.ts'
import { problemOf } from '../problems/faults.ts'
import { acceptedLanguage } from '../rules/accept.ts'
import { messagePage, type RenderedPage } from './render-page.ts'

/** Requests of one network in a minute. The customers of a telephone company may share an address. */
const perNetworkMax = 300
/** Of all networks, so that a flood from many addresses leaves the process to those who create. */
export const everyNetworkMax = 30_000

/**
 * Links that lead nowhere are answered this long after the request came, so that the work does not
 * show: a link that was rolled is read, other texts are not. The work takes a few milliseconds.
 */
export const nowhereAfterMs = 25

/** Characters behind a link that chat programs take for a part of it. */
const afterLink = /[/.,)]{1,3}$/

const hidden = { schema: { hide: true } } as const
/** Only in the browser that opened it: whoever has the address may read the page, nobody else. */
const pageCache = 'private, max-age=60'

/**
 * The recipient's page. It belongs to nobody's key: whoever has the link may read it. Every answer is
 * a page for a person, also a refusal.
 */
export function recipientPageRoutes(app: App, { pages, rates }: RecipientPageDeps): void {
  app.addHook('onRequest', async (request) => refuseFrequent(request, rates))
  app.setErrorHandler((error, request, reply) => {
    const { reason, options } = problemOf(error)
    const isTooMany = reason === 'rate_limited'
    if (!isTooMany) request.log.warn({ err: error, requestId: request.id }, 'a page was not served')
    const seconds = options.retryAfterSeconds ?? 60
    reply.code(isTooMany ? 429 : 503).header('retry-after', String(seconds))
    const language = languageOf(request)
    return send(reply, messagePage(isTooMany ? 'tooMany' : 'away', language), language)
  })
  app.get<{ Params: { '*': string } }>('/t/*', hidden, async (request, reply) => {
    const language = languageOf(request)
    const token = request.params['*'].replace(afterLink, '')
    // Started before the work, so that the work does not postpone it.
    const nowhere = delay(nowhereAfterMs)
    const opened = await pages.open(token, language)
    if (opened.kind !== 'page') {
      await nowhere
      reply.code(opened.kind === 'erased' ? 410 : 404)
      return send(reply, messagePage(opened.kind, language), language)
    }
    reply.headers({ 'cache-control': pageCache, etag: opened.page.etag })
    return send(reply, opened.page, language)
  })
}

function refuseFrequent({ ip }: FastifyRequest, rates: RecipientPageDeps['rates']): void {
  // A network over its own limit uses nothing of everyone's.
  const own = rates.network.take(networkOf(ip), perNetworkMax)
  const refusing = own.isAllowed ? rates.every.take('every network', everyNetworkMax) : own
  if (refusing.isAllowed) return
  throw new Problem('rate_limited', { retryAfterSeconds: refusing.resetSeconds })
}

/** `?lang=`, else the best match of `Accept-Language`, else Spanish: recipients are in Peru. */
function languageOf({ query, headers }: FastifyRequest): Language {
  const { lang } = query as { readonly lang?: unknown }
  const asked = languages.find((language) => language === lang)
  return asked ?? acceptedLanguage(headers['accept-language'], ['es', 'en']) ?? 'es'
}

function send(
  reply: FastifyReply,
  { html, styleDigest }: RenderedPage,
  language: Language,
): FastifyReply {
  return reply
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'content-language': language,
      vary: 'accept-language',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    })
    .type('text/html; charset=utf-8')
    .send(html)
}
