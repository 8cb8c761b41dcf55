import type { FastifyInstance, FastifyReply } from 'fastify'
import { consoleFolder } from '../../../console/build/folders.ts'
import type { Pages } from '../../../console/build/keep-built.ts'
import { Problem } from '../../errors.ts'
import { type Allowed, isAssetName, sendPage } from './built-pages.ts'

/** For the label, which is fetched with the key and shown from memory. */
const allowed: Allowed = { 'img-src': "'self' blob:", 'object-src': 'blob:', 'frame-src': 'blob:' }

/**
 * Serves `/console` and everything below it: the operators' console, an ordinary client of `/v1`.
 */
export function consolePages(app: FastifyInstance, pages: Pages): void {
  const hidden = { schema: { hide: true } }
  app.get<{ Params: { name: string } }>('/console/assets/:name', hidden, (request, reply) => {
    if (!isAssetName(request.params.name)) throw new Problem('not_found')
    return reply.sendFile(`${consoleFolder}/assets/${request.params.name}`, pages.folder)
  })
  // The browser decides which screen a path below /console means.
  const page = async (_request: unknown, reply: FastifyReply) => {
    const sent = await sendPage(reply, pages, { file: `${consoleFolder}/index.html`, allowed })
    if (sent === null) throw new Problem('not_found')
    return sent
  }
  app.get('/console', hidden, page)
  app.get('/console/*', hidden, page)
}
