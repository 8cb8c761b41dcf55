import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const service = resolve(import.meta.dirname, '../../src/service')

/**
 * The packages of OpenTelemetry that a process loads with a file of the service. The interface `api` is
 * a dependency of prom-client, so it is always loaded.
 */
async function loadedWith(file: string): Promise<readonly string[]> {
  const program = `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({
      resolve(specifier, context, next) {
        if (/^@(opentelemetry\\/(?!api$)|fastify\\/otel)/.test(specifier)) seen.push(specifier)
        return next(specifier, context)
      },
    })
    await import(${JSON.stringify(resolve(service, file))})
    process.stdout.write(JSON.stringify(seen))
    process.exit()`
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', program])
  return JSON.parse(stdout)
}

t.test('OpenTelemetry is not loaded with the service, only with what records traces', async (t) => {
  t.strictSame(await loadedWith('app.ts'), [])
  t.ok((await loadedWith('tracing/open-telemetry.ts')).includes('@opentelemetry/sdk-trace'))
})
