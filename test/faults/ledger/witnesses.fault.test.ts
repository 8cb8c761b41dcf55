import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { createServices } from '../../../src/service/app.ts'
import { run } from '../../../src/service/cli/run-command.ts'
import { type Checkpoint, lastCheckpoint } from '../../../src/service/ledger/checkpoints.ts'
import { exportLedger } from '../../../src/service/ledger/export.ts'
import {
  readVerifier,
  type Signer,
  signerOf,
  type Verifier,
} from '../../../src/service/ledger/signed-note.ts'
import { nameTree } from '../../../src/service/ledger/tree.ts'
import { witnessText } from '../../../src/service/ledger/witnesses/cosignature.ts'
import type { Witness } from '../../../src/service/ledger/witnesses/submit.ts'
import { createApiKey } from '../../../src/service/security/api-keys.ts'
import { audit } from '../../../src/service/security/audit.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { eventually } from '../../support/eventually.ts'
import { commandServices } from '../../support/run-command.ts'
import { noLogger, type Service, service } from '../../support/service.ts'
import { testDatabase } from '../../support/test-database.ts'
import { testLedger } from '../../support/test-ledger.ts'
import { growingLedger } from './growing-ledger.ts'
import { isCosigned, type WitnessProcess, witnessProcess } from './witness-process.ts'

