import type { APIRoute } from 'astro'
import { developerPages, referencePath, siteMap } from '../site-map.ts'

const lineOf = ({ path, word, purpose }: (typeof siteMap)[number]['pages'][number]) =>
  path === referencePath
    ? `- [OpenAPI document](/openapi.json): ${purpose}`
    : `- [${word}](/docs/${path}.md): ${purpose}`

/** The site's map for language models: https://llmstxt.org */
export const GET: APIRoute = () => {
  const groups = siteMap.map(({ title, pages }) => `## ${title}\n\n${pages.map(lineOf).join('\n')}`)
  const optional = `## Optional\n\n${developerPages.pages.map(lineOf).join('\n')}`
  return new Response(`# shipping-ledger

> An API that creates courier guides. One idempotency key makes at most one guide, and if a
> courier's response is lost, the service finds out what exists instead of creating it again.

Every page of the documentation is served as Markdown at its address with \`.md\` appended.

${[...groups, optional].join('\n\n')}
`)
}
