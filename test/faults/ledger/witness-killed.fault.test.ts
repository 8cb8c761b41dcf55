import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import {
  readNote,
  readSignatures,
  signerOf,
  verifierText,
} from '../../../src/service/ledger/signed-note.ts'
import { cosignaturesOf } from '../../../src/service/ledger/witnesses/cosignature.ts'
import { openWitnessState } from '../../../src/service/ledger/witnesses/witness-state.ts'
import { random, seedOf } from '../../support/random.ts'
import { growingLedger } from './growing-ledger.ts'
import { runWitness, type WitnessProcess, witnessProcess } from './witness-process.ts'

const seed = seedOf('WITNESS_SEED')
const next = random(seed)
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-witness-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const signer = signerOf('shipping-ledger/abcdefghijklmnopqrstuv', randomBytes(32))
const ledgers = [verifierText(signer)]
const ledger = growingLedger(signer)
const rounds = 12

/** The size that the witness says it has cosigned. */
async function sizeAt({ url }: WitnessProcess): Promise<number> {
  const answer = await fetch(`${url}/add-checkpoint`, { method: 'POST', body: ledger.body(0, 1) })
  if (answer.status === 200) return 1
  if (answer.status !== 409) throw new Error(`it answers ${answer.status}`)
  return Number(await answer.text())
}

t.test('a witness that is killed forgets nothing that it cosigned', async (t) => {
  t.comment(`seed ${seed}`)
  const state = join(folder, 'killed')
  let cosigned = 0
  let submitted = 0
  let key: string | null = null
  for (let round = 0; round < rounds; round++) {
    const witness = await witnessProcess(t, { folder: state, ledgers })
    t.equal(witness.key, key ?? witness.key, 'the same key')
    key = witness.key
    const size = await sizeAt(witness)
    t.ok(
      size >= cosigned && size <= Math.max(1, submitted),
      `${cosigned} <= ${size} <= ${submitted}`,
    )
    cosigned = size
    // A different history that matches what was acknowledged before, or forks at the start.
    for (const from of [0, Math.floor(size / 2)]) {
      const fork = growingLedger(signer, { name: 'fork', from })
      for (const [old, to] of [
        [size, size],
        [size, size + 1],
        [0, size + 1],
      ] as const) {
        const answer = await fetch(`${witness.url}/add-checkpoint`, {
          method: 'POST',
          body: fork.body(old, to),
        })
        t.ok(answer.status === 409 || answer.status === 422, `${old} to ${to}: ${answer.status}`)
      }
    }
    let isKilled = false
    const killing = new Promise<void>((resolve) => setTimeout(resolve, next() * 40)).then(() => {
      isKilled = true
      return witness.stop('SIGKILL')
    })
    while (!isKilled) {
      const to = cosigned + 1 + Math.floor(next() * 5)
      submitted = Math.max(submitted, to)
      const answer = await fetch(`${witness.url}/add-checkpoint`, {
        method: 'POST',
        body: ledger.body(cosigned, to),
      })
        .then(async (one) => ({ status: one.status, text: await one.text() }))
        .catch(() => null)
      if (answer === null) break
      t.equal(answer.status, 200)
      const text = readNote(ledger.note(to))?.text ?? ''
      const signatures = readSignatures(answer.text) ?? []
      t.equal(cosignaturesOf({ text, signatures }, [witness]).length, 1)
      cosigned = to
    }
    await killing
  }
  t.ok(cosigned > 0)
})

t.test('files that a crash left unfinished are ignored', async (t) => {
  const state = join(folder, 'unfinished')
  const first = await witnessProcess(t, { folder: state, ledgers })
  const added = await fetch(`${first.url}/add-checkpoint`, {
    method: 'POST',
    body: ledger.body(0, 3),
  })
  t.equal(added.status, 200)
  await first.stop('SIGKILL')
  const file = readdirSync(state).find((name) => name.endsWith('.checkpoint')) as string
  writeFileSync(join(state, `${file}.0123456789abcdef.unfinished`), 'half')
  const again = await witnessProcess(t, { folder: state, ledgers })
  t.equal(await sizeAt(again), 3)
  t.same(
    readdirSync(state).filter((name) => name.includes('unfinished')),
    [],
  )
  t.equal(statSync(join(state, 'key')).mode & 0o777, 0o600, 'only its owner reads the key')
  const second = await runWitness({ folder: state, ledgers }).ended
  t.equal(second.code, 2)
  t.match(second.stdout, 'Another witness is using the folder')
  const stopped = await again.stop('SIGTERM')
  t.equal(stopped.code, 0, 'it ends by itself when asked')
})

t.test('a witness whose state is damaged is refused at its start', async (t) => {
  const state = join(folder, 'damaged')
  const first = await witnessProcess(t, { folder: state, ledgers })
  await fetch(`${first.url}/add-checkpoint`, { method: 'POST', body: ledger.body(0, 3) })
  await first.stop('SIGTERM')
  const files = readdirSync(state).filter((name) => name !== 'lock' && !name.startsWith('lock-'))
  t.equal(files.length, 3, 'the key, the origins and one checkpoint')
  const key = readFileSync(join(state, 'key'))
  for (const name of files) {
    const path = join(state, name)
    const whole = readFileSync(path)
    const middle = Math.floor(whole.length / 2)
    const changed = Buffer.from(whole)
    changed[middle] = whole[middle] === 0x41 ? 0x42 : 0x41
    for (const [how, broken] of [
      ['cut off', whole.subarray(0, middle)],
      ['emptied', Buffer.alloc(0)],
      ['changed', changed],
      ['removed', null],
    ] as const) {
      if (broken === null) rmSync(path)
      else writeFileSync(path, broken)
      await t.rejects(
        openWitnessState({ folder: state, origins: [signer.name], name: undefined }),
        { name: 'StartError', message: /can no longer know what it has cosigned/ },
        `${name} ${how}`,
      )
      writeFileSync(path, whole, { mode: 0o600 })
    }
  }
  rmSync(join(state, 'key'))
  const refused = await runWitness({ folder: state, ledgers }).ended
  t.equal(refused.code, 2)
  t.match(refused.stdout, /can no longer know what it has cosigned/)
  writeFileSync(join(state, 'key'), key, { mode: 0o600 })
  const again = await witnessProcess(t, { folder: state, ledgers })
  t.equal(await sizeAt(again), 3, 'once complete again, it continues')
  await again.stop('SIGTERM')
  const renamed = await runWitness({ folder: state, ledgers, name: 'other.example' }).ended
  t.match(renamed.stdout, /a key never changes its name/)
})
