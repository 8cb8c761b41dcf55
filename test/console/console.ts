import AxeBuilder from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { builtPages } from '../../src/console/build/folders.ts'
import { createApiKey, type NewKey, scopes } from '../../src/service/security/api-keys.ts'
import { operationFor } from '../support/declared-answers.ts'
import { type Service, service, type TestServiceOptions } from '../support/service.ts'
import { launchBrowser } from './browser.ts'

const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

type Test = Parameters<typeof service>[0] & { comment(text: string): void }

/** The time limit for one step on a page; two other test files may use both cores. */
const waitMs = 45_000

export type Visit = {
  readonly page: Page
  /** Errors of the page itself, and violations of its security policy. */
  readonly troubles: readonly string[]
  /** Signs in with the key and waits for the first screen. */
  enter(apiKey: string): Promise<void>
  /** Navigates within the page to an address below `/console`, so that the session stays. */
  go(path: string): Promise<void>
  /** Another tab of the same browser, which shares its storage but not its session. */
  openTab(): Promise<Visit>
  /** Closes the browser with all of its tabs. */
  close(): Promise<void>
}

type VisitOptions = {
  readonly width?: number
  readonly dark?: boolean
  /** The browser's language. `enter` signs in under an English or Spanish page. */
  readonly locale?: 'en-GB' | 'es-PE'
}

export type ConsoleUnderTest = {
  readonly shop: Service
  readonly browser: Browser
  /** A new visitor who shares nothing with the others. */
  visit(options?: VisitOptions): Promise<Visit>
  /** A key of the shop's organization with every scope, changed by `differing`. */
  keyOf(differing: Partial<NewKey>): Promise<string>
  /** Method and path of every visitor's requests. */
  readonly requests: readonly string[]
  /** Requests to other origins, and calls that the API's document does not contain. */
  unexpectedRequests(): readonly string[]
}

/** The composed service with the built console, and a headless browser. */
export async function consoleUnderTest(
  t: Test,
  options: TestServiceOptions = {},
): Promise<ConsoleUnderTest> {
  const shop = await service(t, { ...options, pagesFolder: builtPages })
  const { browser, origin } = await launchBrowser()
  t.teardown(() => browser.close())
  t.comment(`the browser is ${origin}`)
  const requests: string[] = []
  return {
    shop,
    browser,
    requests,
    visit: async ({ width = 1440, dark = false, locale = 'en-GB' } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme: dark ? 'dark' : 'light',
        locale,
        timezoneId: 'America/Lima',
        reducedMotion: 'reduce',
      })
      return await visitOf(context, shop.url, requests)
    },
    keyOf: async (differing) => {
      const { organizationId } = shop.seeded
      const order = { organizationId, workspaceId: null, livemode: false, scopes, expiresAt: null }
      return (await createApiKey(shop.parts, { ...order, ...differing }, by)).key
    },
    unexpectedRequests: () => requests.filter((request) => !isKnown(request, shop.url)),
  }
}

async function visitOf(context: BrowserContext, url: string, requests: string[]): Promise<Visit> {
  context.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
  return await tabOf(context, url)
}

async function tabOf(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage()
  page.setDefaultTimeout(waitMs)
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('console', (message) => {
    // The browser logs refused requests there too, and many journeys cause them on purpose.
    const text = message.text()
    if (message.type() === 'error' && !text.startsWith('Failed to load resource'))
      troubles.push(text)
  })
  return {
    page,
    troubles,
    enter: async (apiKey) => {
      await page.goto(`${url}/console`)
      await page.getByLabel(/^(API key|Clave de API)$/).fill(apiKey)
      await page.getByRole('button', { name: /^(Enter|Entrar)$/ }).click()
      await page.locator('#screen').waitFor()
    },
    go: async (path) => {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)})`)
    },
    openTab: () => tabOf(context, url),
    close: () => context.close(),
  }
}

function isKnown(request: string, url: string): boolean {
  const [method = '', address = ''] = request.split(' ')
  if (address.startsWith('blob:')) return address.startsWith(`blob:${url}/`)
  const { origin, pathname } = new URL(address)
  if (origin !== url) return false
  if (pathname === '/console/sign-in/key') return method === 'POST'
  if (/^\/console(\/|$)/.test(pathname)) return method === 'GET'
  return operationFor(method, pathname) !== null
}

/**
 * The violations that axe calls serious or critical on the current page, with their elements. On a
 * very long page, only inside the given elements. Rules are those of axe; by default, all.
 */
export async function violations(
  page: Page,
  inside: readonly string[] = [],
  rules: readonly string[] = [],
): Promise<readonly string[]> {
  // Without legacy mode axe opens an extra page each time, only for frames, which the console does
  // not have.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  for (const selector of inside) axe.include(selector)
  if (rules.length > 0) axe.withRules([...rules])
  const { violations: found } = await axe.analyze()
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

/**
 * The same in the light and the dark theme, to which the page switches without reloading. A theme
 * changes nothing but colors.
 */
export async function violationsInBothThemes(
  page: Page,
  inside: readonly string[] = [],
): Promise<readonly string[]> {
  await useTheme(page, 'dark')
  const inDark = await violations(page, inside, ['color-contrast'])
  await useTheme(page, 'light')
  return [...inDark.map((each) => `dark: ${each}`), ...(await violations(page, inside))]
}

async function useTheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  const [inConsole, inDocs] = ['data-mantine-color-scheme', 'data-theme']
  await page
    .locator(`html[${inConsole}="${colorScheme}"], html[${inDocs}="${colorScheme}"]`)
    .waitFor()
}

/** Everything that outlives a screen or leaves the page: address, history and storage. */
export function leftBehind(page: Page): Promise<string> {
  return page.evaluate(`JSON.stringify([
    location.href, history.state, document.cookie, document.title,
    Object.entries(localStorage), Object.entries(sessionStorage),
  ])`)
}
