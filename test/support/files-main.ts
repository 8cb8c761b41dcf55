import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'

/*
 * Runs several test files in one process, one after the other, each as a test of its own. A process loads
 * the service's modules and compiles them only once, which takes longer than most files do. What such a
 * file imports as `tap` is its own test: when it ends, its service and database end too.
 */

const root = join(import.meta.dirname, '..', '..')
const timeout = 1_000 * Number(process.env.TAP_TIMEOUT)
const tests = new Map<string, Test>()
const own = 'test-of-file:'

Object.assign(globalThis, { testOfFile: (url: string) => tests.get(url) })
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (specifier !== 'tap' || parentURL === undefined || !tests.has(parentURL)) {
      return next(specifier, context)
    }
    return { url: own + parentURL, shortCircuit: true }
  },
  load(url, context, next) {
    if (!url.startsWith(own)) return next(url, context)
    const file = JSON.stringify(url.slice(own.length))
    return {
      format: 'module',
      source: `export default globalThis.testOfFile(${file})`,
      shortCircuit: true,
    }
  },
})

// The limit is one file's, not the process's.
t.setTimeout(0)
for (const file of JSON.parse(process.env.TEST_FILES ?? '[]') as string[]) {
  const url = pathToFileURL(join(root, file)).href
  void t.test(file, { timeout }, async (test) => {
    tests.set(url, test)
    await import(url)
  })
}
