import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import t from 'tap'
import { createServices } from '../../../src/service/app.ts'
import { run } from '../../../src/service/cli/run-command.ts'
import { isConsistent, isIncluded, leafHash } from '../../../src/service/domain/ledger/merkle.ts'
import { leafOf } from '../../../src/service/event-store/codec.ts'
import { positionOf } from '../../../src/service/event-store/position.ts'
import { keepNote, notesOf } from '../../../src/service/ledger/checkpoint-files.ts'
import {
  checkpointsAfter,
  lastCheckpoint,
  signCheckpoint,
  thinCheckpoints,
} from '../../../src/service/ledger/checkpoints.ts'
import { type ExportScope, exportLedger } from '../../../src/service/ledger/export.ts'
import type {
  EventLine,
  ExportFooter,
  ExportHeader,
} from '../../../src/service/ledger/export-format.ts'
import {
  keyIdOf,
  readVerifier,
  type Signer,
  signedNote,
  signerOf,
} from '../../../src/service/ledger/signed-note.ts'
import { appendToTree, growing, readTree, type Tree } from '../../../src/service/ledger/tree.ts'
import { verifyLedger } from '../../../src/service/ledger/verify.ts'
import { verifyFile } from '../../../src/service/ledger/verify-file.ts'
import { createApiKey, defaultScopes } from '../../../src/service/security/api-keys.ts'
import { audit } from '../../../src/service/security/audit.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { verifyExport } from '../../ledger/second-verifier.ts'
import { eventually } from '../../support/eventually.ts'
import { random, seedOf } from '../../support/random.ts'
import { runCommand } from '../../support/run-command.ts'
import { noLogger, type Service, service } from '../../support/service.ts'
import { testDatabase } from '../../support/test-database.ts'
import { testLedger } from '../../support/test-ledger.ts'
import { endingAt, movedUp, sealedAs, withoutPlace } from './tampered-seals.ts'

/*
 * One ledger for the whole file: made by a running service, then closed, and then tampered with by
 * a superuser repeatedly, each time from the same state.
 */

const seed = seedOf('TAMPER_SEED')
const next = random(seed)
const below = (count: number) => Math.floor(next() * count)
const database = await testDatabase(t)
const ledger = testLedger()
/** Only a ledger in PostgreSQL can be changed by SQL. */
const isContiguous = ledger.eventStoreUrl === undefined
const inPostgres = { skip: !isContiguous }
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-sealed-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
const checkpointDir = join(folder, 'checkpoints')
const everything: ExportScope = { organization_id: null, shipment_id: null, from: null, to: null }
const orders = 12
/** Enough that the events fill more than one tile of the tree. */
const acts = 250
/** What the first test leaves for the others. */
const left = {
  organizationId: '',
  foreign: '',
  foreignWorkspace: '',
  shipmentId: '',
  seed: Buffer.alloc(0),
}

const byCli = { actor: { type: 'cli', keyId: null }, requestId: null } as const

async function foreignShop(shop: Service) {
  const { parts } = shop
  const { id } = await createOrganization(parts, { name: 'Another', type: 'external' }, byCli)
  const owner = { organizationId: id, workspaceId: null, livemode: false }
  const made = await createApiKey(
    parts,
    { ...owner, scopes: defaultScopes, expiresAt: null },
    byCli,
  )
  const key = made.key
  const body = { name: 'Theirs', external_reference: 'theirs' }
  const workspace = await shop.call('/v1/workspaces', { key, body })
  return { id, key, workspaceId: String(workspace.body.id) }
}

async function sealedAll(shop: Service) {
  const head = await shop.parts.store.head()
  return await eventually(
    () => lastCheckpoint(shop.parts.db),
    (checkpoint) => checkpoint !== null && checkpoint.position >= (head ?? ''),
  )
}

