import '@mantine/core/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import '../console/styles/base.css'
import '../console/styles/parts.css'
import '../console/styles/picture.css'
import './styles/frame.css'
import './styles/article.css'
import './styles/live.css'
import './styles/reference.css'
import { lazy, StrictMode, Suspense, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { answerLanguageTabs } from './choose-language.ts'
import { answerCopyButtons } from './copy-code.ts'
import { Documentation } from './documentation.tsx'
import { drawReference } from './draw-reference.ts'
import { referencePath } from './site-map.ts'
import type { SitePage } from './site-page.ts'

const LiveSamples = lazy(async () => {
  const { LiveSamples } = await import('./quick-start/live-samples.tsx')
  return { default: LiveSamples }
})

/** Renders into an element of the page, so it waits until React has hydrated the page. */
function Reference() {
  useEffect(() => void drawReference(page, styleNonce), [])
  return null
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no element ${id}.`)
  return found
}

const page = JSON.parse(element('page').textContent) as SitePage
const html = document.getElementById('article')?.innerHTML ?? ''
// The server writes a new nonce into each response: see src/service/http/service/built-pages.ts.
const styleNonce =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

hydrateRoot(
  element('site'),
  <StrictMode>
    <Documentation page={page} html={html} styleNonce={styleNonce}>
      {page.path === referencePath && <Reference />}
      {page.samples.length > 0 && (
        <Suspense>
          <LiveSamples samples={page.samples} />
        </Suspense>
      )}
    </Documentation>
  </StrictMode>,
)
answerCopyButtons()
answerLanguageTabs()
