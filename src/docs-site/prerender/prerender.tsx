import { ColorSchemeScript } from '@mantine/core'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { Documentation } from '../documentation.tsx'
import { referencePath } from '../site-map.ts'

export { articleOf } from './document-article.ts'
export { searchIndex } from './search-index.ts'

import type { Rendering, SitePage } from '../site-page.ts'

/**
 * The script that sets the theme before the first paint. The content security policy allows it only
 * as a file.
 */
export function colorSchemeScript(): string {
  const element = renderToStaticMarkup(<ColorSchemeScript defaultColorScheme="auto" />)
  const [, script] = /^<script[^>]*>([\s\S]*)<\/script>$/.exec(element) ?? []
  if (script === undefined) throw new Error('The script of the theme has another form.')
  return script
}

/** The whole page. It is readable without scripts, and scripts hydrate the same elements. */
export function pageHtml(page: SitePage, html: string, { files, nonce }: Rendering): string {
  const content = renderToString(<Documentation page={page} html={html} styleNonce={nonce} />)
  // Only `<` could end the script element.
  const data = JSON.stringify(page).replaceAll('<', '\\u003c')
  const isReference = page.path === referencePath
  const document = renderToStaticMarkup(
    <html lang="en" data-mantine-color-scheme="light">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta property="csp-nonce" content={isReference ? nonce : undefined} nonce={nonce} />
        <title>{page.path === '' ? page.title : `${page.title} · shipping-ledger docs`}</title>
        <link rel="icon" type="image/svg+xml" href={files.icon} />
        {page.markdown !== null && (
          <link rel="alternate" type="text/markdown" href={`/docs/${page.markdown}`} />
        )}
        {files.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <script src={files.colorScheme} />
        <script type="module" src={files.script} />
      </head>
      <body>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered above */}
        <div id="site" dangerouslySetInnerHTML={{ __html: content }} />
        {isReference && (
          <noscript>
            The reference needs JavaScript. The <a href="/openapi.json">OpenAPI document</a>{' '}
            describes the same API.
          </noscript>
        )}
        <script
          id="page"
          type="application/json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: it is data, not a script
          dangerouslySetInnerHTML={{ __html: data }}
        />
      </body>
    </html>,
  )
  return `<!doctype html>${document}`
}