t.test('the API proves that each event is in the ledger and that history only grew', async (t) => {
  const shop = await service(t, { database, checkpointDir, ledger })
  const theirs = await foreignShop(shop)
  const made = await Promise.all(
    Array.from({ length: orders }, (_, at) =>
      // Some parsers treat these characters as line ends.
      shop.create(`order-${at}`, { body: { external_reference: `order ${at}\u2028\u2029of it` } }),
    ),
  )
  const id = String(made[0]?.body.id)
  for (let act = 0; act < acts; act++) {
    await audit(shop.parts.store, {
      ...byCli,
      organizationId: theirs.id,
      type: 'WorkspaceChanged',
      data: { workspace_id: theirs.workspaceId, fields: ['name'] },
    })
  }
  await sealedAll(shop)
  // At least three checkpoints, however fast the machine is.
  await shop.create('another')
  await sealedAll(shop)
  const early = (await shop.call('/v1/ledger/checkpoint')).body
  await shop.create('one-more')
  await sealedAll(shop)
  const late = (await shop.call('/v1/ledger/checkpoint')).body
  t.ok(early.tree_size > 256 && late.tree_size > early.tree_size, 'more than a tile of leaves')
  const keys = (await shop.call('/v1/ledger/keys')).body.data
  t.match(keys, [{ object: 'ledger_key', key_id: late.key_id }])
  t.equal(readVerifier(keys[0].verifier)?.publicKey.toString('base64'), keys[0].public_key)

  const bytes = (texts: readonly string[]) => texts.map((text) => Buffer.from(text, 'hex'))
  const history = (await shop.call(`/v1/shipments/${id}/events?limit=100`)).body.data
  t.ok(history[0].type === 'ShipmentRequested')
  t.ok(history.length >= 3)
  for (const event of history) {
    const { body } = await shop.call(`/v1/ledger/proof/${event.position}`)
    const isEarly = body.leaf_index < early.tree_size
    const before = `/v1/ledger/proof/${event.position}?tree_size=${early.tree_size}`
    const proofs = isEarly ? [body, (await shop.call(before)).body] : [body]
    for (const proof of proofs) {
      const [leaf, root] = bytes([proof.leaf, proof.root_hash]) as [Buffer, Buffer]
      const { leaf_index: index, tree_size: size } = proof
      t.equal(proof.leaf, event.leaf)
      const signed = [early, late].find((one) => one.tree_size === size)
      t.equal(proof.root_hash, signed?.root_hash ?? proof.root_hash, 'the root that was signed')
      const inclusion = { leaf: leafHash(leaf), index, size, root, proof: bytes(proof.hashes) }
      t.ok(isIncluded(inclusion), `${event.type} is in the tree of ${size}`)
    }
  }
  const grew = (
    await shop.call(`/v1/ledger/consistency?from=${early.tree_size}&to=${late.tree_size}`)
  ).body
  const [fromRoot, toRoot] = bytes([early.root_hash, late.root_hash]) as [Buffer, Buffer]
  const sizes = { from: early.tree_size, to: late.tree_size }
  t.ok(isConsistent({ ...sizes, fromRoot, toRoot, proof: bytes(grew.hashes) }))

  const position = history[0].position
  const nowhere = await shop.call('/v1/ledger/proof/99999999999999999999')
  const foreign = await shop.call(`/v1/ledger/proof/${position}`, { key: theirs.key })
  t.equal(nowhere.status, 404)
  const plain = ({ request_id: _id, instance: _at, ...rest }: Record<string, unknown>) => rest
  t.same(
    plain(foreign.body),
    plain(nowhere.body),
    "another owner's event looks like one that never existed",
  )
  for (const path of [
    'consistency?from=0',
    `consistency?from=${late.tree_size + 100_000}`,
    `consistency?from=2&to=1`,
    `proof/${position}?tree_size=1`,
    `proof/${position}?tree_size=x`,
    'checkpoint?at=1',
  ]) {
    t.match(
      await shop.call(`/v1/ledger/${path}`),
      { status: 400, body: { reason: 'invalid_filter' } },
      path,
    )
  }
  Object.assign(left, {
    organizationId: shop.seeded.organizationId,
    foreign: theirs.id,
    foreignWorkspace: theirs.workspaceId,
    shipmentId: id,
    seed: shop.secrets.checkpointKey,
  })
})

const secretsOf = () => ({
  secretsKey: randomBytes(32).toString('base64'),
  secretsKeyPrevious: [],
  apiKeyPepper: randomBytes(32),
  simulatorKey: randomBytes(32),
  checkpointKey: left.seed,
  checkpointKeyPrevious: null,
})
const parts = createServices({
  ...ledger,
  databaseUrl: database.url,
  secrets: { ...secretsOf(), checkpointKey: randomBytes(32) },
  simulatorUrl: null,
  log: noLogger(),
})
t.teardown(() => parts.close())
const deps = { db: parts.db, store: parts.store }
const verified = (more: object = {}) =>
  verifyLedger({ ...deps, isContiguous, checkpointKey: left.seed, checkpointDir, ...more })

t.test('the ledger that a service wrote verifies, and so do its exports', async (t) => {
  const whole = await verified()
  t.match(whole, { problems: 0, findings: [] })
  t.ok(whole.unsealed < 10, 'all events except those recorded while the service stopped')
  t.ok(whole.events > 256)
  t.ok(whole.checkpoints >= 4, 'in the database and in the folder')

  const { organizationId: own, foreign, shipmentId, foreignWorkspace } = left
  const scopes: readonly (readonly [name: string, scope: object])[] = [
    ['everything', {}],
    ['shop', { organization_id: own }],
    ['foreign', { organization_id: foreign }],
    ['shipment', { shipment_id: shipmentId }],
    ['period', { organization_id: own, from: new Date(Date.now() - 36e5).toISOString() }],
  ]
  for (const [name, scope] of scopes) {
    const file = join(folder, `${name}.ndjson`)
    const exported = await exportLedger(deps, file, { ...everything, ...scope })
    t.ok(exported.events > 0, name)
    t.match(await verifyFile(file, null), { events: exported.events, problems: 0 }, name)
    t.equal(verifyExport(file).events, exported.events, `a stranger's verifier: ${name}`)
  }
  const shop = readFileSync(join(folder, 'shop.ndjson'), 'utf8')
  t.notOk(shop.includes(foreign) || shop.includes(foreignWorkspace), 'nothing of another shop')
  const run = promisify(execFile)
  const script = join(import.meta.dirname, '..', '..', 'ledger', 'second-verifier.ts')
  const { stdout } = await run(process.execPath, [script, join(folder, 'shop.ndjson')])
  t.match(stdout, /^\d+ events hold/)
})

