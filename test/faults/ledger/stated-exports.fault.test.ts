import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { type ExportScope, exportLedger } from '../../../src/service/ledger/export.ts'
import type {
  EventLine,
  ExportFooter,
  ExportHeader,
  StreamLine,
} from '../../../src/service/ledger/export-format.ts'
import {
  readNote,
  readVerifier,
  signedNote,
  signerOf,
} from '../../../src/service/ledger/signed-note.ts'
import {
  signStatement,
  statementProblem,
  streamsDigest,
} from '../../../src/service/ledger/stream-statement.ts'
import { verifyFile } from '../../../src/service/ledger/verify-file.ts'
import { verifyExport } from '../../ledger/second-verifier.ts'
import { runCommand } from '../../support/run-command.ts'
import { type SealedLedger, sealedLedger, stores } from './sealed-ledgers.ts'

/*
 * What a partial export proves: nothing in its scope is missing, neither the end of a stream nor a
 * whole stream, and it continues from the checkpoints that its auditor has saved.
 */

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-stated-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
const ledgers: SealedLedger[] = []
for (const name of stores) ledgers.push(await sealedLedger(t, name, { orders: 2 }))
const everything: ExportScope = { organization_id: null, shipment_id: null, from: null, to: null }

let files = 0
function written(text: string): string {
  files++
  const file = join(folder, `file-${files}`)
  writeFileSync(file, text)
  return file
}

type Exported = {
  readonly header: ExportHeader
  readonly events: readonly EventLine[]
  readonly streams: readonly StreamLine[]
  readonly footer: ExportFooter
}

function parsed(file: string): Exported {
  const lines: unknown[] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const isEvent = (line: unknown): line is EventLine => Object.hasOwn(line as object, 'event')
  const events = lines.filter(isEvent)
  return {
    header: lines[0] as ExportHeader,
    events,
    streams: lines.slice(1 + events.length, -1) as StreamLine[],
    footer: lines.at(-1) as ExportFooter,
  }
}

