import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { migrate } from '../../../src/service/database/migrate.ts'
import { shipmentIdOf } from '../../../src/service/domain/ids.ts'
import {
  applicationRole,
  type EmbeddedDatabase,
  startEmbedded,
} from '../../../src/service/embedded-postgres/embedded.ts'
import type { Answer } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { noLog } from '../../support/no-log.ts'
import { type Service, service } from '../../support/service.ts'
import { noDisk, onOwnDisk, type SmallDisk, smallDisk } from './small-disk.ts'

/** A fresh cluster with room for a few segments of its write-ahead log. */
const sizeMb = 160
/** Room for two or three files of the write-ahead log. */
const logSizeMb = 56
/** More files than there is room for. */
const logFiles = 4
const everyMs = 40
/** Creations made while the disk is in trouble. */
const duringMin = 60

type Scene = {
  readonly disk: SmallDisk
  readonly database: EmbeddedDatabase
  readonly shop: Service
}

const start = (dataDir: string) =>
  startEmbedded({
    dataDir,
    adminPassword: 'admin',
    applicationPassword: 'application',
    durable: false,
    log: noLog,
  })

async function openedOn(
  t: Test,
  disk: SmallDisk,
  dataDir: string,
  database: EmbeddedDatabase,
): Promise<Scene> {
  t.teardown(() => database.stop())
  await migrate({ adminUrl: database.adminUrl, applicationRole })
  const { url, adminUrl } = database
  const shop = await service(t, { database: { url, adminUrl }, dataDir })
  return { disk, database, shop }
}

async function scene(t: Test): Promise<Scene> {
  const disk = smallDisk(t, { sizeMb })
  return await openedOn(t, disk, disk.folder, await start(disk.folder))
}

/** Only the write-ahead log is on the small disk. */
async function sceneOfLog(t: Test): Promise<Scene> {
  const disk = smallDisk(t, { sizeMb: logSizeMb })
  const dataDir = mkdtempSync(join(tmpdir(), 'shipping-ledger-log-'))
  t.teardown(async () => rmSync(dataDir, { recursive: true, force: true }))
  await (await start(dataDir)).stop()
  const [log, moved] = [join(dataDir, 'postgres/pg_wal'), join(disk.folder, 'pg_wal')]
  // Keeps owners, because the server does not run as the user of the tests.
  execFileSync('cp', ['-a', log, moved])
  rmSync(log, { recursive: true })
  symlinkSync(moved, log)
  return await openedOn(t, disk, dataDir, await start(dataDir))
}