t.test('both verifiers refuse an export that was changed anywhere', async (t) => {
  for (const name of ['everything', 'shop', 'shipment']) {
    const lines = readFileSync(join(folder, `${name}.ndjson`), 'utf8')
      .trimEnd()
      .split('\n')
    const at = 1 + below(lines.length - 3)
    const changes: readonly (readonly [string, readonly string[]])[] = [
      ['a line removed', lines.toSpliced(at, 1)],
      [
        'two lines swapped',
        lines.with(at, lines[at + 1] as string).with(at + 1, lines[at] as string),
      ],
      ['a line repeated', lines.toSpliced(at, 0, lines[at] as string)],
      ['the end cut off', lines.slice(0, -1)],
      ['a digit of a leaf', lines.with(at, swapped(lines[at] as string, /"leaf":"[0-9a-f]/))],
      ['a digit of an id', lines.with(at, swapped(lines[at] as string, /"id":"[0-9a-f]/))],
      ['a digit of a revision', lines.with(at, swapped(lines[at] as string, /"revision":\d/))],
      ['the size that was signed', lines.with(0, swapped(lines[0] as string, /\\n\d/))],
      [
        'a letter of the key',
        lines.with(0, swapped(lines[0] as string, /"verifier":"[^+]+\+[0-9a-f]/)),
      ],
    ]
    for (const [what, changed] of changes) {
      const file = join(folder, 'changed.ndjson')
      writeFileSync(file, `${changed.join('\n')}\n`)
      const { problems, findings } = await verifyFile(file, null)
      t.ok(problems > 0, `${name}: ${what}`)
      if (name === 'everything' && what === 'a line removed') {
        t.equal(problems, 1, `${what} is one problem: ${JSON.stringify(findings)}`)
      }
      if (/an id|a revision/.test(what)) {
        t.equal(problems, 1, `${name}: ${what} is one problem: ${JSON.stringify(findings)}`)
        t.match(findings, [
          { type: /^\w+$/, recorded_at: /Z$/, problem: /^its content was changed/ },
        ])
      }
      t.throws(() => verifyExport(file), `${name}, the second verifier: ${what}`)
    }
  }
  const other = signerOf('somebody', randomBytes(32))
  t.ok((await verifyFile(join(folder, 'shop.ndjson'), other)).problems > 0, "another's key")
})

/** Runs the command as a user would without a database. */
async function calledAlone(...args: string[]) {
  const [lines, errors]: [string[], string[]] = [[], []]
  const code = await run(args, {
    open: () => Promise.reject(new Error('no database')),
    openLedgers: () => Promise.reject(new Error('no ledgers')),
    write: (line) => lines.push(line),
    writeError: (line) => errors.push(line),
    pathOf: (name) => name,
    isWatched: false,
    operator: () => undefined,
    systemUser: null,
  })
  return { code, out: lines.join('\n'), errors }
}

t.test('verify --file reports its progress only with --progress', async (t) => {
  const file = join(folder, 'everything.ndjson')
  const events = textsOf('everything').length - 2
  const { now } = performance
  let time = 0
  performance.now = () => {
    time += 400
    return time
  }
  t.teardown(() => {
    performance.now = now
  })
  const asked = await calledAlone('verify', '--file', file, '--progress')
  t.equal(asked.code, 0, asked.out)
  t.ok(asked.errors.length >= Math.floor(events / 3))
  t.match(asked.errors[0], /^verify: 3 of about \d+ events \(\d+ %\), \d+\/s, \d+ s left$/)
  t.match(asked.errors.at(-1), /of about \d+ events \((9\d|100) %\)/)
  t.same((await calledAlone('verify', '--file', file)).errors, [])
})

t.test('only a partial export warns that later events are not excluded', async (t) => {
  const notice = 'it does not prove that these shipments have no later events'
  for (const name of ['everything', 'shop', 'shipment', 'period']) {
    const file = join(folder, `${name}.ndjson`)
    const isPart = name !== 'everything'
    t.equal((await calledAlone('verify', '--file', file)).out.includes(notice), isPart, name)
    const { out } = await calledAlone('verify', '--file', file, '--json')
    t.equal(JSON.parse(out).notice?.includes(notice) ?? false, isPart, `${name}, JSON`)
    const again = join(folder, `${name}-again.ndjson`)
    const { organization_id: org, shipment_id: shipment, from } = exported(name).header.scope
    const flags = new Map(
      Object.entries({ out: again, org, shipment, from }).flatMap(([flag, value]) =>
        value === null ? [] : [[flag, value] as const],
      ),
    )
    const { db, store } = parts
    // This is not the ledger's key, so nothing can be stated about its streams.
    const checkpointKeys = { current: randomBytes(32), previous: null }
    const result = await runCommand('export', '', { db, store, checkpointKeys }, flags)
    t.equal(result.text.includes(notice), isPart, `export of ${name}`)
    t.equal(String(result.json.notice).includes(notice), isPart, `export of ${name}, JSON`)
  }
})

t.test('both verifiers reject a file without a checkpoint', async (t) => {
  const { header } = exported('shop')
  const empty = { ...header, checkpoint: null, keys: [] }
  const file = written([empty, { events: 0, not_sealed: 3 }].map((line) => JSON.stringify(line)))
  const { code, out } = await calledAlone('verify', '--file', file)
  t.equal(code, 2)
  t.match(out, /It proves nothing/)
  t.throws(() => verifyExport(file), { message: 'the file has no checkpoint' })
})

t.test('both verifiers refuse a file that contains more than was signed', async (t) => {
  const { header, lines, footer } = exported('everything')
  const shop = exported('shop')
  const last = lines.findLast(({ event }) => event.shipment_id !== null) as EventLine
  const { revision } = last.event
  const invented = remade({
    ...last,
    leaf_index: lines.length,
    event: { ...last.event, id: randomUUID(), revision: revision + 1 },
  })
  const none = { verifier: 'none', introduced_by: null }
  const disowned = shop.lines.map((line) =>
    line.event.shipment_id === left.shipmentId ? { ...line, organization_id: 'platform' } : line,
  )
  const since = { ...everything, to: '2100-01-01T00:00:00.000Z' }
  const forgeries: readonly (readonly [string, readonly unknown[]])[] = [
    ['it is not signed', [{ ...header, checkpoint: null, keys: [] }, ...lines, footer]],
    [
      'an event after the last one that was signed',
      [header, ...lines, invented, { ...footer, events: lines.length + 1 }],
    ],
    [
      "another ledger's checkpoint by the same key",
      [{ ...header, checkpoint: ofAnotherTree(header) }, ...lines, footer],
    ],
    ['a key that is none', [{ ...header, keys: [none, ...header.keys] }, ...lines, footer]],
    ["the platform's shipment", [{ ...header, scope: since }, ...disowned, shop.footer]],
  ]
  const key = readVerifier(header.keys[0]?.verifier ?? '')
  for (const [what, forged] of forgeries) {
    const file = written(forged.map((line) => JSON.stringify(line)))
    t.ok((await verifyFile(file, null)).problems > 0, what)
    t.ok((await verifyFile(file, key)).problems > 0, `${what}, with the key known`)
    t.throws(() => verifyExport(file), `${what}, the second verifier`)
  }
  const texts = textsOf('everything')
  const at = 1 + below(texts.length - 2)
  const hidden: readonly (readonly [string, string])[] = [
    ['a field that objects do not keep', '"data":{"__proto__":{"a":1},'],
    ['a field that stands there twice', '"data":{"a":1},"data":{'],
  ]
  for (const [what, more] of hidden) {
    const file = written(texts.with(at, (texts[at] as string).replace('"data":{', more)))
    t.ok((await verifyFile(file, null)).problems > 0, what)
  }
  const endless = written(['{"format":"'.padEnd(40 * 1024 * 1024, 'x')])
  t.match(await verifyFile(endless, null), { problems: 1 }, 'a line without end')
})

function textsOf(name: string): readonly string[] {
  return readFileSync(join(folder, `${name}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
}

function exported(name: string) {
  const lines: unknown[] = textsOf(name).map((line) => JSON.parse(line))
  return {
    header: lines[0] as ExportHeader,
    lines: lines.slice(1, -1) as readonly EventLine[],
    footer: lines.at(-1) as ExportFooter,
  }
}

/** The checkpoint under the name of another ledger, signed with the same key. */
function ofAnotherTree({ checkpoint, keys }: ExportHeader) {
  const [, size, root = ''] = (checkpoint ?? '').split('\n')
  const other = signerOf('shipping-ledger/another', left.seed)
  const head = { origin: other.name, size: Number(size), root: Buffer.from(root, 'base64') }
  const note = signedNote({ ...head, signedAt: 0 }, [other])
  const [name = '', id = ''] = (keys[0]?.verifier ?? '').split('+')
  const signature = Buffer.from(note.trimEnd().split(' ').at(-1) ?? '', 'base64').subarray(4)
  const line = Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')
  return `${note.split('\n\n')[0]}\n\n— ${name} ${line}\n`
}

/** The line with the leaf recomputed from its event. */
function remade(line: EventLine): EventLine {
  const { position: _position, leaf: _leaf, ...hashed } = line.event
  return { ...line, event: { ...line.event, leaf: leafOf(hashed) } }
}

function written(lines: readonly string[]): string {
  const file = join(folder, 'forged.ndjson')
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

/** The text with the last character of the first match replaced. */
function swapped(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)
  if (found === null) throw new Error(`nothing to change: ${pattern}`)
  const end = found.index + found[0].length
  return `${text.slice(0, end - 1)}${text[end - 1] === '1' ? '2' : '1'}${text.slice(end)}`
}

const admin = new pg.Client({ connectionString: database.adminUrl })
t.teardown(async () => isContiguous && (await admin.end()))
const tables = [
  'ledger.event',
  'sealed_batches',
  'checkpoints',
  'checkpoint_keys',
  'merkle_tiles',
  'merkle_tree',
]
const copyOf = (table: string) => `copy_of_${table.replace('.', '_')}`

async function asSuperuser(): Promise<void> {
  await admin.connect()
  await admin.query('ALTER TABLE ledger.event DISABLE TRIGGER ALL')
  for (const table of tables) await admin.query(`CREATE TABLE ${copyOf(table)} AS TABLE ${table}`)
}

/** Restores every table from its copy. */
async function restore(): Promise<void> {
  for (const table of tables) {
    await admin.query(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM ${copyOf(table)}`)
  }
}

/** The number of sealed events: those recorded while the service stopped are not sealed. */
async function sealedCount(): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    'SELECT sum(cardinality(positions))::int AS n FROM sealed_batches',
  )
  return rows[0]?.n ?? 0
}

/** Changes one random character of a column's text so that its value differs. */
async function flip(position: number, column: string, cast: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const { rows } = await admin.query(
      `SELECT ${column}::text AS text FROM ledger.event WHERE position = $1`,
      [position],
    )
    const text = String(rows[0].text)
    const at = below(text.length)
    const other = '0123456789abcdefxyzA-_":,'[below(25)] as string
    // A revision has few digits, and every value may be taken.
    const more = cast === 'int' ? String(below(90) + 10) : ''
    const changed = text.slice(0, at) + other + more + text.slice(at + 1)
    try {
      if (cast === 'json') {
        if (JSON.stringify(JSON.parse(changed)) === JSON.stringify(JSON.parse(text))) continue
      } else if (changed.toLowerCase() === text.toLowerCase()) continue
      await admin.query(
        `UPDATE ledger.event SET ${column} = $2::text::${cast} WHERE position = $1`,
        [position, changed],
      )
      return
    } catch {
      // The value is invalid or already taken: try another character.
    }
  }
  throw new Error(`no character of ${column} could be changed`)
}

t.test('verify finds every change to sealed events, at its position', inPostgres, async (t) => {
  await asSuperuser()
  const events = await sealedCount()
  const columns = [
    ['event_id', 'uuid'],
    ['revision', 'int'],
    ['stream_id', 'text'],
    ['type', 'text'],
    ['data', 'json'],
    ['metadata', 'json'],
  ] as const
  for (const [column, cast] of [...columns, ...columns, ...columns]) {
    const position = 1 + below(events)
    await flip(position, column, cast)
    const { findings, problems } = await verified()
    t.equal(problems, 1, `${column} of ${position}, seed ${seed}: ${JSON.stringify(findings)}`)
    t.equal(findings[0]?.position, positionOf(position), String(findings[0]?.problem))
    await restore()
  }
  const far = 1_000_000
  const swap = (position: number) => `
      UPDATE ledger.event SET position = ${far} WHERE position = ${position};
      UPDATE ledger.event SET position = ${position} WHERE position = ${position + 1};
      UPDATE ledger.event SET position = ${position + 1} WHERE position = ${far}`
  // The event after the swapped two begins a stream, so nothing else is known about that stream
  // yet.
  const { rows: begins } = await admin.query<{ at: number }>(`
      SELECT position::int - 2 AS at FROM ledger.event
      WHERE revision = 0 AND stream_id LIKE 'shipment-%' AND position > 3 ORDER BY position`)
  for (const { at } of begins.slice(0, 3)) {
    await admin.query(swap(at))
    const { findings, problems } = await verified()
    t.equal(problems, 2, `two swapped before a stream begins: ${JSON.stringify(findings)}`)
    t.equal(findings[0]?.position, positionOf(at))
    await restore()
  }
  for (let round = 0; round < 2; round++) {
    const position = 2 + below(events - 3)
    const acts: readonly (readonly [string, number, string, number?])[] = [
      ['one removed', position, `DELETE FROM ledger.event WHERE position = ${position}`],
      [
        'one moved away with all after it',
        far + position,
        `UPDATE ledger.event SET position = position + ${far} WHERE position >= ${position}`,
      ],
      [
        'one removed and those after it moved up',
        position,
        `DELETE FROM ledger.event WHERE position = ${position};
         UPDATE ledger.event SET position = position + ${far} WHERE position > ${position};
         UPDATE ledger.event SET position = position - ${far} - 1 WHERE position > ${far}`,
      ],
      [
        'one slipped in',
        position,
        `UPDATE ledger.event SET position = position + ${far} WHERE position >= ${position};
         INSERT INTO ledger.event SELECT ${position}, stored_at, gen_random_uuid(), revision, stream_id || 'x', type, data, metadata
           FROM ledger.event WHERE position = ${far + position};
         UPDATE ledger.event SET position = position - ${far} + 1 WHERE position > ${far}`,
      ],
      ['two swapped', position, swap(position), 2],
      [
        'the end cut off',
        events - round,
        `DELETE FROM ledger.event WHERE position >= ${events - round}`,
        round + 1,
      ],
    ]
    for (const [what, at, statement, wrong = 1] of acts) {
      await admin.query(statement)
      const { findings, problems } = await verified()
      // The tree also ends at a different event if all events after the change have moved.
      const isTreeMoved = findings.some(({ problem }) => problem.startsWith('the tree is stored'))
      const expected = wrong + Number(isTreeMoved)
      t.equal(problems, expected, `${what} at ${at}, seed ${seed}: ${JSON.stringify(findings)}`)
      t.equal(
        findings[0]?.position,
        positionOf(at),
        `${what} at ${at}, seed ${seed}: ${findings[0]?.problem}`,
      )
      await restore()
    }
  }
})

t.test(
  'the signatures expose a ledger that was rewritten with its seals',
  inPostgres,
  async (t) => {
    const events = await sealedCount()
    const position = 1 + below(events)
    const at = positionOf(position)
    const leaf = 'ab'.repeat(32)
    const rewritten = `
    ${sealedAs(at, leaf)};
    UPDATE ledger.event SET metadata = replace(metadata::text, metadata->>'leaf', '${leaf}')::json
      WHERE position = ${position}`
    const forger = signerOf('shipping-ledger/forged', randomBytes(32))
    const acts: readonly (readonly [string, string])[] = [
      ['an event and its seal', rewritten],
      ['a seal', sealedAs(at, leaf)],
      ['a place', withoutPlace(at)],
      ['a place, so that those after it move up', movedUp(at)],
      ['all places of a turn', `DELETE FROM sealed_batches WHERE '${at}' = ANY (positions)`],
      [
        'a tile',
        'UPDATE merkle_tiles SET hashes = set_byte(hashes, 7, (get_byte(hashes, 7) + 1) % 256)',
      ],
      [
        'a signed root',
        `UPDATE checkpoints SET note = overlay(note placing 'A' from position(E'\\n' in note) + 6)`,
      ],
      [
        'a key',
        `UPDATE checkpoint_keys SET public_key = decode('${forger.publicKey.toString('hex')}', 'hex')`,
      ],
      [
        'the end with its seals and checkpoints',
        `DELETE FROM ledger.event WHERE position > ${events - 3};
       ${endingAt(events - 3)};
       DELETE FROM checkpoints WHERE tree_size > ${events - 3};
       UPDATE merkle_tree SET size = ${events - 3}`,
      ],
      ['all that was signed', 'DELETE FROM checkpoints; DELETE FROM checkpoint_keys'],
    ]
    for (const [what, statement] of acts) {
      await admin.query(statement)
      const { problems, findings } = await verified()
      t.ok(problems > 0, `${what}: ${findings[0]?.problem}`)
      await restore()
    }
    await admin.query('UPDATE checkpoints SET note = $1', [
      signedNote({ origin: forger.name, size: 1, root: Buffer.alloc(32), signedAt: 0 }, [forger]),
    ])
    t.ok((await verified({ checkpointDir: null })).problems > 0, "another's signature")
    await restore()
    t.match(await verified(), { problems: 0 }, 'nothing of all that is left')
  },
)

t.test('a new checkpoint key is trusted if the previous key also signed', inPostgres, async (t) => {
  const tree = await growing(parts.db, (await readTree(parts.db)) as Tree)
  const before = signerOf(tree.origin, left.seed)
  const seedOfNext = randomBytes(32)
  const after = signerOf(tree.origin, seedOfNext)
  const nowhere = async () => undefined
  const sign = (current: Signer, previous: Signer | null) =>
    signCheckpoint(parts.db, tree, { current, previous }, nowhere)
  const replaced = { checkpointKey: seedOfNext, checkpointKeyPrevious: left.seed }
  t.match(await verified(replaced), { problems: 0 }, 'before the new key has signed anything')
  await admin.query('DELETE FROM checkpoints WHERE tree_size = $1', [tree.size])
  await t.rejects(sign(after, null), { message: /the one before, [0-9a-f]{8}, is missing/ })
  await t.rejects(sign(after, signerOf(tree.origin, randomBytes(32))), 'another key cannot vouch')
  await sign(after, before)
  t.match(
    await verified({ checkpointKey: seedOfNext }),
    { problems: 0 },
    'a caller that trusts the new key',
  )
  t.match(await verified(), { problems: 0 }, 'a caller that trusts the old one')
  const foreign = { checkpointKey: randomBytes(32), checkpointKeyPrevious: randomBytes(32) }
  t.ok((await verified(foreign)).problems > 0, 'and no other caller')
  const file = join(folder, 'two-keys.ndjson')
  await exportLedger(deps, file, everything)
  for (const known of [before, after]) t.match(await verifyFile(file, known), { problems: 0 })
  t.ok([before, after].map(keyIdOf).includes(verifyExport(file).signedBy))
  await restore()
})

t.test('appending to a tree that another process has grown is refused', inPostgres, async (t) => {
  const tree = await growing(parts.db, (await readTree(parts.db)) as Tree)
  const eventId = randomUUID()
  const leaf = {
    position: positionOf(9_999_999),
    stream: 'x',
    revision: 0,
    eventId,
    leaf: Buffer.alloc(32),
  }
  await appendToTree(parts.db, tree, [leaf])
  const late = { ...leaf, position: positionOf(9_999_998) }
  await t.rejects(appendToTree(parts.db, tree, [late]), { name: 'TreeMoved' })
  await restore()
  t.match(await verified(), { problems: 0 })
})

t.test('a tree that is replaced meanwhile is not signed', inPostgres, async (t) => {
  const tree = await growing(parts.db, (await readTree(parts.db)) as Tree)
  const signers = { current: signerOf(tree.origin, left.seed), previous: null }
  await admin.query('DELETE FROM checkpoints WHERE tree_size = $1', [tree.size])
  const replace = async () => {
    await admin.query('UPDATE merkle_tree SET event_id = gen_random_uuid()')
  }
  await t.rejects(signCheckpoint(parts.db, tree, signers, replace), { name: 'TreeMoved' })
  const { rows } = await admin.query('SELECT FROM checkpoints WHERE tree_size = $1', [tree.size])
  t.equal(rows.length, 0)
  await restore()
})

t.test(
  'thinning keeps the last checkpoint of each hour and the one that names a key',
  inPostgres,
  async (t) => {
    const { rows: asSigned } = await admin.query<{ size: string; at: string }>(
      'SELECT tree_size AS size, signed_at::text AS at FROM checkpoints',
    )
    const { rows } = await admin.query<{ size: string }>(`
    UPDATE checkpoints SET signed_at = date_trunc('hour', now() - interval '9 days')
      + tree_size * interval '1 ms' RETURNING tree_size AS size`)
    const sizes = rows.map(({ size }) => Number(size)).sort((a, b) => a - b)
    t.ok(sizes.length > 2)
    t.equal(await thinCheckpoints(parts.db), sizes.length - 2)
    t.equal(await thinCheckpoints(parts.db), 0)
    const left = await checkpointsAfter(parts.db, 0, 10)
    t.same(
      left.map(({ size }) => size),
      [sizes[0], sizes.at(-1)],
    )
    for (const { size, at } of asSigned) {
      await admin.query('UPDATE checkpoints SET signed_at = $2 WHERE tree_size = $1', [size, at])
    }
    t.match(await verified(), { problems: 0 }, 'the folder has them all')
    await restore()
    t.equal(await thinCheckpoints(parts.db), 0, 'fresh ones stay')
  },
)

t.test('a checkpoint note that was cut off does not damage other notes', async (t) => {
  const [file = ''] = readdirSync(checkpointDir)
  const whole = readFileSync(join(checkpointDir, file), 'utf8')
  const [note = ''] = notesOf(whole)
  const cuts = [1, note.indexOf('\n') + 3, note.indexOf('\ntime') + 9, note.indexOf('\n\n') + 1]
  cuts.push(note.indexOf('— ') + 4, note.length - 40, note.length - 1, note.length)
  for (const cut of cuts) {
    const torn = join(folder, `torn-${cut}`)
    mkdirSync(torn)
    const signedAt = new Date(
      Date.parse(`${file.slice('checkpoints-'.length, -'.txt'.length)}T00:00Z`),
    )
    writeFileSync(join(torn, file), note.slice(0, cut))
    for (const one of notesOf(whole)) await keepNote(torn, one, signedAt)
    const kept = notesOf(readFileSync(join(torn, file), 'utf8'))
    t.same(kept.slice(-notesOf(whole).length), notesOf(whole), `cut at ${cut}`)
    t.match(await verified({ checkpointDir: torn }), { problems: 0 }, `cut at ${cut}`)
  }
})

t.test('checkpoints kept while the clock was a day ahead are as right as others', async (t) => {
  const [file = ''] = readdirSync(checkpointDir)
  const notes = notesOf(readFileSync(join(checkpointDir, file), 'utf8'))
  t.ok(notes.length >= 3)
  const apart = join(folder, 'set-back')
  mkdirSync(apart)
  const days = ['2026-01-02', '2026-01-01', '2026-01-02']
  for (const [at, note] of notes.entries()) {
    await keepNote(apart, note, new Date(`${days[Math.min(at, 2)]}T12:00Z`))
  }
  t.match(await verified({ checkpointDir: apart }), { problems: 0 })
})

/** Runs `verify` on this ledger. */
async function verifyCommand(checkpointDir: string | null) {
  const { db, store } = parts
  const checkpointKeys = { current: left.seed, previous: null }
  const services = { db, store, isContiguous, checkpointKeys, checkpointDir }
  return await runCommand('verify', '', services)
}

t.test(
  'one changed event is one problem, named with its type, shipment and time',
  inPostgres,
  async (t) => {
    const { rows } = await admin.query(
      `SELECT position, metadata->>'recorded_at' AS at FROM ledger.event
       WHERE type = 'GuideIssued' AND stream_id = $1`,
      [`shipment-${left.shipmentId.slice(4)}`],
    )
    const [{ position, at }] = rows
    await admin.query(
      `UPDATE ledger.event SET data = replace(data::text, '"attempt":1', '"attempt":2')::json
       WHERE position = $1`,
      [position],
    )
    const { json, text, exit } = await verifyCommand(checkpointDir)
    t.equal(exit, 'found')
    t.match(json, {
      ok: false,
      problems: 1,
      findings: [
        { position: positionOf(position), type: 'GuideIssued', shipment_id: left.shipmentId },
      ],
    })
    const where = `position ${positionOf(position)} (GuideIssued, ${left.shipmentId}, recorded ${at})`
    t.ok(
      text.includes(`1 problem:\n- ${where}: its content was changed after it was recorded`),
      text,
    )
    await restore()
  },
)

t.test('a tampered ledger is not exported, and no file is left behind', inPostgres, async (t) => {
  const events = await sealedCount()
  const stream = `shipment-${left.shipmentId.slice(4)}`
  const { rows } = await admin.query(
    `SELECT position FROM ledger.event WHERE type = 'GuideRequested' AND stream_id = $1`,
    [stream],
  )
  const [{ position }] = rows
  const acts: readonly (readonly [string, RegExp, readonly object[]])[] = [
    [
      `UPDATE ledger.event SET data = replace(data::text, '"attempt":1', '"attempt":2')::json
         WHERE position = ${position}`,
      /^The event at position \d+ is not what was recorded: /,
      [{}, { shipment: left.shipmentId }, { org: left.organizationId }],
    ],
    [
      `DELETE FROM ledger.event WHERE position = ${position}`,
      /^Revision 1 of shp_\w+ is missing: /,
      [{ shipment: left.shipmentId }],
    ],
    [
      `DELETE FROM ledger.event WHERE position = ${position}`,
      /^The ledger is damaged at position \d+: the event is missing\.$/,
      [{}, { org: left.organizationId }],
    ],
    [
      `DELETE FROM ledger.event WHERE position >= ${events}`,
      /^The ledger ends before its last checkpoint: /,
      [{}, { shipment: left.shipmentId }],
    ],
  ]
  const nowhere = join(folder, 'tampered')
  mkdirSync(nowhere)
  const out = join(nowhere, 'out.ndjson')
  const { db, store } = parts
  const checkpointKeys = { current: left.seed, previous: null }
  for (const [statement, message, scopes] of acts) {
    await admin.query(statement)
    for (const scope of scopes) {
      const flags = new Map(Object.entries({ ...scope, out }))
      const head = await store.head()
      await t.rejects(runCommand('export', '', { db, store, checkpointKeys }, flags), {
        name: /^(CommandFailed|LedgerDamaged)$/,
        message,
      })
      t.same(readdirSync(nowhere), [])
      t.equal(await store.head(), head)
    }
    await restore()
  }
})

t.test(
  'verify prints no terminal control characters from tampered events',
  inPostgres,
  async (t) => {
    await admin.query(`UPDATE ledger.event SET type = E'\\u001b[2JGuideIssued' WHERE position = 1`)
    const { text } = await verifyCommand(checkpointDir)
    t.match(text, /\?\[2JGuideIssued/)
    t.notOk(text.includes(String.fromCharCode(27)))
    await restore()
  },
)

t.test(
  'verify says how far outside checkpoints reach, and cannot decide without one',
  async (t) => {
    const { events } = await verified()
    const all = await verifyCommand(checkpointDir)
    t.equal(all.exit, 'fine')
    const { outside } = all.json as unknown as { outside: { checkpoints: number; events: number } }
    t.ok(outside.checkpoints >= 2 && outside.events > 256)
    const [, count, reach] =
      /, (\d+) outside it\.\nThe checkpoints outside the database cover the first (\d+) events \(signed \S+Z\)/.exec(
        all.text,
      ) ?? []
    t.same([Number(count), Number(reach)], [outside.checkpoints, outside.events])
    t.match(all.text, /\nNothing is wrong\.$/)

    const [file = ''] = readdirSync(checkpointDir).sort()
    const [first = ''] = notesOf(readFileSync(join(checkpointDir, file), 'utf8'))
    const early = join(folder, 'early')
    mkdirSync(early)
    writeFileSync(join(early, file), `${first}\n`)
    const some = await verifyCommand(early)
    const size = Number(first.split('\n')[1])
    t.match(some, { exit: 'fine', json: { ok: true, outside: { checkpoints: 1, events: size } } })
    t.ok(
      some.text.includes(`; the last ${events - size} events are not covered by them`),
      some.text,
    )

    const empty = join(folder, 'empty')
    mkdirSync(empty)
    for (const [where, why] of [
      [null, /CHECKPOINT_DIR is not set/],
      [empty, /CHECKPOINT_DIR has no valid checkpoint/],
      [join(folder, 'gone'), /could be read \(ENOENT\)/],
    ] as const) {
      const none = await verifyCommand(where)
      t.equal(none.exit, 'undecided')
      t.match(none.json, { ok: false, problems: 0, outside: { checkpoints: 0, signed_at: null } })
      t.match(none.text, /^The end of the ledger cannot be verified: /m)
      t.match(none.text, why)
    }
  },
)

t.test(
  'only outside checkpoints expose an end removed with its seals and checkpoints',
  inPostgres,
  async (t) => {
    const events = await sealedCount()
    await admin.query(`
      DELETE FROM ledger.event WHERE position > ${events - 3};
      ${endingAt(events - 3)};
      DELETE FROM checkpoints WHERE tree_size > ${events - 3};
      UPDATE merkle_tree SET size = ${events - 3},
        position = lpad('${events - 3}', 20, '0')`)
    const outside = await verifyCommand(checkpointDir)
    t.equal(outside.exit, 'found')
    t.match(outside.text, /covers \d+ events, but only \d+ are left: the last were removed\./)
    t.match(await verifyCommand(null), { exit: 'undecided', json: { problems: 0 } })
    await restore()
  },
)

t.test('verify reports unsealed events, but not as problems', inPostgres, async (t) => {
  await admin.query(`
    DELETE FROM checkpoints; DELETE FROM checkpoint_keys; DELETE FROM sealed_batches;
    DELETE FROM merkle_tiles; UPDATE merkle_tree SET size = 0, position = NULL`)
  const unsealed = await verified({ checkpointDir: null })
  t.equal(unsealed.problems, 0)
  t.equal(unsealed.unsealed, unsealed.events)
  const fresh = await verifyCommand(null)
  t.equal(fresh.exit, 'undecided')
  t.match(fresh.text, /there is no valid checkpoint in the database or outside it/)
  await restore()
})
