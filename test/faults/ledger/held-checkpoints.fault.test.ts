import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { createServices } from '../../../src/service/app.ts'
import { signCheckpoint } from '../../../src/service/ledger/checkpoints.ts'
import {
  type Signer,
  signedNote,
  signerOf,
  verifierText,
} from '../../../src/service/ledger/signed-note.ts'
import {
  growing,
  nameTree,
  readTree,
  type Tree,
  TreeReader,
} from '../../../src/service/ledger/tree.ts'
import { runCommand } from '../../support/run-command.ts'
import { noLogger } from '../../support/service.ts'
import { testDatabase } from '../../support/test-database.ts'
import { type SealedLedger, sealedLedger, stores, storeUpTo } from './sealed-ledgers.ts'
import { endingAt } from './tampered-seals.ts'

/*
 * What an auditor's saved checkpoints expose and nothing in the service itself can: a ledger whose
 * end was cut off together with its seals, checkpoints and keys, or a different history under the
 * same key.
 */

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-held-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
const ledgers: SealedLedger[] = []
for (const name of stores) ledgers.push(await sealedLedger(t, name, { orders: 2 }))

function written(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** The checkpoints of a ledger as texts, oldest first. */
const notesOf = ({ answers }: SealedLedger) => answers.map(({ note }) => note)

type More = {
  readonly store?: SealedLedger['parts']['store']
  readonly checkpointDir?: string | null
  readonly checkpointKey?: Buffer
  readonly key?: string
}

/** Runs `verify` with these saved checkpoints; without the service's folder unless one is given. */
async function verify(ledger: SealedLedger, held: readonly string[], more: More = {}) {
  const { db, store } = ledger.parts
  const checkpointKey = more.checkpointKey ?? ledger.secrets.checkpointKey
  const services = {
    db,
    store: more.store ?? store,
    isContiguous: ledger.isContiguous,
    checkpointKeys: { current: checkpointKey, previous: null },
    checkpointDir: more.checkpointDir ?? null,
  }
  const flags = new Map<string, string | readonly string[]>()
  if (held.length > 0) flags.set('checkpoint', held)
  if (more.key !== undefined) flags.set('key', more.key)
  return await runCommand('verify', '', services, flags)
}

t.test('a checkpoint in hand vouches, in every form in which it is handed out', async (t) => {
  for (const ledger of ledgers) {
    const [first = '', second = '', third = ''] = notesOf(ledger)
    const files = [
      written('one.txt', first),
      written('without-its-last-line-feed', second.trimEnd()),
      written('many.txt', `${first}\n${second}\n${third}\n`),
      written('windows.txt', `\uFEFF${third.replaceAll('\n', '\r\n')}`),
      written('answer.json', JSON.stringify(ledger.answers[1], null, 2)),
    ]
    t.match(await verify(ledger, []), { exit: 'undecided' }, 'with none')
    for (const file of files) {
      const { exit, json, text } = await verify(ledger, [file])
      t.equal(exit, 'fine', `${ledger.name} ${file}: ${text}`)
      t.match(json, { ok: true, problems: 0 })
    }
    const all = await verify(ledger, files)
    t.match(all.json, {
      held: { checkpoints: 7, confirmed: 7, broken: 0 },
      outside: { checkpoints: 7, events: ledger.answers[2]?.tree_size },
    })
    t.match(
      all.text,
      /^Of 7 checkpoints that you hold, 7 are part of the history of this ledger\.$/m,
    )
  }
})

t.test('a file of checkpoints that cannot be read decides nothing', async (t) => {
  const [ledger] = ledgers as [SealedLedger]
  const [first = '', second = ''] = notesOf(ledger)
  for (const [name, text] of [
    ['empty', ''],
    ['blank', '\n\n\n'],
    ['prose', 'There is no checkpoint.\n\n— here either\n'],
    ['json', '{"note": 1}'],
    ['half-json', '{"note": "'],
    ['half', first.slice(0, -40)],
  ] as const) {
    const file = written(name, text)
    await t.rejects(
      verify(ledger, [file]),
      { name: 'Undecided', message: `${file} has no signed checkpoint.` },
      name,
    )
  }
  for (const file of [join(folder, 'gone'), folder]) {
    const message = `${file} cannot be read.`
    await t.rejects(verify(ledger, [file]), { name: 'Undecided', message })
  }
  const cut = await verify(ledger, [written('cut', `${first}\n${second.slice(0, -40)}`)])
  t.equal(cut.exit, 'undecided', 'what the end would show is unknown')
  t.match(cut.text, /cut was cut off or damaged, so its other checkpoints cannot be checked\.$/m)
  const torn = await verify(ledger, [written('torn', `${first.slice(0, 30)}\n\n${second}`)])
  t.equal(torn.exit, 'fine', 'a crash of the service leaves this')
  t.match(torn.json, { held: { checkpoints: 1, confirmed: 1, broken: 1 } })
  const [, signatures = ''] = second.split('\n\n')
  for (const [name, damage] of [
    ['malformed', first.replace(/\n\d+\n/, '\nx\n')],
    ['beheaded', signatures],
  ] as const) {
    const damaged = await verify(ledger, [written(name, `${damage}\n${second}`)])
    t.equal(damaged.exit, 'undecided', `${name}: no crash leaves this`)
  }
})

/** The original content of the tables that an attacker changes. */
const tables = [
  'ledger.event',
  'sealed_batches',
  'checkpoints',
  'checkpoint_keys',
  'merkle_tiles',
  'merkle_tree',
]
const copyOf = (table: string) => `copy_of_${table.replace('.', '_')}`

/** Lets a superuser change the database, then restores it. */
async function tampered(ledger: SealedLedger, work: (admin: pg.Client) => Promise<unknown>) {
  const admin = new pg.Client({ connectionString: ledger.database.adminUrl })
  await admin.connect()
  try {
    await admin.query('ALTER TABLE ledger.event DISABLE TRIGGER ALL')
    for (const table of tables) await admin.query(`CREATE TABLE ${copyOf(table)} AS TABLE ${table}`)
    await work(admin)
  } finally {
    for (const table of tables) {
      await admin.query(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM ${copyOf(table)}`)
      await admin.query(`DROP TABLE ${copyOf(table)}`)
    }
    await admin.end()
  }
}

/** Cuts off the end of the ledger, and everything in the database that refers to it. */
async function cutTo(admin: pg.Client, ledger: SealedLedger, size: number) {
  const { rows } = await admin.query<{ at: string }>(
    `SELECT positions[${size} - first_index] AS at FROM sealed_batches
     WHERE first_index < ${size} AND first_index + cardinality(positions) >= ${size}`,
  )
  const at = String(rows[0]?.at)
  await admin.query(`
    ${ledger.isContiguous ? `DELETE FROM ledger.event WHERE position > ${Number(at)};` : ''}
    ${endingAt(size)};
    DELETE FROM checkpoints WHERE tree_size > ${size};
    DELETE FROM checkpoint_keys;
    UPDATE merkle_tree SET size = ${size}, position = '${at}'`)
  return ledger.isContiguous ? ledger.parts.store : storeUpTo(ledger.parts.store, at)
}

t.test('only a checkpoint in hand exposes an end cut off with all that knew of it', async (t) => {
  for (const ledger of ledgers) {
    const sizes = ledger.answers.map(({ tree_size }) => tree_size) as [number, number, number]
    const [first, , last] = notesOf(ledger).map((note, at) => written(`held-${at}.txt`, note))
    const many = written('all.txt', notesOf(ledger).join('\n'))
    await tampered(ledger, async (admin) => {
      const left = sizes[1] - 1
      const store = await cutTo(admin, ledger, left)
      const without = await verify(ledger, [], { store })
      t.match(without, { exit: 'undecided', json: { ok: false, problems: 0 } }, ledger.name)
      const early = await verify(ledger, [String(first)], { store })
      t.match(early, { exit: 'fine' }, 'a checkpoint from before the cut proves nothing')
      const late = await verify(ledger, [String(last)], { store })
      t.match(late, { exit: 'found', json: { problems: 1 } })
      const time = String(ledger.answers[2]?.note).split('\n')[3]?.slice('time '.length)
      t.ok(
        late.text.includes(
          `the ledger has only ${left} sealed events; the checkpoint you hold in ${last} (${sizes[2]} events, signed ${time}) covers ${sizes[2]}: events were cut off.`,
        ),
        late.text,
      )
      const all = await verify(ledger, [many], { store })
      t.match(all, { exit: 'found', json: { problems: 1, held: { confirmed: 1 } } })
      t.match(all.text, /covers \d+: events were cut off; 2 checkpoints of that file show it\.$/m)
      await admin.query('DELETE FROM checkpoints; DELETE FROM merkle_tree')
      const nothing = await verify(ledger, [many], { store })
      t.equal(nothing.exit, 'found', 'no sealed event is left')
      t.match(nothing.text, /the ledger has only 0 sealed events/)
    })
    t.match(await verify(ledger, [many]), { exit: 'fine' }, 'all is restored')
  }
})

t.test('only a checkpoint in hand exposes another history under the same key', async (t) => {
  for (const ledger of ledgers) {
    const origin = (await readTree(ledger.parts.db))?.origin ?? ''
    const database = await testDatabase(t)
    const { secrets } = ledger
    const parts = createServices({
      databaseUrl: database.url,
      eventStoreUrl: undefined,
      eventStoreNamespace: '',
      secrets,
      simulatorUrl: null,
      log: noLogger(),
    })
    await nameTree(parts.db, origin)
    await parts.close()
    const fork = await sealedLedger(t, ledger.name, { orders: 3, database, secrets })
    const own = notesOf(fork).map((note, at) => written(`own-${at}.txt`, note))
    const held = notesOf(ledger).map((note, at) => written(`held-${at}.txt`, note))
    t.match(await verify(fork, []), { exit: 'undecided', json: { problems: 0 } }, ledger.name)
    t.match(await verify(fork, own), { exit: 'fine', json: { held: { confirmed: 3 } } })
    for (const file of held) {
      const { exit, text } = await verify(fork, [...own, file])
      t.equal(exit, 'found', text)
      t.match(text, /has another root than the first \d+ events of the ledger: history was rewrit/)
    }
  }
})

t.test('a checkpoint of another ledger, or of no key of this one, is refused', async (t) => {
  for (const ledger of ledgers) {
    const origin = (await readTree(ledger.parts.db))?.origin ?? ''
    const size = Number(ledger.answers[0]?.tree_size)
    const root = await new TreeReader(ledger.parts.db).rootAt(size)
    const sign = (signer: Signer, name: string) =>
      signedNote({ origin: name, size, root, signedAt: Date.now() }, [signer])
    const other = signerOf(origin, randomBytes(32))
    const elsewhere = signerOf('shipping-ledger/another', ledger.secrets.checkpointKey)
    const foreign = written('foreign', sign(elsewhere, elsewhere.name))
    const theirs = await verify(ledger, [foreign])
    t.equal(theirs.exit, 'found')
    t.match(theirs.text, /is of another ledger, shipping-ledger\/another: this one is /)
    const unknown = written('unknown', sign(other, origin))
    const unsigned = await verify(ledger, [unknown])
    t.equal(unsigned.exit, 'found')
    t.match(unsigned.text, /is not signed by a key of this ledger\.$/m)
    const key = verifierText(other)
    t.match(await verify(ledger, [unknown], { key }), { exit: 'fine' }, 'except by the given key')
    const changed = written('changed', String(ledger.answers[0]?.note).replace(/time \d/, 'time 1'))
    t.match(await verify(ledger, [changed]), { exit: 'found' }, 'a changed time is not signed')
  }
})

t.test('a checkpoint in hand outlives the key that signed it', async (t) => {
  for (const ledger of ledgers) {
    const db = ledger.parts.db
    const held = notesOf(ledger).map((note, at) => written(`held-${at}.txt`, note))
    await tampered(ledger, async (admin) => {
      const tree = await growing(db, (await readTree(db)) as Tree)
      const before = signerOf(tree.origin, ledger.secrets.checkpointKey)
      const seed = randomBytes(32)
      await admin.query('DELETE FROM checkpoints WHERE tree_size = $1', [tree.size])
      const keys = { current: signerOf(tree.origin, seed), previous: before }
      const { note } = await signCheckpoint(db, tree, keys, async () => undefined)
      const file = written('new-key.txt', note)
      for (const key of [seed, ledger.secrets.checkpointKey]) {
        const both = await verify(ledger, [...held, file], { checkpointKey: key })
        t.match(both, { exit: 'fine', json: { held: { confirmed: 4 } } }, ledger.name)
      }
    })
  }
})

t.test('checkpoints in the folder are read whatever their files are named', async (t) => {
  for (const ledger of ledgers) {
    const notes = notesOf(ledger)
    const kept = join(folder, `kept-${ledger.name}`)
    mkdirSync(join(kept, 'a-folder'), { recursive: true })
    writeFileSync(join(kept, 'z.bak'), String(notes[0]))
    writeFileSync(join(kept, 'copy of checkpoints.txt'), `${notes[2]}\n${notes[1]}\n`)
    writeFileSync(join(kept, 'answer.json'), JSON.stringify(ledger.answers[1]))
    writeFileSync(join(kept, 'checkpoints-2020-01-01.txt'), `${notes[0]}\n`)
    writeFileSync(join(kept, 'README'), 'Nothing that is signed.\n')
    const { exit, json } = await verify(ledger, [], { checkpointDir: kept })
    t.equal(exit, 'fine')
    t.match(json, { outside: { checkpoints: 5, events: ledger.answers[2]?.tree_size } })
    await tampered(ledger, async (admin) => {
      const store = await cutTo(admin, ledger, Number(ledger.answers[1]?.tree_size) - 1)
      const cut = await verify(ledger, [], { checkpointDir: kept, store })
      t.equal(cut.exit, 'found')
      t.match(cut.text, /covers \d+ events, but only \d+ are left: the last were removed/)
    })
  }
})
