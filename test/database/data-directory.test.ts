import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { lockDataDirectory, runningProcess } from '../../src/service/database/data-directory.ts'

const module = join(import.meta.dirname, '../../src/service/database/data-directory.ts')

/** Another process that takes the lock and holds it until it is killed. */
async function holder(path: string) {
  const script = `
    const { lockDataDirectory } = await import(${JSON.stringify(module)})
    lockDataDirectory(${JSON.stringify(path)}).describe({ port: 4711 })
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

t.test(
  'a second process is told which process uses the data directory and what to do',
  async (t) => {
    const path = join(t.testdir(), 'data')
    const first = await holder(path)
    t.throws(() => lockDataDirectory(path), {
      name: 'StartError',
      message: new RegExp(
        `^Another shipping-ledger \\(pid ${first.pid} on port 4711\\) is using .* stop it, or set DATA_DIR`,
      ),
    })
    first.kill('SIGKILL')
    await once(first, 'exit')

    // After kill -9 nothing needs cleaning up by hand.
    t.ok(existsSync(join(path, 'process.json')))
    t.equal(runningProcess(path), undefined)
    const own = lockDataDirectory(path)
    t.match(runningProcess(path), { pid: process.pid })
    own.release()
    own.release()
    t.equal(runningProcess(path), undefined)
  },
)

t.test('a pid that now belongs to another process does not keep the lock', async (t) => {
  const path = t.testdir()
  writeFileSync(join(path, 'process.json'), JSON.stringify({ pid: process.ppid, port: 1 }))
  const own = lockDataDirectory(path)
  t.match(runningProcess(path), { pid: process.pid })
  own.release()
})

t.test('one process cannot take the lock twice', async (t) => {
  const path = t.testdir()
  const own = lockDataDirectory(path)
  t.throws(() => lockDataDirectory(path), { message: new RegExp(`pid ${process.pid}\\)`) })
  own.release()
  lockDataDirectory(path).release()
})

t.test('only its owner can access a new data directory', async (t) => {
  const path = join(t.testdir(), 'a', 'b')
  const own = lockDataDirectory(path)
  own.describe({ port: 1, databasePort: 2 })
  t.equal(statSync(path).mode & 0o777, 0o700)
  t.same(runningProcess(path), { pid: process.pid, port: 1, databasePort: 2 })
  own.release()
})