/** Writes the export with the correct number of events. */
function forged({ header, events, streams, footer }: Exported): string {
  const lines = [header, ...events, ...streams, { ...footer, events: events.length }]
  return written(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
}

/** Runs `export`, signing with the ledger's key. */
async function exportOf(ledger: SealedLedger, flags: object, held: readonly string[] = []) {
  const { db, store } = ledger.parts
  const checkpointKeys = { current: ledger.secrets.checkpointKey, previous: null }
  files++
  const out = join(folder, `export-${files}`)
  const given = new Map(Object.entries({ ...flags, out, checkpoint: held }))
  const { json, text } = await runCommand('export', '', { db, store, checkpointKeys }, given)
  return { out, json, text }
}

/** Runs `verify --file` without any part of the service. */
async function verify(file: string, more: object = {}) {
  return await runCommand('verify', '', {}, new Map(Object.entries({ file, ...more })))
}

/** The scopes and their names. */
function scopesOf({ organizationId: org, shipmentIds }: SealedLedger) {
  const [shipment] = shipmentIds
  const hour = 3_600_000
  const from = new Date(Date.now() - hour).toISOString()
  const to = new Date(Date.now() + hour).toISOString()
  return { shop: { org }, shipment: { shipment }, period: { org, from, to }, until: { to } }
}

t.test('an export of a part states its streams, and both verifiers hold it to that', async (t) => {
  for (const ledger of ledgers) {
    for (const [name, flags] of Object.entries(scopesOf(ledger))) {
      const { out, json, text } = await exportOf(ledger, flags)
      const { header, streams, events, footer } = parsed(out)
      t.equal(header.format, 'shipping-ledger-export/2')
      t.match(footer.statement, /^shipping-ledger\/\w{22}\/streams\nscope \{/)
      t.same(
        streams.map(({ stream }) => stream),
        [...new Set(events.map(({ stream }) => stream))].sort(),
        name,
      )
      t.equal(json.complete, true)
      t.match(text, /no event of its scope( and period)? is missing, up to its checkpoint/)
      const verified = await verify(out)
      t.match(verified, { exit: 'fine', json: { complete: true, problems: 0 } }, verified.text)
      t.equal(verifyExport(out).events, events.length, `${ledger.name}, ${name}, the second`)
    }
  }
})

/** What an owner could leave out or change, and the expected message of `verify --file`. */
function forgeries(one: Exported, other: Exported, seed: Buffer) {
  const { events, streams, footer, header } = one
  const stream = streams.find((line) => line.stream.startsWith('shipment-'))?.stream ?? ''
  const last = events.findLast((line) => line.stream === stream)
  const first = events.find((line) => line.stream === stream)
  const withoutLast = events.filter((line) => line !== last)
  const withoutStream = events.filter((line) => line.stream !== stream)
  const shorter = streams.map((line) =>
    line.stream === stream ? { ...line, last_revision: line.last_revision - 1 } : line,
  )
  const listedWithout = streams.filter((line) => line.stream !== stream)
  const { statement: _removed, ...unstated } = footer
  const stated = (signer: ReturnType<typeof signerOf>, list: readonly StreamLine[]) => {
    const digest = streamsDigest()
    for (const line of list) digest.add(line)
    const head = readNote(header.checkpoint ?? '')?.head
    if (head === undefined) throw new Error('no checkpoint')
    return signStatement({ scope: header.scope, head, ...digest.result() }, signer, new Date())
  }
  const origin = (header.checkpoint ?? '').split('\n')[0] ?? ''
  const stranger = signerOf(origin, randomBytes(32))
  const elsewhere = signerOf('shipping-ledger/another', seed)
  return {
    'its last event removed': [
      { ...one, events: withoutLast },
      /^- the last events of the shipment \w+ are missing: the file has it up to revision \d+, and/m,
    ],
    'its last event removed, here and in the list': [
      { ...one, events: withoutLast, streams: shorter },
      /the signed statement about the streams does not match the list of streams/,
    ],
    'its first event removed': [
      { ...one, events: events.filter((line) => line !== first) },
      /from revision 1, and its list of streams from 0|the events before it .* are missing/,
    ],
    'a stream removed': [
      { ...one, events: withoutStream },
      /^- the file has no event of the shipment \w+, which is in its list of streams/m,
    ],
    'a stream removed, here and in the list': [
      { ...one, events: withoutStream, streams: listedWithout },
      /does not match the list of streams/,
    ],
    'a stream removed from the list': [
      { ...one, streams: listedWithout },
      /^- the file has events of the shipment \w+, which is not in its list of streams/m,
    ],
    'a stream listed twice': [
      { ...one, streams: streams.flatMap((line) => [line, line]) },
      /the list of streams is out of order/,
    ],
    'the statement removed': [
      { ...one, footer: unstated },
      /the signed statement about the streams is missing/,
    ],
    'the statement and the list removed': [
      { ...one, streams: [], footer: unstated },
      /the signed statement about the streams is missing/,
    ],
    "another export's statement": [
      { ...one, footer: { ...footer, statement: other.footer.statement } },
      /the signed statement about the streams is for another scope/,
    ],
    "another export's statement and list": [
      { ...one, streams: other.streams, footer: { ...footer, statement: other.footer.statement } },
      /the signed statement about the streams is for another scope/,
    ],
    "a stranger's statement": [
      {
        ...one,
        events: withoutLast,
        streams: shorter,
        footer: { ...footer, statement: stated(stranger, shorter) },
      },
      /is not signed by a key that can be trusted/,
    ],
    "the same key's statement about another ledger": [
      { ...one, footer: { ...footer, statement: stated(elsewhere, streams) } },
      /is not signed by a key that can be trusted/,
    ],
    'the checkpoint as the statement': [
      { ...one, footer: { ...footer, statement: header.checkpoint ?? '' } },
      /is of another ledger, or is not a statement/,
    ],
    'the statement as the checkpoint': [
      { ...one, header: { ...header, checkpoint: footer.statement ?? '' } },
      /the checkpoint of the file is not signed by a key that can be trusted/,
    ],
    'a wider scope': [
      {
        ...one,
        header: {
          ...header,
          scope: { ...header.scope, organization_id: null, to: '2100-01-01T00:00:00.000Z' },
        },
      },
      /the signed statement about the streams is for another scope/,
    ],
  } satisfies Record<string, readonly [Exported, RegExp]>
}

t.test('both verifiers find what an exported part lacks, or has too much', async (t) => {
  for (const ledger of ledgers) {
    const shop = parsed((await exportOf(ledger, { org: ledger.organizationId })).out)
    const [shipment] = ledger.shipmentIds
    const other = parsed((await exportOf(ledger, { shipment })).out)
    t.match(await verify(forged(shop)), { exit: 'fine' }, 'untouched')
    const key = shop.header.keys[0]?.verifier ?? ''
    const cases = Object.entries(forgeries(shop, other, ledger.secrets.checkpointKey))
    for (const [what, [forgery, sentence]] of cases) {
      const file = forged(forgery)
      for (const more of [{}, { key }]) {
        const { exit, text, json } = await verify(file, more)
        t.equal(exit, 'found', `${ledger.name}: ${what}`)
        t.match(text, sentence, `${ledger.name}: ${what}`)
        t.match(json, { complete: false })
        t.notMatch(text, /no event of its scope is missing/)
      }
      t.throws(() => verifyExport(file), `${ledger.name}, the second verifier: ${what}`)
    }
  }
})

t.test('a statement of an earlier checkpoint does not fit a later one', async (t) => {
  const [ledger] = ledgers as [SealedLedger]
  const shop = parsed((await exportOf(ledger, { org: ledger.organizationId })).out)
  const early = ledger.answers[0]?.note ?? ''
  const head = readNote(early)?.head
  if (head === undefined) throw new Error('no checkpoint')
  const digest = streamsDigest()
  for (const line of shop.streams) digest.add(line)
  const signer = signerOf(head.origin, ledger.secrets.checkpointKey)
  const stated = { scope: shop.header.scope, head, ...digest.result() }
  const statement = signStatement(stated, signer, new Date())
  const file = forged({ ...shop, footer: { ...shop.footer, statement } })
  const { exit, text } = await verify(file)
  t.equal(exit, 'found')
  t.match(text, /the signed statement about the streams is for another checkpoint/)
  t.throws(() => verifyExport(file))
  t.equal(statementProblem(statement, stated, [signer]), null, 'but it is valid for its own export')
})

t.test('a part written without the key is said to prove less, and so is one made so', async (t) => {
  for (const ledger of ledgers) {
    const { db, store } = ledger.parts
    const scope = { ...everything, organization_id: ledger.organizationId }
    for (const signingKeys of [[], [randomBytes(32)]]) {
      const out = written('')
      rmSync(out)
      const exported = await exportLedger({ db, store }, out, scope, { signingKeys })
      t.equal(exported.isComplete, false)
      const { header, streams, footer } = parsed(out)
      t.equal(header.format, 'shipping-ledger-export/1')
      t.same([streams, footer.statement], [[], undefined])
      const { json, text, exit } = await verify(out)
      t.equal(exit, 'undecided')
      t.match(json, { complete: false, problems: 0 })
      t.match(
        text,
        /without a signed statement about its streams: it does not prove .* no later events/,
      )
      t.ok(verifyExport(out).events > 0)
    }
    const shop = parsed((await exportOf(ledger, { org: ledger.organizationId })).out)
    const { statement: _removed, ...unstated } = shop.footer
    const header = { ...shop.header, format: 'shipping-ledger-export/1' } as ExportHeader
    const weaker = await verify(forged({ ...shop, header, streams: [], footer: unstated }))
    const { json, text } = weaker
    t.equal(weaker.exit, 'undecided')
    t.match(json, { complete: false })
    t.match(text, /without a signed statement about its streams/)
    t.match(await verify(forged({ ...shop, header })), { exit: 'found' }, 'no list in the first')
  }
})

t.test('an exported part proves that it continues the checkpoints in hand', async (t) => {
  for (const ledger of ledgers) {
    const notes = ledger.answers.map(({ note }) => note)
    const held = notes.map((note) => written(note))
    const [first = '', , last = ''] = held
    const flags = { org: ledger.organizationId }
    const plain = (await exportOf(ledger, flags)).out
    t.match(await verify(plain, { checkpoint: [last] }), { exit: 'fine' }, 'of the same size')
    const open = await verify(plain, { checkpoint: [first] })
    t.match(open, { exit: 'undecided', json: { problems: 0, held: { undecided: 1 } } })
    const [from, , to] = ledger.answers.map(({ tree_size: size }) => size)
    t.ok(open.text.includes(`GET /v1/ledger/consistency?from=${from}&to=${to}`), open.text)
    t.throws(() => verifyExport(plain, [notes[0] ?? '']), /no proof for the held size/)

    const [answer = {}, other = {}] = ledger.consistency
    const given = [written(JSON.stringify(answer))]
    const closed = await verify(plain, { checkpoint: [first], consistency: given })
    t.match(closed, { exit: 'fine', json: { held: { confirmed: 1 } } }, closed.text)
    const unfit = { checkpoint: [first], consistency: [written(JSON.stringify(other))] }
    t.match(await verify(plain, unfit), { exit: 'undecided' }, 'a proof from another size')
    const wrong = written(JSON.stringify({ ...answer, hashes: ['ab'.repeat(32)] }))
    const disproved = await verify(plain, { checkpoint: [first], consistency: [wrong] })
    t.equal(disproved.exit, 'found')
    t.match(disproved.text, /does not prove that the checkpoint you hold in .* are of one history/)
    const none = { checkpoint: [first], consistency: [written('{}')] }
    await t.rejects(verify(plain, none), { name: 'Undecided', message: /is not an answer of/ })

    const proving = (await exportOf(ledger, flags, held)).out
    const all = await verify(proving, { checkpoint: held })
    t.match(all, { exit: 'fine', json: { held: { confirmed: 3, undecided: 0 } } }, all.text)
    t.equal(verifyExport(proving, notes).events, parsed(proving).events.length)
    const whole = (await exportOf(ledger, {})).out
    t.match(await verify(whole, { checkpoint: held }), { exit: 'fine' }, 'the whole ledger')
    t.ok(verifyExport(whole, notes).events > 0)
  }
})

t.test('an exported file that contradicts a checkpoint in hand is refused', async (t) => {
  for (const ledger of ledgers) {
    const held = ledger.answers.map(({ note }) => written(note))
    const flags = { org: ledger.organizationId }
    const part = (await exportOf(ledger, flags, held)).out
    const whole = (await exportOf(ledger, {})).out
    const plain = (await exportOf(ledger, flags)).out
    const sizes = ledger.answers.map(({ tree_size: size }) => size) as [number, number, number]
    const origin = ledger.answers[0]?.note.split('\n')[0] ?? ''
    const signer = signerOf(origin, ledger.secrets.checkpointKey)
    const forkOf = (size: number) => {
      const head = { origin, size, root: randomBytes(32), signedAt: Date.now() }
      return signedNote(head, [signer])
    }
    for (const [file, size] of [
      [part, sizes[0]],
      [part, sizes[2]],
      [whole, sizes[0]],
      [whole, sizes[2]],
      [plain, sizes[2]],
    ] as const) {
      const fork = forkOf(size)
      const { exit, text } = await verify(file, { checkpoint: [...held.slice(2), written(fork)] })
      t.equal(exit, 'found', `${ledger.name}: ${size}`)
      t.match(text, /has another root than the first \d+ events of the file: history was rewritten/)
      t.throws(() => verifyExport(file, [fork]))
      await t.rejects(exportOf(ledger, flags, [written(fork)]), {
        name: 'CommandFailed',
        message: /^The ledger does not continue the checkpoint of \d+ events in /,
      })
    }
    const later = await verify(whole, { checkpoint: [written(forkOf(sizes[2] + 5))] })
    t.equal(later.exit, 'undecided', 'the file may only be older')
    t.match(later.text, /consistency\?from=\d+&to=\d+ and pass its answer with --consistency\.$/m)
    const { header, ...rest } = parsed(part)
    const entries = header.format === 'shipping-ledger-export/2' ? (header.consistency ?? []) : []
    const [entry] = entries
    if (entry === undefined) throw new Error('no proof in the file')
    const consistency = [{ ...entry, root: 'ab'.repeat(32) }]
    const changed = forged({ ...rest, header: { ...header, consistency } as ExportHeader })
    const { exit, text } = await verify(changed)
    t.equal(exit, 'found')
    t.match(text, /the proof in the file that the tree of \d+ events is the beginning of its own/)
    t.throws(() => verifyExport(changed))
  }
})

t.test('a file that is older than a checkpoint in hand is proved by the API', async (t) => {
  const [ledger] = ledgers as [SealedLedger]
  const { db, store } = ledger.parts
  const admin = new pg.Client({ connectionString: ledger.database.adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  const [first, , last] = ledger.answers
  await admin.query('CREATE TABLE later AS SELECT * FROM checkpoints WHERE tree_size > $1', [
    first?.tree_size,
  ])
  await admin.query('DELETE FROM checkpoints WHERE tree_size > $1', [first?.tree_size])
  const checkpointKeys = { current: ledger.secrets.checkpointKey, previous: null }
  const out = join(folder, 'older.ndjson')
  const given = new Map(Object.entries({ out, org: ledger.organizationId }))
  await runCommand('export', '', { db, store, checkpointKeys }, given)
  await admin.query('INSERT INTO checkpoints SELECT * FROM later')
  const held = [written(last?.note ?? '')]
  t.match(await verify(out, { checkpoint: held }), { exit: 'undecided' })
  const consistency = [written(JSON.stringify(ledger.consistency[0]))]
  const proved = await verify(out, { checkpoint: held, consistency })
  t.match(proved, { exit: 'fine', json: { held: { confirmed: 1 } } }, proved.text)
})

t.test('nothing is stated about a stream whose last events were removed', async (t) => {
  const [ledger] = ledgers as [SealedLedger]
  const [shipment = ''] = ledger.shipmentIds
  const admin = new pg.Client({ connectionString: ledger.database.adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  await admin.query('ALTER TABLE ledger.event DISABLE TRIGGER ALL')
  await admin.query('BEGIN')
  const stream = `shipment-${shipment.slice(4)}`
  await admin.query('CREATE TABLE kept AS TABLE ledger.event')
  await admin.query(
    `DELETE FROM ledger.event WHERE stream_id = $1
     AND revision = (SELECT max(revision) FROM ledger.event WHERE stream_id = $1)`,
    [stream],
  )
  await admin.query('COMMIT')
  await t.rejects(exportOf(ledger, { shipment }), {
    name: 'CommandFailed',
    message: /^Revision \d+ of shp_\w+ is missing: "verify" says what is wrong\.$/,
  })
  await admin.query('DELETE FROM ledger.event; INSERT INTO ledger.event SELECT * FROM kept')
  const { out } = await exportOf(ledger, { shipment })
  t.match(await verify(out), { exit: 'fine' })
})

t.test('a scope without events is stated as empty', async (t) => {
  for (const ledger of ledgers) {
    const [to] = ['2001-01-01T00:00:00Z']
    const { out } = await exportOf(ledger, { org: ledger.organizationId, to })
    t.match(await verify(out), { exit: 'fine', json: { events: 0, complete: true } })
    t.equal(verifyExport(out).events, 0)
  }
})

t.test('either key vouches for a statement signed after a change of keys', async (t) => {
  const [ledger] = ledgers as [SealedLedger]
  const { db, store } = ledger.parts
  const scope = { ...everything, organization_id: ledger.organizationId }
  const out = join(folder, 'keys.ndjson')
  // The next key has not signed anything yet, so the previous one signs.
  const signingKeys = [randomBytes(32), ledger.secrets.checkpointKey]
  const exported = await exportLedger({ db, store }, out, scope, { signingKeys })
  t.equal(exported.isComplete, true)
  const key = readVerifier(parsed(out).header.keys[0]?.verifier ?? '')
  t.match(await verifyFile(out, key), { problems: 0, isComplete: true })
})
