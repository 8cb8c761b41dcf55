import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServices } from '../../../src/service/app.ts'
import { byCli } from '../../../src/service/cli/acting.ts'
import type { CommandServices } from '../../../src/service/cli/open-services.ts'
import { run } from '../../../src/service/cli/run-command.ts'
import { lastCheckpoint } from '../../../src/service/ledger/checkpoints.ts'
import { type Signer, signerOf, verifierText } from '../../../src/service/ledger/signed-note.ts'
import { nameTree } from '../../../src/service/ledger/tree.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { createApiKey, defaultScopes } from '../../../src/service/security/api-keys.ts'
import { audit } from '../../../src/service/security/audit.ts'
import { createOperator, disableOperator } from '../../../src/service/security/operators.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import type { Services } from '../../../src/service/services.ts'
import { type WitnessProcess, witnessProcess } from '../../faults/ledger/witness-process.ts'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { commandServices } from '../../support/run-command.ts'
import { noLogger, type Service, service, testSecrets } from '../../support/service.ts'
import { type TestDatabase, testDatabase } from '../../support/test-database.ts'
import type { TestLedger } from '../../support/test-ledger.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** What a command printed, and its exit code. */
export type Answered = { readonly code: number; readonly text: string }

/** A ledger with every kind of evidence, to which nothing is written any more. */
export type EvidenceLedger = {
  readonly database: TestDatabase
  readonly ledger: TestLedger
  readonly isContiguous: boolean
  readonly shop: Service
  readonly parts: Services
  readonly signer: Signer
  readonly folder: string
  readonly checkpointDir: string
  /** Checkpoints that an auditor has saved as files: an early one and the last. */
  readonly held: readonly string[]
  readonly witness: WitnessProcess
  /** A copy of the witness's folder from before it cosigned anything. */
  readonly oldWitness: string
  readonly ledgerKey: string
  /** An export of the whole ledger, and one of the organization. */
  readonly files: { readonly whole: string; readonly part: string }
  readonly ids: Ids
  /** Runs a command on this ledger. */
  command(...words: readonly string[]): Promise<Answered>
  /** The same without the folder of checkpoints outside the database. */
  withoutFolder(...words: readonly string[]): Promise<Answered>
  /** The statuses of answers to requests with a forged operator. */
  readonly forged: readonly number[]
}

type Ids = {
  readonly organizationId: string
  readonly operatorId: string
  readonly issued: string
  readonly other: string
  readonly decided: string
  readonly erased: string
  readonly held: string
  readonly heldWorkspace: string
  readonly inHeldWorkspace: string
}

const origin = 'shipping-ledger/0tamperedInEveryWay000'

/** Runs a service with a witness that writes the ledger, and stops it. */
export async function evidenceLedger(t: Test, ledger: TestLedger): Promise<EvidenceLedger> {
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-tamper-'))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
  const database = await testDatabase(t)
  const secrets = testSecrets()
  const signer = signerOf(origin, secrets.checkpointKey)
  const open = (checkpointDir?: string) =>
    createServices({
      ...ledger,
      databaseUrl: database.url,
      secrets,
      simulatorUrl: null,
      checkpointDir,
      log: noLogger(),
    })
  const empty = open()
  await nameTree(empty.db, origin)
  await empty.close()
  const checkpointDir = join(folder, 'checkpoints')
  mkdirSync(checkpointDir)
  const ledgerKey = verifierText(signer)
  const witness = await witnessProcess(t, {
    folder: join(folder, 'witness'),
    ledgers: [ledgerKey],
    name: 'auditor.example/w1',
  })
  const oldWitness = join(folder, 'witness-before')
  cpSync(join(folder, 'witness'), oldWitness, { recursive: true })
  const shop = await service(t, { database, secrets, checkpointDir, ledger, witnesses: [witness] })
  const ids = await history(shop)
  const forged = await forgedOperators(shop)
  const early = await cosigned(shop)
  await shop.create('late')
  await acts(shop)
  const late = await cosigned(shop)
  const { store, db } = shop.parts
  if (!(await projectionsReached(db, await store.head(), 30_000))) {
    throw new Error('the read models did not catch up')
  }
  const held = [early, late].map((note, at) => {
    const file = join(folder, `held-${at}.txt`)
    writeFileSync(file, note)
    return file
  })
  await shop.stop()
  const parts = open(checkpointDir)
  t.teardown(() => parts.close())
  const isContiguous = ledger.eventStoreUrl === undefined
  const services = commandServices({ parts, secrets, ledger })
  const command = commandsOn(services)
  const withoutFolder = commandsOn({ ...services, checkpointDir: null })
  const files = { whole: join(folder, 'whole.ndjson'), part: join(folder, 'part.ndjson') }
  for (const words of [
    ['--out', files.whole],
    ['--out', files.part, '--org', ids.organizationId, '--checkpoint', held[0] ?? ''],
  ]) {
    const { code, text } = await command('export', ...words)
    if (code !== 0) throw new Error(text)
  }
  const made = { database, ledger, isContiguous, shop, parts, signer, folder, checkpointDir }
  return {
    ...made,
    held,
    witness,
    oldWitness,
    ledgerKey,
    files,
    ids,
    command,
    withoutFolder,
    forged,
  }
}

