import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createServices } from '../../../src/service/app.ts'
import { readConfig } from '../../../src/service/config.ts'
import { runningProcess } from '../../../src/service/database/data-directory.ts'
import { superuser } from '../../../src/service/embedded-postgres/cluster.ts'
import { databaseName, urlOf } from '../../../src/service/embedded-postgres/embedded.ts'
import { freePort } from '../../../src/service/embedded-postgres/postmaster.ts'
import { runningDatabase } from '../../../src/service/open-database.ts'
import { embeddedSecrets } from '../../../src/service/secrets/secrets.ts'
import { simulatorRecord } from '../../../src/simulator/simulator-record.ts'
import { apiClient } from '../../support/api-client.ts'
import { copyCluster } from '../../support/crashable-server.ts'
import { eventually } from '../../support/eventually.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { random } from '../../support/random.ts'
import { receiver } from '../../support/receiver.ts'
import { type RunningProcess, runCommand, runProcess } from '../../support/run-process.ts'
import { noLogger, testSecrets } from '../../support/service.ts'
import { ledgerInPostgres, type Outside, queryOnce } from './after-recovery.ts'
import { Readiness } from './readiness.ts'
import { recordingCourier } from './recording-courier.ts'
import {
  type Limits,
  type Play,
  perSecond,
  quickMs,
  recover,
  sealedCheckpoint,
  seeDamage,
  somethingIsMade,
} from './round.ts'
import { Shoppers } from './shoppers.ts'
import { openShops, registerRecordingCourier, tellShop } from './shops.ts'
import { Violations } from './violations.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type RestoresOptions = {
  readonly seed: number
  /** Restores of the same service, one after another. */
  readonly rounds: number
  /** The longest time between the backup and its restore. */
  readonly sinceMsMax: number
  readonly limits: Limits
  readonly say: (line: string) => void
}

const beforeMs = 1_500
const kinds = { backup: ['stopped', 'running'], end: ['SIGTERM', 'SIGKILL'] } as const

/** A service whose embedded database is restored from an older backup repeatedly. */
export async function playRestores(t: Test, options: RestoresOptions): Promise<Violations> {
  const { seed, say, limits } = options
  const chance = random(seed)
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-lost-end-'))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const courier = await recordingCourier()
  t.teardown(() => courier.close())
  const webhooks = await receiver(t)
  const secrets = testSecrets()
  const embedded = await embeddedService(t, folder, secrets.simulatorKey)
  const record = simulatorRecord({
    file: join(folder, 'simulator', 'simulator.sqlite'),
    key: secrets.simulatorKey,
  })
  t.teardown(async () => record.close())
  await embedded.start()
  const parts = embedded.createServices()
  await registerRecordingCourier(parts, courier)
  const shops = await openShops(parts, [embedded.url])
  await parts.close()
  await tellShop(shops.test, webhooks.url)
  const readiness = new Readiness([embedded.url])
  t.teardown(() => readiness.stop())
  const violations = new Violations()
  const query: Outside['query'] = (text, values) => queryOnce(embedded.adminUrl(), text, values)
  const play: Play = {
    apis: [embedded.process()],
    startAgain: embedded.start,
    readiness,
    shops,
    books: { courier, record },
    outside: {
      command: (...words) => runCommand(embedded.environment, ...words),
      ledger: ledgerInPostgres(query),
      query,
      folder,
      keepsCheckpoints: true,
    },
    webhooks,
    violations,
    every: [],
    chance,
    limits,
    say,
  }
  for (let round = 1; round <= options.rounds; round++) {
    const beganAt = performance.now()
    const shoppers = new Shoppers(shops, random(Math.ceil(chance() * 2 ** 31)), `${seed}-${round}`)
    play.every.push(shoppers)
    const order = { sinceMsMax: options.sinceMsMax, name: `${round}` }
    await restoreUnder(play, embedded, shoppers, order)
    const seconds = Math.round((performance.now() - beganAt) / 1_000)
    say(`  restore ${round} of ${seed}: ${seconds} s, ${violations.count} violations`)
    for (const line of violations.lines()) say(`    ${line}`)
  }
  return violations
}

async function restoreUnder(
  play: Play,
  embedded: EmbeddedService,
  shoppers: Shoppers,
  { sinceMsMax, name }: { readonly sinceMsMax: number; readonly name: string },
): Promise<void> {
  const { books, outside, chance, say } = play
  const { courier } = books
  const backup = kinds.backup[Number(chance() < 0.5)] ?? 'stopped'
  const signal = kinds.end[Number(chance() < 0.5)] ?? 'SIGTERM'
  /**
   * If everything is restored, nothing is left to compare with: the runbook ends with a recovery.
   */
  const isAll = chance() < 0.2
  courier.answerAfterMs = () => chance() * quickMs
  shoppers.start(perSecond)
  await delay(beforeMs)
  await somethingIsMade(shoppers)
  const before = await sealedCheckpoint(play, `before-${name}.txt`)
  await embedded.backUp(backup)
  const backedUpAt = performance.now()
  const backedUpHead = await outside.ledger.head()
  const sinceMs = sinceMsMax * (0.1 + 0.9 * chance())
  await delay(sinceMs)
  // Without an event that was sealed and then lost, the loss cannot be noticed.
  await eventually(
    () => outside.ledger.head(),
    (head) => head > backedUpHead,
  )
  const late = await sealedCheckpoint(play, `late-${name}.txt`)
  courier.answerAfterMs = () => chance() * 1_500
  await delay(chance() * 500)
  const [end, full] = [await outside.ledger.head(), await outside.ledger.count()]
  if (isAll) await shoppers.stop()
  await embedded.end(signal)
  await embedded.restore({ checkpoints: isAll })
  const at = performance.now()
  play.apis[0] = await embedded.start()
  const lost = full - (await outside.ledger.count())
  say(
    `  restored a backup of the ${backup} service, ${isAll ? 'checkpoints too, ' : ''}after ${signal}; ${Math.round(sinceMs)} ms later, ${lost} events lost`,
  )
  say(`    before: ${shoppers.countsOf(0, at)}`)
  const held = { held: [before], heldLost: [late] }
  if (isAll) {
    await recover(play, shoppers, held, null)
    return
  }
  // A killed process loses what it had in flight; the couriers are queried for its keys.
  const damage = { at, end, lostSince: backedUpAt, inFlight: [], ...held }
  const damagedFrom = await seeDamage(play, shoppers, damage)
  await recover(play, shoppers, held, damagedFrom)
}

