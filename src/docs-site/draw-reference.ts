import { fitPolicy } from './fit-policy.ts'
import { slugOfTag } from './site-page.ts'

type Settings = Readonly<Record<string, unknown>>

/** What the renderer's script leaves in the page. */
declare const Scalar: {
  createApiReference(selector: string, settings: Settings): void
}

type Operation = { readonly operationId?: string; readonly path: string; readonly method: string }
type Named = { readonly name?: string }

/** None of them is ours; without an address nothing is asked of them. */
const noOtherHosts = { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' }

const settings: Settings = {
  url: '/openapi.json',
  // Begins the ids of the page's elements.
  slug: 'v1',
  _integration: null,
  theme: 'none',
  layout: 'modern',
  // Nothing is asked of, or said to, another host.
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  externalUrls: noOtherHosts,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // Calls are made in the quick start and in the console, with a key that stays in the tab.
  hideTestRequestButton: true,
  hideClientButton: true,
  documentDownloadType: 'none',
  // The header has both.
  hideDarkModeToggle: true,
  hideSearch: true,
  // Links lead to an operation by its id, which never changes.
  generateTagSlug: ({ name = '' }: Named) => slugOfTag(name),
  generateOperationSlug: ({ operationId, method, path }: Operation) =>
    operationId ?? `${method}${path}`,
  generateWebhookSlug: ({ name }: Named) => name ?? '',
  hiddenClients: true,
}

/** Draws the OpenAPI document into the page, in the theme of the page. */
export async function drawReference(rendererAddress: string, nonce: string): Promise<void> {
  fitPolicy(nonce)
  await loadScript(rendererAddress)
  const forceDarkModeState = isDark() ? 'dark' : 'light'
  Scalar.createApiReference('#reference', { ...settings, forceDarkModeState })
  // It keeps the first theme, and returns to it when the system's changes.
  const follow = new MutationObserver(() => {
    document.body.classList.toggle('dark-mode', isDark())
    document.body.classList.toggle('light-mode', !isDark())
  })
  follow.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
  follow.observe(document.body, { attributeFilter: ['class'] })
}

function isDark(): boolean {
  return document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark'
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
