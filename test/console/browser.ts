import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium as driver } from 'playwright-core'

/** The names under which distributions install it. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Prevents the browser's own requests: only the page under test uses the network. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
]

type FoundBrowser = {
  readonly path: string
  /** Where the browser comes from; the test prints it. */
  readonly origin: string
}

/** The system's own Chromium, otherwise the one from an npm package. */
async function findBrowser(path: string = process.env.PATH ?? ''): Promise<FoundBrowser> {
  for (const folder of path.split(delimiter)) {
    for (const name of names) {
      const file = join(folder, name)
      if (folder !== '' && existsSync(file)) return { path: file, origin: `the system's ${name}` }
    }
  }
  return { path: await unpackedBrowser(), origin: 'the npm package @sparticuz/chromium' }
}

const unpack = `
  import chromium from '@sparticuz/chromium'
  await chromium.executablePath()`

/**
 * The package unpacks to the place where it looks the next time, so a second process could start an
 * incomplete browser. Unpacking elsewhere and then moving it prevents this; `npm ci` removes it.
 */
async function unpackedBrowser(): Promise<string> {
  const root = join(import.meta.dirname, '..', '..')
  const place = join(root, 'node_modules', '.cache', 'chromium')
  if (existsSync(place)) return join(place, 'chromium')
  await mkdir(dirname(place), { recursive: true })
  const aside = await mkdtemp(`${place}-`)
  const program = ['--input-type=module', '--eval', unpack]
  const env = { ...process.env, TMPDIR: aside }
  await promisify(execFile)(process.execPath, program, { cwd: root, env })
  await rename(aside, place).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    await rm(aside, { recursive: true, force: true })
  })
  return join(place, 'chromium')
}

export async function launchBrowser(): Promise<{ browser: Browser; origin: string }> {
  const { path, origin } = await findBrowser()
  const browser = await driver.launch({ executablePath: path, headless: true, args: flags })
  return { browser, origin: `${origin}, ${browser.version()}` }
}
