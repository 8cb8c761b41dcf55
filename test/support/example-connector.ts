import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type RunningProcess, runProcess, watchProcess } from './run-process.ts'
import { projectRoot } from './source-files.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export const examples = 'docs/examples/connector'
export const token = 'a-secret-of-the-connector'

function endAfter(t: Test, { child, ended }: RunningProcess): void {
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
}

async function portOf(started: RunningProcess): Promise<string> {
  const [, port] = await started.said(/ready.*port: (\d+)/s)
  return String(port)
}

/** The example's courier, and the connector in front of it, which can be restarted. */
export async function exampleConnector(t: Test, language: 'TypeScript' | 'Python') {
  const courier = runProcess(`${examples}/courier.ts`, { arguments: ['0'] })
  endAfter(t, courier)
  const courierUrl = `http://127.0.0.1:${await portOf(courier)}`
  const env = { COURIER_URL: courierUrl, CONNECTOR_TOKEN: token }
  const start = () => {
    const connector =
      language === 'TypeScript'
        ? runProcess(`${examples}/connector.ts`, { env, arguments: ['0'] })
        : watchProcess(
            spawn('python3', [join(projectRoot, examples, 'connector.py'), '0'], {
              env: { ...process.env, ...env },
              stdio: 'pipe',
            }),
          )
    endAfter(t, connector)
    return connector
  }
  const urlOf = async (connector: RunningProcess) => `http://127.0.0.1:${await portOf(connector)}`
  const first = start()
  return {
    courierUrl,
    url: await urlOf(first),
    async restarted() {
      first.child.kill('SIGKILL')
      await first.ended
      return await urlOf(start())
    },
  }
}
