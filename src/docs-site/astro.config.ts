import { join } from 'node:path'
import { satteri } from '@astrojs/markdown-satteri'
import react from '@astrojs/react'
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
import { consoleSources } from '../console/build/folders.ts'
import { fixedSheet } from './build/fit-policy.ts'
import { documentSources, siteSources } from './build/folders.ts'
import { documentPlugin } from './markdown/document-plugin.ts'
import { decisionsFolder, developerPages, referencePath, siteMap } from './site-map.ts'

type Page = (typeof siteMap)[number]['pages'][number]

const linkTo = ({ path, word }: Page) =>
  path === referencePath ? { label: word, link: `/${path}` } : { label: word, slug: path }

const at = (...path: string[]) => join(siteSources, ...path)
const own = (name: string) => at('components', `${name}.astro`)

export default defineConfig({
  base: '/docs',
  srcDir: siteSources,
  // The documents are also served as they are.
  publicDir: documentSources,
  trailingSlash: 'never',
  build: { assets: 'assets' },
  prefetch: false,
  vite: {
    build: {
      // The content security policy refuses inlined assets.
      assetsInlineLimit: 0,
      // These support light-dark(), so it stays as it is.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    },
  },
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  markdown: {
    syntaxHighlight: false,
    processor: satteri({
      features: { smartPunctuation: false },
      hastPlugins: [documentPlugin],
    }),
  },
  integrations: [
    react(),
    starlight({
      title: 'shipping-ledger',
      favicon: '/icon.svg',
      head: [{ tag: 'link', attrs: { rel: 'stylesheet', href: `/docs/${fixedSheet}` } }],
      disable404Route: true,
      // Its WebAssembly needs 'wasm-unsafe-eval'.
      pagefind: false,
      // Its colors are style attributes.
      expressiveCode: false,
      markdown: { processedDirs: [documentSources] },
      customCss: [
        at('styles', 'tokens.css'),
        join(consoleSources, 'styles', 'picture.css'),
        at('styles', 'frame.css'),
        at('styles', 'article.css'),
        at('styles', 'live.css'),
      ],
      components: {
        Footer: own('footer'),
        Head: own('head'),
        MarkdownContent: own('markdown-content'),
        PageTitle: own('page-title'),
        Search: own('search'),
        SocialIcons: own('site-links'),
      },
      sidebar: [
        ...siteMap.map(({ title, pages }) => ({ label: title, items: pages.map(linkTo) })),
        {
          label: developerPages.title,
          collapsed: true,
          items: [
            ...developerPages.pages.map(linkTo),
            {
              label: 'Decisions',
              collapsed: true,
              items: [{ autogenerate: { directory: `docs/${decisionsFolder}` } }],
            },
          ],
        },
      ],
    }),
  ],
})