function commandsOn(services: CommandServices) {
  return async (...words: readonly string[]): Promise<Answered> => {
    const written: string[] = []
    const code = await run(words, {
      open: async () => services,
      openLedgers: () => Promise.reject(new Error('no ledgers to move between')),
      write: (line) => written.push(line),
      writeError: (line) => written.push(line),
      pathOf: (name) => name,
      isWatched: false,
      operator: () => undefined,
      systemUser: null,
    })
    return { code, text: written.join('\n') }
  }
}

/** Shipments with every outcome of a call, and everything that the vault can store. */
async function history(shop: Service): Promise<Ids> {
  const created = async (own: ApiClient, key: string, scenario?: string) => {
    const { body } = await own.create(key, scenario === undefined ? {} : { scenario })
    return String(body.id ?? body.shipment_id)
  }
  const main = await freshShop(shop, 'main')
  const issued = await created(main, 'issued')
  const other = await created(main, 'other')
  await created(main, 'throttled', 'courier_throttled')
  await created(main, 'rejected', 'courier_rejected')
  await created(main, 'lost', 'lost_response_guide_created')
  const cancelled = await created(main, 'cancelled')
  await main.call(`/v1/shipments/${cancelled}/cancel`, {
    method: 'POST',
    headers: { 'idempotency-key': 'c' },
  })
  const held = await created(main, 'held')
  const erased = await created(main, 'erased')
  const note = { note: 'A claim of the shop: invoice 4711.' }
  const byOperator = { key: shop.seeded.operatorKey, body: note }
  await main.call(`/v1/shipments/${held}/hold`, byOperator)
  const away = await freshShop(shop, 'held-workspace')
  const inHeldWorkspace = await created(away, 'in-held')
  await away.call(`/v1/workspaces/${away.seeded.workspaceId}/hold`, byOperator)
  const decided = await decidedByOperator(shop)
  await main.advance('PT40H')
  await main.call(`/v1/shipments/${erased}/erase-personal-data`, { method: 'POST' })
  const { organizationId, operatorId } = shop.seeded
  const heldWorkspace = away.seeded.workspaceId
  return {
    organizationId,
    operatorId,
    issued,
    other,
    decided,
    erased,
    held,
    heldWorkspace,
    inHeldWorkspace,
  }
}

async function decidedByOperator(shop: Service): Promise<string> {
  const own = await freshShop(shop, 'decided')
  const { body } = await own.create('decided', { scenario: 'lost_response_human_review' })
  await own.advance('PT21H')
  const decision = { decision: 'nothing_created', note: 'The courier found nothing.' }
  await eventually(
    () =>
      own.call(`/v1/operations/${body.operation_id}/resolve`, {
        key: shop.seeded.operatorKey,
        body: decision,
      }),
    ({ status }) => status === 200,
  )
  return String(body.shipment_id)
}

/** Enough for the leaves to fill more than one tile of the tree. */
const actsMin = 250

/** Makes requests in someone else's name and returns the statuses of their answers. */
async function forgedOperators(shop: Service): Promise<readonly number[]> {
  const own = await freshShop(shop, 'forged')
  const { body } = await own.create('forged', { scenario: 'lost_response_human_review' })
  await own.advance('PT21H')
  const { operatorId, operatorKey } = shop.seeded
  const decision = { decision: 'nothing_created', note: 'Forged.' }
  const path = `/v1/operations/${body.operation_id}/resolve`
  const claims = [
    { key: operatorKey, more: { operator_id: operatorId } },
    { key: operatorKey, more: { decided_by: 'Someone else' } },
    { key: operatorKey, more: { actor: { type: 'operator', operator_id: operatorId } } },
  ]
  const statuses: number[] = []
  for (const { key, more } of claims) {
    // Nothing of a refused request is recorded, so the operation is still open.
    statuses.push((await own.call(path, { key, body: { ...decision, ...more } })).status)
  }
  return statuses
}

/** Administrative acts, including on another organization. */
async function acts({ parts, seeded }: Service): Promise<void> {
  const { organizationId, workspaceId } = seeded
  const data = { workspace_id: workspaceId, fields: ['name'] }
  for (let n = 0; n < actsMin; n++) {
    await audit(parts.store, { ...byCli, organizationId, type: 'WorkspaceChanged', data })
  }
  const leaver = { organizationId, name: 'Leaver', email: 'leaver@sandbox.example' }
  await disableOperator(parts, await createOperator(parts, leaver, byCli), byCli)
  const { id } = await createOrganization(parts, { name: 'Another', type: 'external' }, byCli)
  const owner = { organizationId: id, workspaceId: null, livemode: false }
  await createApiKey(parts, { ...owner, scopes: defaultScopes, expiresAt: null }, byCli)
}

/** The note of the last checkpoint once it covers everything and is cosigned. */
async function cosigned(shop: Service): Promise<string> {
  const head = (await shop.parts.store.head()) ?? ''
  const last = await eventually(
    () => lastCheckpoint(shop.parts.db),
    (checkpoint) => checkpoint !== null && checkpoint.position >= head,
  )
  return await eventually(
    async () => await (await fetch(`${shop.url}/ledger/checkpoint`)).text(),
    (note) =>
      Number(note.split('\n')[1]) >= (last?.size ?? 0) && note.includes('— auditor.example/w1 '),
  )
}
