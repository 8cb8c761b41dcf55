import AxeBuilder from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { keepBuilt, type Pages } from '../../src/console-build/keep-built.ts'
import { createApiKey, type NewKey, scopes } from '../../src/security/api-keys.ts'
import { operationFor } from '../support/declared-answers.ts'
import { noLog } from '../support/no-log.ts'
import { type Service, type ServiceOptions, service } from '../support/service.ts'
import { launchBrowser } from './browser.ts'

const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

type Test = Parameters<typeof service>[0] & { comment(text: string): void }

/** The console's pages, built now unless they are there and of these sources. */
export async function pagesForTest(): Promise<Pages> {
  const pages = keepBuilt({ log: noLog })
  if ((await pages.ready()) !== 'current') throw new Error('run `npm run build:console` to see why')
  return pages
}

/** Milliseconds for one thing on a page; two cores may be busy with two other files. */
const waitMs = 15_000

export type Visit = {
  readonly page: Page
  /** What went wrong in the page itself: errors, and what its security policy refused. */
  readonly troubles: readonly string[]
  /** Enters with the key and waits for the first screen. */
  enter(apiKey: string): Promise<void>
  /** Goes to an address below `/console` by its own navigation, so that the session stays. */
  go(path: string): Promise<void>
  close(): Promise<void>
}

export type ConsoleUnderTest = {
  readonly shop: Service
  readonly browser: Browser
  /** A visitor of their own: nothing of another one's tab is there. */
  visit(options?: { readonly width?: number; readonly dark?: boolean }): Promise<Visit>
  /** A key of the shop's organization with every scope, with what is to differ. */
  keyOf(differing: Partial<NewKey>): Promise<string>
  /** Method and path of every request that any visitor made. */
  readonly requests: readonly string[]
  /** Requests to another place than the service, and calls that the API's document does not name. */
  strangeRequests(): readonly string[]
}

/** The composed service with the built console, and a headless browser before it. */
export async function consoleUnderTest(
  t: Test,
  options: ServiceOptions = {},
): Promise<ConsoleUnderTest> {
  const shop = await service(t, { ...options, pages: await pagesForTest() })
  const { browser, origin } = await launchBrowser()
  t.teardown(() => browser.close())
  t.comment(`the browser is ${origin}`)
  const requests: string[] = []
  return {
    shop,
    browser,
    requests,
    visit: async ({ width = 1440, dark = false } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme: dark ? 'dark' : 'light',
        locale: 'en-GB',
        timezoneId: 'America/Lima',
      })
      return await visitOf(context, shop.url, requests)
    },
    keyOf: async (differing) => {
      const { organizationId } = shop.seeded
      const order = { organizationId, workspaceId: null, livemode: false, scopes, expiresAt: null }
      return (await createApiKey(shop.parts, { ...order, ...differing }, by)).key
    },
    strangeRequests: () => requests.filter((request) => !isKnown(request, shop.url)),
  }
}

async function visitOf(context: BrowserContext, url: string, requests: string[]): Promise<Visit> {
  const page = await context.newPage()
  page.setDefaultTimeout(waitMs)
  const troubles: string[] = []
  context.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('console', (message) => {
    // Refused requests are written there too, and are what many journeys are about.
    const text = message.text()
    if (message.type() === 'error' && !text.startsWith('Failed to load resource'))
      troubles.push(text)
  })
  return {
    page,
    troubles,
    enter: async (apiKey) => {
      await page.goto(`${url}/console`)
      await page.getByLabel('API key').fill(apiKey)
      await page.getByRole('button', { name: 'Enter' }).click()
      await page.getByRole('navigation').waitFor()
    },
    go: async (path) => {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)})`)
    },
    close: () => context.close(),
  }
}

function isKnown(request: string, url: string): boolean {
  const [method = '', address = ''] = request.split(' ')
  if (address.startsWith('blob:')) return address.startsWith(`blob:${url}/`)
  const { origin, pathname } = new URL(address)
  if (origin !== url) return false
  if (/^\/console(\/|$)/.test(pathname)) return method === 'GET'
  return operationFor(method, pathname) !== null
}

/** What axe calls serious or critical on the page as it is now, with where it is. */
export async function violations(page: Page): Promise<readonly string[]> {
  // The console has no frames, for which alone another page would be opened each time.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
