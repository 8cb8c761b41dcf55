import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../../errors.ts'
import { isAssetName, sayNotInstalled, sendPage } from './built-pages.ts'

/** A page, and a file that is served as it is. */
const pagePath = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/
const filePath = /^[\w-]+(\/[\w-]+)*\.(md|json|csv|http|sql|yml|ts|py|php)$/
const noSuchPage = 'no-such-page'

/** Serves `/docs`, everything below it, and the way to it, from the folder of the built pages. */
export function docsPages(app: FastifyInstance, folder: string): void {
  const hidden = { schema: { hide: true } }
  const toDocs = async (_request: unknown, reply: FastifyReply) => reply.redirect('/docs')
  app.get('/', hidden, toDocs)
  app.get('/docs/', hidden, toDocs)
  app.get('/docs', hidden, (_request, reply) => page(reply, folder, 'index'))
  app.get<{ Params: { name: string } }>('/docs/assets/:name', hidden, (request, reply) => {
    if (!isAssetName(request.params.name)) throw new Problem('not_found')
    return reply.sendFile(`docs/assets/${request.params.name}`, folder)
  })
  app.get<{ Params: { '*': string } }>('/docs/*', hidden, async (request, reply) => {
    const path = request.params['*']
    if (path.endsWith('/')) return reply.redirect(`/docs/${path.replace(/\/+$/, '')}`)
    if (filePath.test(path)) return reply.sendFile(`docs/files/${path}`, folder)
    return await page(reply, folder, path)
  })
}

async function page(reply: FastifyReply, folder: string, path: string): Promise<FastifyReply> {
  const found = pagePath.test(path)
    ? await sendPage(reply, folder, { file: `docs/pages/${path}.html` })
    : null
  if (found !== null) return found
  const file = `docs/pages/${noSuchPage}.html`
  return (await sendPage(reply, folder, { file, status: 404 })) ?? sayNotInstalled(reply)
}
