type Settings = Readonly<Record<string, unknown>>

/** What its script leaves in the page. */
declare const Scalar: {
  createApiReference(
    selector: string,
    settings: Settings,
  ): { updateConfiguration(settings: Settings): void }
}

type Operation = { readonly operationId?: string; readonly path: string; readonly method: string }
type Named = { readonly name?: string }

/** None of them is ours; without an address nothing is asked of them. */
const noOtherHosts = { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' }

const settings: Settings = {
  url: '/openapi.json',
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
  generateTagSlug: ({ name }: Named) => name ?? '',
  generateOperationSlug: ({ operationId, method, path }: Operation) =>
    operationId ?? `${method}${path}`,
  generateWebhookSlug: ({ name }: Named) => name ?? '',
  hiddenClients: true,
}

const root = document.documentElement
const themeOfPage = () => root.getAttribute('data-mantine-color-scheme') ?? 'light'
const withTheme = () => ({ ...settings, forceDarkModeState: themeOfPage() })

/** Draws the OpenAPI document into the page, in the theme of the page. */
export function drawReference(): void {
  const reference = Scalar.createApiReference('#reference', withTheme())
  const follow = new MutationObserver(() => reference.updateConfiguration(withTheme()))
  follow.observe(root, { attributeFilter: ['data-mantine-color-scheme'] })
}