/** Begins a new write-ahead log file of 16 MB. */
async function switchLog({ adminUrl }: EmbeddedDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`SELECT pg_logical_emit_message(false, 'test', 'new'), pg_switch_wal()`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

type Created = { readonly key: string; readonly answer: Answer }

/** Creates shipments at a steady rate until stopped. */
function shoppers(shop: Service) {
  const asked: Promise<Created>[] = []
  let isOver = false
  const running = (async () => {
    while (!isOver) {
      const key = `order-${asked.length}`
      asked.push(shop.create(key).then((answer) => ({ key, answer })))
      await delay(everyMs)
    }
  })()
  return {
    asked: () => asked.length,
    async stop(): Promise<readonly Created[]> {
      isOver = true
      await running
      return await Promise.all(asked)
    },
  }
}

const readyz = (shop: Service) => shop.call('/readyz')

/**
 * Orders are placed before, during and after the trouble. Each answer is a guide or a true
 * statement of what happened, an acknowledged key keeps its guide, no key has two, and the service
 * recovers by itself.
 */
async function throughTrouble(
  t: Test,
  { shop }: Scene,
  trouble: { readonly says: string; begin(): Promise<void> | void; end(): Promise<void> | void },
): Promise<void> {
  const idOf = (idempotencyKey: string) => {
    const { organizationId, workspaceId } = shop.seeded
    return shipmentIdOf({ organizationId, workspaceId, livemode: false, idempotencyKey })
  }
  const createCalls = (key: string) =>
    shop.record.callsOf(idOf(key)).filter(({ route }) => route === 'createGuide').length
  const orders = shoppers(shop)
  await eventually(orders.asked, (count) => count > 10)
  await trouble.begin()
  const { status, body } = await eventually(
    () => readyz(shop),
    (answer) => answer.body.checks.database === trouble.says,
  )
  t.equal(status, 503)
  t.equal(body.status, 'not_ready')
  const begun = orders.asked()
  await eventually(orders.asked, (count) => count > begun + duringMin)
  const health = await shop.call('/v1/health')
  if (health.status === 200) {
    t.match(health.body, { status: 'degraded', database: 'disk_full' })
  } else t.match(health, { status: 503, body: { reason: 'dependency_unavailable' } })
  await trouble.end()
  await eventually(
    () => readyz(shop),
    (answer) => answer.status === 200,
  )
  await eventually(
    () => shop.create('afterwards'),
    (answer) => answer.status === 201,
  )
  const created = await orders.stop()

  t.ok(created.some(({ answer }) => answer.status === 503))
  for (const { key, answer } of created) {
    const said = `${key}: ${answer.status} ${answer.body.reason ?? ''}`
    if (answer.status === 503) {
      t.match(answer.body, { outcome: 'not_executed', retryable: true }, said)
      t.ok(answer.headers.has('retry-after'), said)
      t.equal(createCalls(key), 0, `${said}: nothing was sent`)
    } else if (answer.status === 409) t.equal(answer.body.reason, 'unknown_outcome', said)
    else t.equal(answer.status, 201, said)
  }
  for (const { key, answer } of created) {
    const again = await eventually(
      () => shop.create(key),
      ({ status: now }) => now === 201,
    )
    if (answer.status === 201) t.equal(again.body.guide_number, answer.body.guide_number, key)
    const guides = shop.record.guidesOf(idOf(key)).map(({ guideNumber }) => guideNumber)
    t.strictSame(guides, [again.body.guide_number], `${key} has one guide`)
  }
  t.strictSame(shop.record.doubled(), [])
}

function kill(database: EmbeddedDatabase): void {
  const pid = database.pid()
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

t.test(
  onOwnDisk('a full disk refuses orders that can be repeated'),
  { skip: noDisk },
  async (t) => {
    const all = await scene(t)
    const { disk } = all
    await throughTrouble(t, all, { says: 'disk full', begin: disk.fill, end: disk.free })
  },
)

t.test(onOwnDisk('a disk without an inode left is a full disk'), { skip: noDisk }, async (t) => {
  const all = await scene(t)
  const { disk } = all
  await throughTrouble(t, all, { says: 'disk full', begin: disk.useInodes, end: disk.free })
})

t.test(
  onOwnDisk('an embedded database that a full disk keeps from starting comes back with the space'),
  { skip: noDisk },
  async (t) => {
    const all = await scene(t)
    const begin = () => {
      all.disk.fill()
      kill(all.database)
    }
    await throughTrouble(t, all, { says: 'disk full', begin, end: all.disk.free })
  },
)

t.test(
  onOwnDisk('a full disk of the write-ahead log is a full disk'),
  { skip: noDisk },
  async (t) => {
    const all = await sceneOfLog(t)
    const begin = async () => {
      all.disk.fill()
      for (let file = 0; file < logFiles; file++) {
        await switchLog(all.database).catch(() => undefined)
      }
    }
    await throughTrouble(t, all, { says: 'disk full', begin, end: all.disk.free })
  },
)

t.test(
  onOwnDisk('an embedded database on a disk that was made read-only comes back with it'),
  { skip: noDisk },
  async (t) => {
    const all = await scene(t)
    const begin = async () => {
      kill(all.database)
      await all.disk.whenNothingIsWritten('ro')
    }
    const end = () => all.disk.whenNothingIsWritten('rw')
    await throughTrouble(t, all, { says: 'disk read-only', begin, end })
  },
)
