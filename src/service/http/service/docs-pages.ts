import type { FastifyInstance, FastifyReply } from 'fastify'
import { siteFolder } from '../../../console/build/folders.ts'
import type { Pages } from '../../../console/build/keep-built.ts'
import { Problem } from '../../errors.ts'
import { isAssetName, isBeingBuilt, sayNotBuilt, sendPage } from './built-pages.ts'

/** A page, and a file that is served as it is. */
const pagePath = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/
const filePath = /^[\w-]+(\/[\w-]+)*\.(md|json|csv|http|sql|yml|ts|py|php)$/
const noSuchPage = 'no-such-page'

/** Serves `/docs`, everything below it, and the way to it. */
export function docsPages(app: FastifyInstance, pages: Pages): void {
  const hidden = { schema: { hide: true } }
  const toDocs = async (_request: unknown, reply: FastifyReply) => reply.redirect('/docs')
  app.get('/', hidden, toDocs)
  app.get('/docs/', hidden, toDocs)
  app.get('/docs', hidden, (_request, reply) => page(reply, pages, 'index'))
  app.get<{ Params: { name: string } }>('/docs/assets/:name', hidden, (request, reply) => {
    if (!isAssetName(request.params.name)) throw new Problem('not_found')
    return reply.sendFile(`${siteFolder}/assets/${request.params.name}`, pages.folder)
  })
  app.get<{ Params: { '*': string } }>('/docs/*', hidden, async (request, reply) => {
    const path = request.params['*']
    if (path.endsWith('/')) return reply.redirect(`/docs/${path.replace(/\/+$/, '')}`)
    if (isBeingBuilt(pages)) return sayNotBuilt(reply)
    if (filePath.test(path)) return reply.sendFile(`${siteFolder}/files/${path}`, pages.folder)
    return await page(reply, pages, path)
  })
}

async function page(reply: FastifyReply, pages: Pages, path: string): Promise<FastifyReply> {
  const found = pagePath.test(path)
    ? await sendPage(reply, pages, { file: `${siteFolder}/pages/${path}.html` })
    : null
  if (found !== null) return found
  const file = `${siteFolder}/pages/${noSuchPage}.html`
  const missing = await sendPage(reply, pages, { file, status: 404 })
  if (missing === null) throw new Problem('not_found')
  return missing
}
