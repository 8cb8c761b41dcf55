import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as driver } from 'playwright-core'

/** As distributions name it. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** It asks nobody outside: a test's network is what the page asks for and nothing else. */
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
]

export type FoundBrowser = {
  readonly path: string
  /** Where it comes from, for the test to say. */
  readonly origin: string
}

/** The system's own Chromium, or else the one that an npm package brings. */
export async function findBrowser(path: string = process.env.PATH ?? ''): Promise<FoundBrowser> {
  for (const folder of path.split(delimiter)) {
    for (const name of names) {
      const file = join(folder, name)
      if (folder !== '' && existsSync(file)) return { path: file, origin: `the system's ${name}` }
    }
  }
  return { path: await chromium.executablePath(), origin: 'the npm package @sparticuz/chromium' }
}

export async function launchBrowser(): Promise<{ browser: Browser; origin: string }> {
  const { path, origin } = await findBrowser()
  const browser = await driver.launch({ executablePath: path, headless: true, args: flags })
  return { browser, origin: `${origin}, ${browser.version()}` }
}
