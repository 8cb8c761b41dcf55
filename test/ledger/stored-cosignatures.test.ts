import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import t from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { lastCheckpoint, thinCheckpoints } from '../../src/service/ledger/checkpoints.ts'
import { readNote, type Signer, signerOf } from '../../src/service/ledger/signed-note.ts'
import { checkCosigned, checkStored } from '../../src/service/ledger/witnesses/check-witnesses.ts'
import {
  type Cosignature,
  cosign,
  witnessIdOf,
} from '../../src/service/ledger/witnesses/cosignature.ts'
import {
  cosignedCheckpoint,
  cosignedNote,
  keepCosignature,
  witnessStates,
} from '../../src/service/ledger/witnesses/stored-cosignatures.ts'
import { growingLedger } from '../faults/ledger/growing-ledger.ts'
import { testDatabase } from '../support/test-database.ts'

const { url, adminUrl } = await testDatabase(t)
const db = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
})
const admin = new pg.Client({ connectionString: adminUrl })
await admin.connect()
t.teardown(async () => {
  await db.destroy()
  await admin.end()
})

const signer = signerOf('shipping-ledger/abcdefghijklmnopqrstuv', randomBytes(32))
const ledger = growingLedger(signer)
const witnesses = ['auditor.example/w1', 'bank.example/w2'].map((name) =>
  signerOf(name, randomBytes(32)),
)
const [first, second] = witnesses as [Signer, Signer]

/** Checkpoints of these sizes, each signed this long ago. */
async function signed(...checkpoints: readonly (readonly [size: number, ago: string])[]) {
  await admin.query('TRUNCATE checkpoints CASCADE')
  for (const [size, ago] of checkpoints) {
    await admin.query(
      `INSERT INTO checkpoints VALUES ($1::int, $2, $1::int::text, 'key', now() - $3::interval, $4)`,
      [size, ledger.root(size), ago, ledger.note(size)],
    )
  }
}

function cosignature(witness: Signer, size: number): Cosignature {
  const line = cosign(readNote(ledger.note(size))?.text ?? '', witness, 1_700_000_000n)
  return { witness, keyId: witnessIdOf(witness), line, at: 1_700_000_000_000 }
}

t.test('a checkpoint is shown with the cosignatures that came for it', async (t) => {
  await signed([5, '3 s'], [6, '2 s'])
  for (const witness of [second, first, first])
    await keepCosignature(db, 5, cosignature(witness, 5))
  const note = await cosignedNote(db, { size: 5, note: ledger.note(5) })
  t.equal(note, `${ledger.note(5)}${cosignature(first, 5).line}${cosignature(second, 5).line}`)
  t.match(checkCosigned(note, witnesses), [
    { name: first.name, result: 'valid', events: 5, at: 1_700_000_000_000 },
    { name: second.name, result: 'valid', events: 5 },
  ])
  t.match(checkCosigned(ledger.note(6), [first]), [{ result: 'missing', events: 0, at: null }])
  t.match(checkCosigned(null, [first]), [{ result: 'missing' }])
  t.equal(await cosignedNote(db, { size: 6, note: ledger.note(6) }), ledger.note(6))
})

t.test("a cosignature of another checkpoint is not valid for this one's", async (t) => {
  await signed([5, '1 s'], [6, '1 s'])
  await keepCosignature(db, 6, cosignature(first, 5))
  t.match(await checkStored(db, witnesses), [
    { name: first.name, result: 'invalid', events: 0, at: null },
    { name: second.name, result: 'missing' },
  ])
})

t.test('an export takes the newest checkpoint that most witnesses have cosigned', async (t) => {
  await signed([1, '2 h'], [4, '9 s'], [5, '3 s'], [6, '2 s'], [7, '1 s'])
  t.equal((await cosignedCheckpoint(db))?.size, 7, 'none is cosigned')
  for (const witness of witnesses) await keepCosignature(db, 1, cosignature(witness, 1))
  t.equal((await cosignedCheckpoint(db))?.size, 7, 'the cosigned one is too old')
  for (const witness of witnesses) {
    for (const size of [4, 5]) await keepCosignature(db, size, cosignature(witness, size))
  }
  await keepCosignature(db, 6, cosignature(first, 6))
  const chosen = await cosignedCheckpoint(db)
  t.equal(chosen?.size, 5)
  t.equal(checkCosigned(chosen?.note ?? '', witnesses).filter((one) => one.at !== null).length, 2)
  t.equal((await lastCheckpoint(db))?.size, 7)
  await signed()
  t.equal(await cosignedCheckpoint(db), null)
})

t.test('a witness is silent once a checkpoint has waited for a minute', async (t) => {
  await signed([5, '3 h'], [6, '50 s'], [7, '1 s'])
  t.match(await witnessStates(db, [first]), [
    { state: 'silent', cosignedSize: 0, cosignedAt: null },
  ])
  await keepCosignature(db, 5, cosignature(first, 5))
  t.match(await witnessStates(db, witnesses), [
    { name: first.name, keyId: witnessIdOf(first), state: 'cosigning', cosignedSize: 5 },
    { name: second.name, state: 'silent', cosignedSize: 0 },
  ])
  await signed([5, '3 h'], [6, '70 s'], [7, '1 s'])
  await keepCosignature(db, 5, cosignature(first, 5))
  const [waiting] = await witnessStates(db, [first])
  t.match(waiting, { state: 'silent', cosignedSize: 5 })
  t.ok(Number(waiting?.waitingSeconds) >= 70)
  await keepCosignature(db, 7, cosignature(first, 7))
  t.match(await witnessStates(db, [first]), [{ state: 'cosigning', waitingSeconds: 0 }])
  await signed()
  t.match(await witnessStates(db, [first]), [{ state: 'cosigning', waitingSeconds: 0 }])
})

t.test(
  "the service's role cannot change cosignatures; they go with their checkpoint",
  async (t) => {
    await signed([5, '10 days'], [6, '10 days'], [7, '1 s'])
    for (const size of [5, 6, 7]) await keepCosignature(db, size, cosignature(first, size))
    const application = new pg.Client({ connectionString: url })
    await application.connect()
    t.teardown(() => application.end())
    for (const statement of [
      'DELETE FROM checkpoint_cosignatures',
      `UPDATE checkpoint_cosignatures SET line = ''`,
      'TRUNCATE checkpoint_cosignatures',
    ]) {
      await t.rejects(application.query(statement), { code: '42501' }, statement)
    }
    t.equal(await thinCheckpoints(db), 1)
    const { rows } = await admin.query('SELECT tree_size FROM checkpoint_cosignatures ORDER BY 1')
    t.same(rows, [{ tree_size: '6' }, { tree_size: '7' }])
  },
)
