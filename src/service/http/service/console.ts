import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../../errors.ts'
import { type Allowed, isAssetName, sayNotInstalled, sendPage } from './built-pages.ts'

/** For the label, which is fetched with the key and shown from memory. */
const allowed: Allowed = { 'img-src': "'self' blob:", 'object-src': 'blob:', 'frame-src': 'blob:' }

/**
 * Serves `/console` and everything below it from the folder of the built pages: the operators'
 * console, an ordinary client of `/v1`.
 */
export function consolePages(app: FastifyInstance, folder: string): void {
  const hidden = { schema: { hide: true } }
  app.get<{ Params: { name: string } }>('/console/assets/:name', hidden, (request, reply) => {
    if (!isAssetName(request.params.name)) throw new Problem('not_found')
    return reply.sendFile(`console/assets/${request.params.name}`, folder)
  })
  // The browser decides which screen a path below /console means.
  const page = async (_request: unknown, reply: FastifyReply) =>
    (await sendPage(reply, folder, { file: 'console/index.html', allowed })) ??
    sayNotInstalled(reply)
  app.get('/console', hidden, page)
  app.get('/console/*', hidden, page)
}
