import { slugOfTag } from '../site-page.ts'
import { fitRenderer } from './fit-renderer.ts'

type Settings = Readonly<Record<string, unknown>>

/** The global that the renderer's script defines. */
declare const Scalar: {
  createApiReference(selector: string, settings: Settings): void
}

type Operation = { readonly operationId?: string; readonly path: string; readonly method: string }
type Named = { readonly name?: string }

/** Without an address, the renderer does not contact these hosts. */
const noOtherHosts = { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' }

const settings: Settings = {
  // The prefix of the page's element ids.
  slug: 'v1',
  _integration: null,
  theme: 'none',
  layout: 'modern',
  // No requests to other hosts.
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  externalUrls: noOtherHosts,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // The quick start and the console make calls, with a key that stays in the tab.
  hideTestRequestButton: true,
  hideClientButton: true,
  documentDownloadType: 'none',
  // The site has all three.
  showSidebar: false,
  hideDarkModeToggle: true,
  hideSearch: true,
  // Links to operations use the operation id, which never changes.
  generateTagSlug: ({ name = '' }: Named) => slugOfTag(name),
  generateOperationSlug: ({ operationId, method, path }: Operation) =>
    operationId ?? `${method}${path}`,
  generateWebhookSlug: ({ name }: Named) => name ?? '',
  hiddenClients: true,
}

const documentAddress = '/docs/reference-document.json'

/** Draws the API's document, with a sample of each call, in the page's theme. */
export async function drawReference(): Promise<void> {
  const place = document.getElementById('reference')
  fitRenderer()
  // Otherwise its validation tries to compile code, which the policy refuses.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
  const [content] = await Promise.all([
    loadJson(documentAddress),
    loadScript(place?.dataset.renderer ?? ''),
  ])
  const forceDarkModeState = isDark() ? 'dark' : 'light'
  const servers = [{ url: location.origin, description: 'The service that serves this page.' }]
  const about = { content, servers, forceDarkModeState }
  Scalar.createApiReference('#reference', { ...settings, ...about })
  // The renderer does not follow theme changes, and resets its theme when the system's changes.
  const follow = new MutationObserver(() => {
    document.body.classList.toggle('dark-mode', isDark())
    document.body.classList.toggle('light-mode', !isDark())
  })
  follow.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  follow.observe(document.body, { attributeFilter: ['class'] })
}

/** Marks the operation in view in the sidebar, and closes the phone's menu after a choice. */
export function followReference(): void {
  const sidebar = document.getElementById('starlight__sidebar')
  const links = [...(sidebar?.querySelectorAll<HTMLAnchorElement>('a[href*="#"]') ?? [])]
  const mark = () => {
    for (const link of links) {
      if (link.hash === location.hash) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
  }
  mark()
  // The renderer changes the address while the reader scrolls, without an event.
  addEventListener('scrollend', mark)
  addEventListener('hashchange', () => {
    mark()
    if (sidebar?.matches(':popover-open')) sidebar.hidePopover()
  })
}

async function loadJson(address: string): Promise<unknown> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} could not be loaded.`)
  return await answer.json()
}

function isDark(): boolean {
  return document.documentElement.dataset.theme === 'dark'
}

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.onload = () => resolve()
    script.onerror = () => reject(new Error('The renderer of the reference could not be loaded.'))
    document.head.append(script)
  })
}