/*
 * One ledger with two witnesses for the whole file. The ledger's service runs in this process; the
 * witnesses are processes of their own. Later tests attack the ledger that the first one leaves.
 */

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-witnesses-'))
const closers: (() => Promise<unknown>)[] = []
/** For what outlives the test that opens it. */
const wholeFile = { teardown: (close: () => Promise<unknown>) => closers.push(close) }
t.teardown(async () => {
  for (const close of closers.toReversed()) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** Without the worker, the ledger grows only when a test records something. */
const roles = ['api', 'projector'] as const
const stateOf = (name: string) => join(folder, name.replace('/', '-'))
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')
function keyOf({ publicKey }: Verifier): KeyObject {
  const der = Buffer.concat([publicPrefix, publicKey])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}

const byCli = { actor: { type: 'cli', keyId: null }, requestId: null } as const

/** Records something that will be sealed. */
async function record({ parts, seeded }: Pick<Service, 'parts' | 'seeded'>, count = 1) {
  const { organizationId, workspaceId } = seeded
  const data = { workspace_id: workspaceId, fields: ['name'] }
  for (let n = 0; n < count; n++) {
    await audit(parts.store, { ...byCli, organizationId, type: 'WorkspaceChanged', data })
  }
}

async function sealedAll({ parts }: Pick<Service, 'parts'>): Promise<Checkpoint> {
  const head = (await parts.store.head()) ?? ''
  const last = await eventually(
    () => lastCheckpoint(parts.db),
    (checkpoint) => checkpoint !== null && checkpoint.position >= head,
  )
  return last as Checkpoint
}

/** The public note once it covers this many events and each witness has cosigned it. */
async function cosigned(shop: Service, size: number, witnesses: readonly Verifier[]) {
  return await eventually(
    async () => await (await fetch(`${shop.url}/ledger/checkpoint`)).text(),
    (note) =>
      Number(note.split('\n')[1]) >= size &&
      witnesses.every((one) => isCosigned(note, one.name, keyOf(one))),
  )
}

/** A key of the service's own operators, who see its witnesses. */
async function platformKey({ parts }: Service): Promise<string> {
  const { id } = await createOrganization(parts, { name: 'Operators', type: 'platform' }, byCli)
  const owner = { organizationId: id, workspaceId: null, livemode: false }
  const asked = { ...owner, scopes: ['operations:read'] as const, expiresAt: null }
  return (await createApiKey(parts, asked, byCli)).key
}

async function healthFor(shop: Service, key: string) {
  return (await shop.call('/v1/health', { key })).body
}

function submit({ url }: Witness, body: string): Promise<Response> {
  return fetch(`${url}/add-checkpoint`, { method: 'POST', body })
}

async function cosignatures({ parts }: Pick<Service, 'parts'>) {
  const { rows } = await sql<{ tree_size: string; name: string }>`
    SELECT tree_size, name FROM checkpoint_cosignatures ORDER BY tree_size`.execute(parts.db)
  return rows
}

async function start(names: readonly string[], ledgerKey: string) {
  const started: WitnessProcess[] = []
  for (const name of names) {
    started.push(
      await witnessProcess(wholeFile, { folder: stateOf(name), ledgers: [ledgerKey], name }),
    )
  }
  return started
}

/** What the first test leaves for the others. */
const left: {
  shop?: Service
  signer?: Signer
  ledgerKey: string
  operator: string
  witnesses: WitnessProcess[]
} = {
  ledgerKey: '',
  operator: '',
  witnesses: [],
}
function leftWhole() {
  const { shop, signer, ledgerKey, witnesses } = left
  if (shop === undefined || signer === undefined) throw new Error('the first test failed')
  return { shop, signer, ledgerKey, witnesses }
}

t.test('two witnesses cosign the checkpoints of a ledger', async (t) => {
  const database = await testDatabase(wholeFile)
  const before = await service(wholeFile, { roles, ledger: testLedger(), database })
  left.operator = await platformKey(before)
  await before.create('first')
  await sealedAll(before)
  const [key] = (await before.call('/v1/ledger/keys')).body.data
  t.same((await healthFor(before, left.operator)).witnesses, [], 'no witness is configured')
  await before.stop()
  const witnesses = await start(['auditor.example/w1', 'bank.example/w2'], key.verifier)
  const shop = await service(wholeFile, { roles, after: before, witnesses })
  const signer = signerOf(String(readVerifier(key.verifier)?.name), shop.secrets.checkpointKey)
  Object.assign(left, { shop, signer, witnesses, ledgerKey: key.verifier })

  for (const order of ['second', 'third']) {
    await shop.create(order)
    const { size } = await sealedAll(shop)
    t.match(await cosigned(shop, size, witnesses), /^shipping-ledger\/\w{22}\n\d+\n/)
  }
  const { witnesses: told } = await healthFor(shop, left.operator)
  t.match(told, [
    { name: 'auditor.example/w1', state: 'cosigning', key_id: /^[0-9a-f]{8}$/ },
    { name: 'bank.example/w2', state: 'cosigning' },
  ])
  t.ok(told.every((one: { cosigned_tree_size: number }) => one.cosigned_tree_size > 0))
  t.same((await healthFor(shop, shop.seeded.shopKey)).witnesses, [], 'a shop does not see them')
  const metrics = await shop.parts.metrics.registry.metrics()
  for (const { name } of witnesses) {
    t.match(metrics, `ledger_witness_waiting_seconds{witness="${name}"} `)
    t.match(
      metrics,
      new RegExp(`ledger_witness_submissions_total{witness="${name}",outcome="cosigned"} [1-9]`),
    )
  }
})

t.test(
  'an export carries the cosignatures, and verify requires those that are asked for',
  async (t) => {
    const { shop, witnesses } = leftWhole()
    await cosigned(shop, (await sealedAll(shop)).size, witnesses)
    const file = join(folder, 'export.ndjson')
    const whole = { organization_id: null, shipment_id: null, from: null, to: null }
    const { db, store } = shop.parts
    await exportLedger({ db, store }, file, whole)
    const verify = async (...words: readonly string[]) => {
      const written: string[] = []
      const code = await run(['verify', ...words, '--json'], {
        open: async () => commandServices(shop),
        openLedgers: () => Promise.reject(new Error('not here')),
        write: (line) => written.push(line),
        writeError: () => undefined,
        pathOf: (name) => name,
        isWatched: false,
        operator: () => undefined,
        systemUser: null,
      })
      return { code, told: JSON.parse(written.join('')) }
    }
    const asked = witnesses.flatMap(({ key }) => ['--witness', key])
    const stranger = witnessText(signerOf('stranger.example', randomBytes(32)))
    const named = witnesses.map(({ name }) => ({ name, result: 'valid' }))
    for (const source of [['--file', file], []]) {
      const all = await verify(...source, ...asked)
      t.match(all, { code: 0, told: { ok: true, witnesses: named } })
      t.ok(all.told.witnesses.every(({ events }: { events: number }) => events > 0))
      const missing = await verify(...source, ...asked, '--witness', stranger)
      t.match(missing, { code: 2, told: { ok: false } })
      t.match(missing.told.witnesses.at(-1), { name: 'stranger.example', result: 'missing' })
      t.equal((await verify(...source)).code, 0)
      t.equal((await verify(...source, '--witness', 'junk')).code, 64)
    }
    const text = readFileSync(file, 'utf8')
    const [, blob = ''] = new RegExp(`— ${witnesses[0]?.name} (\\S+)\\\\n`).exec(text) ?? []
    const changed = Buffer.from(blob, 'base64')
    changed[70] = (changed[70] ?? 0) ^ 1
    writeFileSync(file, text.replace(blob, changed.toString('base64')))
    const forged = await verify('--file', file, ...asked)
    t.match(forged, { code: 1, told: { ok: false } })
    t.match(forged.told.witnesses, [{ result: 'invalid' }, { result: 'valid' }])
  },
)

t.test('the witnesses cosign no fork that the same key has signed', async (t) => {
  const { shop, signer, witnesses } = leftWhole()
  const { size } = await sealedAll(shop)
  await cosigned(shop, size, witnesses)
  const fork = growingLedger(signer, { name: 'fork', from: 0 })
  for (const witness of witnesses) {
    for (const [old, to, status] of [
      [size, size, 409],
      [size, size + 1, 422],
      [size, size + 100, 422],
      [0, size, 409],
      [0, size + 1, 409],
      [size - 1, size, 409],
      [size + 1, size + 2, 409],
      [1, size - 1, 409],
    ] as const) {
      const answer = await submit(witness, fork.body(old, to))
      const text = await answer.text()
      t.equal(answer.status, status, `${witness.name}: ${old} to ${to}`)
      if (status === 409) {
        t.equal(text, `${size}\n`)
        t.equal(answer.headers.get('content-type'), 'text/x.tlog.size')
      }
      t.notMatch(text, '—')
    }
  }
})

t.test('a forked service gets no cosignature, and says so', async (t) => {
  const { shop, signer, witnesses } = leftWhole()
  const { size } = await sealedAll(shop)
  await cosigned(shop, size, witnesses)
  const kept = await cosignatures(shop)
  const database = await testDatabase(t)
  const empty = createServices({
    databaseUrl: database.url,
    secrets: shop.secrets,
    simulatorUrl: null,
    log: noLogger(),
  })
  // The forged ledger has its own events, and the true ledger's name and key.
  await nameTree(empty.db, signer.name)
  await empty.close()
  const fork = await service(t, {
    roles,
    database,
    after: shop,
    ledger: testLedger(),
    witnesses,
    checkpointDir: join(folder, 'fork'),
  })
  const says = (text: string) => fork.logged.filter((line) => line.includes(text)).length
  const contradicted = 'a witness has cosigned another history of this ledger'
  await record(fork)
  t.ok((await sealedAll(fork)).size < size, 'a smaller one')
  // The first contradicting witness stops the service, which may then not ask the other one.
  await eventually(
    () => says(contradicted),
    (lines) => lines > 0,
  )
  // What a witness remembers of this ledger is lost here.
  await eventually(
    () => says('ledger_damaged'),
    (lines) => lines > 0,
  )
  t.same(await cosignatures(fork), [])
  await fork.stop()

  await record(shop)
  await cosigned(shop, (await sealedAll(shop)).size, witnesses)
  t.ok((await cosignatures(shop)).length > kept.length, 'the true ledger is cosigned as before')
})

t.test('a witness with restored state is recognized and cosigns no more', async (t) => {
  const { shop, ledgerKey, witnesses } = leftWhole()
  const [restored, other] = witnesses as [WitnessProcess, WitnessProcess]
  await cosigned(shop, (await sealedAll(shop)).size, witnesses)
  await restored.stop('SIGTERM')
  const backup = join(folder, 'backup')
  cpSync(stateOf(restored.name), backup, { recursive: true })
  await shop.stop()
  const [again] = (await start([restored.name], ledgerKey)) as [WitnessProcess]
  const between = await service(t, { roles, after: shop, witnesses: [again, other] })
  await record(between)
  const { size } = await sealedAll(between)
  await cosigned(between, size, [again, other])
  await again.stop('SIGTERM')
  await between.stop()

  rmSync(stateOf(restored.name), { recursive: true })
  cpSync(backup, stateOf(restored.name), { recursive: true })
  const [old] = (await start([restored.name], ledgerKey)) as [WitnessProcess]
  t.equal(old.key, restored.key)
  const after = await service(wholeFile, { roles, after: between, witnesses: [old, other] })
  left.shop = after
  await record(after)
  const grown = (await sealedAll(after)).size
  await cosigned(after, grown, [other])
  await eventually(
    () => after.logged.filter((line) => line.includes('has forgotten checkpoints')).length,
    (lines) => lines > 0,
  )
  const own = (await cosignatures(after)).filter(({ name }) => name === old.name)
  t.equal(Number(own.at(-1)?.tree_size), size, 'nothing was cosigned after the state was restored')
  const submissions = await after.parts.metrics.registry.metrics()
  t.match(submissions, new RegExp(`witness="${old.name}",outcome="rolled_back"} [1-9]`))
})

t.test('a witness that never answers delays no checkpoint', async (t) => {
  const { shop, witnesses } = leftWhole()
  const other = witnesses[1] as WitnessProcess
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const { publicKey } = other
  await shop.stop()
  const waiting = { name: 'silent.example', publicKey, url }
  const run = await service(t, { roles, after: shop, witnesses: [waiting, other] })
  await record(run)
  // One submission stays in flight while further checkpoints are signed and cosigned.
  await eventually(
    () => sockets.size,
    (count) => count > 0,
  )
  for (let n = 0; n < 2; n++) {
    await record(run)
    await cosigned(run, (await sealedAll(run)).size, [other])
  }
  t.notOk((await cosignatures(run)).some(({ name }) => name === waiting.name))
  const { witnesses: told } = await healthFor(run, left.operator)
  t.match(told[0], { name: waiting.name, cosigned_tree_size: 0, cosigned_at: null })
  t.ok(told[0].waiting_seconds > 0)
  await run.stop()
  t.pass('a stop does not wait for witnesses')
})