type EmbeddedService = {
  readonly url: string
  readonly environment: Readonly<Record<string, string>>
  readonly adminUrl: () => string
  process(): ServiceProcess
  createServices(): ReturnType<typeof createServices>
  start(): Promise<ServiceProcess>
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  backUp(how: 'stopped' | 'running'): Promise<void>
  /** Restores the backup, with the folder of checkpoints only if requested. */
  restore(options: { readonly checkpoints: boolean }): Promise<void>
}

async function embeddedService(
  t: Test,
  folder: string,
  simulatorKey: Buffer,
): Promise<EmbeddedService> {
  const dataDir = join(folder, 'data')
  const checkpointDir = join(folder, 'checkpoints')
  const backupDir = join(folder, 'backup')
  const simulatorDir = join(folder, 'simulator')
  mkdirSync(simulatorDir)
  const running = new Set<RunningProcess>()
  const run = async (env: Readonly<Record<string, string>>) => {
    const started = runProcess('src/service/main.ts', { env })
    running.add(started)
    started.ended.then(() => running.delete(started))
    await started.said(/"msg":"ready"/)
    return started
  }
  t.teardown(async () => {
    for (const { child } of running) child.kill('SIGTERM')
    await Promise.all([...running].map(({ ended }) => ended))
  })
  const [port, simulatorPort] = [await freePort(), await freePort()]
  const common = {
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
    SIMULATOR_KEY: simulatorKey.toString('base64'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  // The courier's own record is not part of the restore.
  const courier = {
    ...common,
    ROLES: 'simulator',
    DATA_DIR: simulatorDir,
    SIMULATOR_PORT: String(simulatorPort),
    DATABASE_URL: '',
  }
  const environment = {
    ...common,
    ROLES: 'api,projector,worker',
    DATA_DIR: dataDir,
    CHECKPOINT_DIR: checkpointDir,
    PORT: String(port),
    SIMULATOR_URL: `http://127.0.0.1:${simulatorPort}`,
  }
  await run(courier)
  const url = `http://127.0.0.1:${port}`
  let current: RunningProcess | undefined
  const start = async (): Promise<ServiceProcess> => {
    current = await run(environment)
    const { child, ended } = current
    return {
      ...apiClient(url, noSeeds),
      pid: child.pid as number,
      ended,
      signal: (signal) => void child.kill(signal),
    }
  }
  const config = () => ({ ...readConfig(environment) })
  const databasePort = () => Number(runningProcess(dataDir)?.databasePort)
  const adminUrl = () => {
    const { adminPassword } = embeddedSecrets(dataDir, config(), true)
    return urlOf(superuser, adminPassword, databasePort(), databaseName)
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    current?.child.kill(signal)
    await current?.ended
  }
  const copy = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true, maxRetries: 3 })
    if (existsSync(from)) execFileSync('cp', ['-a', from, to])
  }
  return {
    url,
    environment,
    adminUrl,
    process: () => {
      const { child, ended } = current as RunningProcess
      return {
        ...apiClient(url, noSeeds),
        pid: child.pid as number,
        ended,
        signal: (signal) => void child.kill(signal),
      }
    },
    createServices() {
      const found = runningDatabase(dataDir, config())
      if (found === undefined) throw new Error('it does not run')
      return createServices({
        databaseUrl: found.url,
        secrets: found.secrets,
        simulatorUrl: environment.SIMULATOR_URL,
        log: noLogger(),
      })
    },
    start,
    end,
    async backUp(how) {
      rmSync(backupDir, { recursive: true, force: true, maxRetries: 3 })
      mkdirSync(backupDir)
      copy(checkpointDir, join(backupDir, 'checkpoints'))
      if (how === 'running') {
        mkdirSync(join(backupDir, 'data'))
        const cluster = join(backupDir, 'data', 'postgres')
        await copyCluster(adminUrl(), join(dataDir, 'postgres'), cluster)
        copy(join(dataDir, 'secrets.json'), join(backupDir, 'data', 'secrets.json'))
        return
      }
      await end('SIGTERM')
      copy(dataDir, join(backupDir, 'data'))
      await start()
    },
    async restore({ checkpoints }) {
      copy(join(backupDir, 'data'), dataDir)
      if (checkpoints) copy(join(backupDir, 'checkpoints'), checkpointDir)
    },
  }
}

const noSeeds = {
  organizationId: '',
  workspaceId: '',
  connectionId: '',
  shopKey: '',
  operatorId: '',
  operatorKey: '',
  originId: '',
  destinationId: '',
  productId: '',
}
