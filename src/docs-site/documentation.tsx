import { i18n } from '@lingui/core'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { compileMessagesOnUse } from '../console/languages/compiled-messages.ts'
import { cssVariables, theme } from '../console/theme.ts'
import { Article } from './article.tsx'
import { Header, useIsInBrowser } from './header.tsx'
import { Overview } from './overview.tsx'
import { Sidebar } from './sidebar.tsx'
import { referencePath } from './site-map.ts'
import type { SitePage } from './site-page.ts'

// The documentation is in English, also the parts that it shares with the console.
compileMessagesOnUse()
i18n.activate('en')

type DocumentationProps = {
  readonly page: SitePage
  /** The text of the article, rendered by the build. */
  readonly html: string
  readonly styleNonce: string
  /** Rendered only in the browser. */
  readonly children?: ReactNode
}

/** A page of the documentation site, the same in the build and in the browser. */
export function Documentation({ page, html, styleNonce, children }: DocumentationProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Header page={page} />
      <Content page={page} html={html} />
      <InBrowser>{children}</InBrowser>
    </MantineProvider>
  )
}

function InBrowser({ children }: { readonly children: ReactNode }) {
  return useIsInBrowser() ? children : null
}

function Content({ page, html }: { readonly page: SitePage; readonly html: string }) {
  if (page.path === referencePath) {
    return (
      <>
        <Sidebar page={page} isOverlay />
        {/* The reference renderer adds the main element. */}
        <div id="content">
          <div id="reference" />
        </div>
      </>
    )
  }
  return (
    <div className="site-columns">
      <Sidebar page={page} />
      <main id="content" className="site-main">
        {page.path === '' ? <Overview page={page} /> : <Article page={page} html={html} />}
        <footer className="site-footer">
          shipping-ledger is an independent service. It is not an official interface of any courier
          and is not affiliated with any.
        </footer>
      </main>
    </div>
  )
}
