import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../../src/service/embedded-postgres/postmaster.ts'
import { watchProcess } from './run-process.ts'
import { projectRoot } from './source-files.ts'

type Test = { teardown(close: () => Promise<unknown>): unknown }

export type ValidatingProxy = {
  readonly url: string
  /** What contradicted the document so far, in requests and in answers. */
  violations(): Promise<readonly string[]>
}

/** What Prism prints about a contradiction. It only warns of a status that is not declared. */
const violation = /\[HTTP SERVER\] (\w+ \S+) .+ terminated with error: (.+)|Violation: (.+)/g

/**
 * Starts Prism, a public validator, between a client and the service at this address. It answers
 * what contradicts docs/openapi.json with a problem of its own, `#VIOLATIONS`.
 */
export async function validatingProxy(t: Test, serviceUrl: string): Promise<ValidatingProxy> {
  const cli = join(projectRoot, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js')
  const document = join(projectRoot, 'docs', 'openapi.json')
  const port = await freePort()
  const options = ['--errors', '--port', String(port), '--cors=false']
  const child = spawn(process.execPath, [cli, 'proxy', document, serviceUrl, ...options], {
    stdio: 'pipe',
    env: { NO_COLOR: '1' },
  })
  let log = ''
  child.stdout.on('data', (chunk) => {
    log += chunk
  })
  const proxy = watchProcess(child)
  t.teardown(async () => {
    child.kill()
    await proxy.ended
  })
  await proxy.said(/Prism is listening on/)
  const url = `http://127.0.0.1:${port}`
  let asked = 0
  return {
    url,
    async violations() {
      // It prints in order: once it has refused this path, it has printed everything before.
      asked += 1
      const marker = `/asked-${asked}`
      await (await fetch(url + marker)).text()
      await proxy.said(new RegExp(`${marker} .+ terminated with error`))
      return [...log.matchAll(violation)]
        .map(([, path, error, other]) => other ?? `${path}: ${error}`)
        .filter((line) => !line.includes('/asked-'))
    },
  }
}
