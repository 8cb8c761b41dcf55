import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { lastCheckpoint } from '../../src/ledger/checkpoints.ts'
import { nameTree, readTree } from '../../src/ledger/tree.ts'
import { audit } from '../../src/security/audit.ts'
import { eventually } from '../support/eventually.ts'
import { random, seedOf } from '../support/random.ts'
import { type Service, service } from '../support/service.ts'
import { testDatabase } from '../support/test-database.ts'
import { testLedger } from '../support/test-ledger.ts'
import {
  isCosigned,
  runWitness,
  type WitnessProcess,
  witnessProcess,
} from '../support/witness-process.ts'
import { type GrowingLedger, growingLedger } from './growing-ledger.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-witnesses-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))

const rawPrefix = Buffer.from('302a300506032b6570032100', 'hex')
function keyOf({ publicKey }: WitnessProcess): KeyObject {
  return createPublicKey({
    key: Buffer.concat([rawPrefix, publicKey]),
    format: 'der',
    type: 'spki',
  })
}

const byCli = { actor: { type: 'cli', keyId: null }, requestId: null } as const

/** Something that is sealed. */
async function act(shop: Service, count = 1): Promise<void> {
  const { organizationId, workspaceId } = shop.seeded
  for (let n = 0; n < count; n++) {
    await audit(shop.parts.store, {
      ...byCli,
      organizationId,
      type: 'WorkspaceChanged',
      data: { workspace_id: workspaceId, fields: ['name'] },
    })
  }
}

async function sealedAll(shop: Service) {
  const head = (await shop.parts.store.head()) ?? ''
  return await eventually(
    () => lastCheckpoint(shop.parts.readModels),
    (checkpoint) => checkpoint !== null && checkpoint.position >= head,
  )
}

async function publicNote(shop: Service): Promise<string> {
  return await (await fetch(`${shop.url}/ledger/checkpoint`)).text()
}

async function health(shop: Service) {
  return (await shop.call('/v1/health', { key: shop.seeded.operatorKey })).body
}

/** What the first test leaves for the others. */
const left: { shop: Service | null; witnesses: WitnessProcess[]; ledgerKey: string } = {
  shop: null,
  witnesses: [],
  ledgerKey: '',
}

t.test('two witnesses cosign the checkpoints of a ledger', async (t) => {
  const before = await service(t, { ledger: testLedger() })
  await before.create('first')
  await sealedAll(before)
  const [key] = (await before.call('/v1/ledger/keys')).body.data
  left.ledgerKey = key.verifier
  t.same((await health(before)).witnesses, [], 'none is configured')
  await before.stop()
  for (const name of ['auditor.example/w1', 'bank.example/w2']) {
    const state = join(folder, name.replace('/', '-'))
    const started = await witnessProcess(
      { teardown: left0 },
      { folder: state, ledgers: [key.verifier], name },
    )
    left.witnesses.push(started)
  }
  const shop = await service({ teardown: left0 }, { after: before, witnesses: left.witnesses })
  left.shop = shop
  for (const order of ['second', 'third']) {
    await shop.create(order)
    const { size } = (await sealedAll(shop)) ?? { size: 0 }
    const note = await eventually(
      () => publicNote(shop),
      (text) =>
        Number(text.split('\n')[1]) >= size &&
        left.witnesses.every((one) => isCosigned(text, one.name, keyOf(one))),
    )
    t.match(note, /^shipping-ledger\/\w{22}\n\d+\n/)
  }
  const told = await health(shop)
  t.match(told.witnesses, [
    { name: 'auditor.example/w1', state: 'cosigning', key_id: /^[0-9a-f]{8}$/ },
    { name: 'bank.example/w2', state: 'cosigning' },
  ])
  t.ok(told.witnesses.every((one: { cosigned_tree_size: number }) => one.cosigned_tree_size > 0))
  t.same((await shop.call('/v1/health')).body.witnesses, [], 'a shop does not see them')
})

/** Closed at the end of the file, last first. */
const closers: (() => Promise<unknown>)[] = []
function left0(close: () => Promise<unknown>): void {
  closers.push(close)
}
t.teardown(async () => {
  for (const close of closers.toReversed()) await close()
})

void cpSync
void readdirSync
void readFileSync
void writeFileSync
void createServer
void createHash
void random
void seedOf
void runWitness
void growingLedger
void act
void testDatabase
void nameTree
void readTree

export type { AddressInfo, GrowingLedger, Socket }
