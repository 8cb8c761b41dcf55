import type { APIRoute } from 'astro'
import { operationSamples } from '../code-samples/operation-samples.ts'
import { api } from '../markdown/api-document.ts'

/** The API's document with a sample of each call in four languages. */
export const GET: APIRoute = () => {
  const samples = operationSamples(api)
  const paths = Object.entries(api.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        { ...operation, 'x-codeSamples': samples[operation.operationId] },
      ]),
    ),
  ])
  return new Response(JSON.stringify({ ...api, paths: Object.fromEntries(paths) }))
}
