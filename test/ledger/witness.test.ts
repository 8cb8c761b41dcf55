import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import {
  readNote,
  readSignatures,
  signatureOver,
  signerOf,
  signersOf,
} from '../../src/service/ledger/signed-note.ts'
import {
  cosign,
  cosignaturesOf,
  missingWitnesses,
  readWitness,
  witnessText,
} from '../../src/service/ledger/witnesses/cosignature.ts'
import { witness } from '../../src/service/ledger/witnesses/witness.ts'
import { witnessServer } from '../../src/service/ledger/witnesses/witness-server.ts'
import { openWitnessState } from '../../src/service/ledger/witnesses/witness-state.ts'
import { growingLedger } from '../faults/ledger/growing-ledger.ts'

const origin = 'shipping-ledger/abcdefghijklmnopqrstuv'
const signer = signerOf(origin, randomBytes(32))
const nextSigner = signerOf(origin, randomBytes(32))
const ledger = growingLedger(signer)

type Test = { teardown(fn: () => Promise<unknown>): unknown; fail(what: string): unknown }

async function started(test: Test, options: { readonly now?: () => Date } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-witness-'))
  const state = await openWitnessState({ folder, origins: [origin], name: 'auditor.example/w1' })
  const { add } = witness({
    state,
    ledgers: [signer, nextSigner],
    now: options.now ?? (() => new Date()),
  })
  const server = await witnessServer({
    host: '127.0.0.1',
    port: 0,
    add,
    failed: (error) => test.fail(String(error)),
  })
  test.teardown(async () => {
    await server.close()
    state.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${server.port}`
  const post = async (body: string | Uint8Array<ArrayBuffer>, path = '/add-checkpoint') => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body })
    const { status, headers } = answer
    return { status, type: headers.get('content-type'), text: await answer.text() }
  }
  return { state, folder, url, post, port: server.port, add }
}

/** A checkpoint with an arbitrary text, signed by the ledger. */
function signedText(text: string): string {
  return `${text}\n${signatureOver(text, signer)}`
}

t.test('a witness answers what the protocol says', async (t) => {
  const { post, url } = await started(t)
  const [size, empty] = [5, `old 0\n\n${ledger.note(0)}`]
  t.match(await post(empty), { status: 200 }, 'the empty tree')
  t.match(await post(ledger.body(0, size)), {
    status: 200,
    type: 'text/plain; charset=utf-8',
    text: /^— auditor\.example\/w1 \S+\n$/,
  })
  const root = ledger.root(9).toString('base64')
  const unknown = growingLedger(signerOf('another/ledger', randomBytes(32)))
  const stranger = growingLedger(signerOf(origin, randomBytes(32)))
  const proof = (hashes: readonly string[]) => hashes.map((hash) => `${hash}\n`).join('')
  const right = ledger.proof(size, 9).map((hash) => hash.toString('base64'))
  const note = ledger.note(9)
  for (const [what, status, body] of [
    ['nothing', 400, ''],
    ['no old size', 400, `${proof(right)}\n${note}`],
    ['an old size with a leading zero', 400, `old 05\n${proof(right)}\n${note}`],
    ['a negative old size', 400, `old -5\n${proof(right)}\n${note}`],
    ['an old size beyond numbers', 400, `old 99999999999999999999\n\n${note}`],
    ['two spaces', 400, `old  5\n${proof(right)}\n${note}`],
    ['a carriage return', 400, `old 5\r\n${proof(right)}\n${note}`],
    ['no empty line', 400, `old 5\n${proof(right)}${note.split('\n\n')[0]}`],
    ['no checkpoint', 400, 'old 5\n\n'],
    ['a hash that is too short', 400, `old 5\n${proof(['AAAA'])}\n${note}`],
    ['a hash that is not base64', 400, `old 5\n${proof(['*'.repeat(44)])}\n${note}`],
    ['a hash with loose bits', 400, `old 5\n${proof([`${'A'.repeat(42)}B=`])}\n${note}`],
    ['64 hashes', 400, `old 5\n${proof(Array(64).fill(right[0]))}\n${note}`],
    ['no signature', 400, `old 5\n${proof(right)}\n${note.split('— ')[0]}`],
    ['a signature line that is none', 400, `old 5\n${proof(right)}\n${note}junk\n`],
    ['no line feed at the end', 400, `old 5\n${proof(right)}\n${note.slice(0, -1)}`],
    ['a size with a leading zero', 400, `old 5\n\n${signedText(`${origin}\n09\n${root}\n`)}`],
    ['a root that is too short', 400, `old 5\n\n${signedText(`${origin}\n9\nAAAA\n`)}`],
    ['a control character', 400, `old 5\n\n${signedText(`${origin}\n9\n${root}\n\u0007\n`)}`],
    ['an old size above the new', 400, `old 10\n\n${note}`],
    ['an unknown ledger', 404, unknown.body(0, 9)],
    ['a key that is not known', 403, stranger.body(size, 9)],
    ['a changed checkpoint', 403, `old 5\n\n${note.replace('\n9\n', '\n8\n')}`],
    ['another old size', 409, ledger.body(4, 9)],
    ['a first submission again', 409, ledger.body(0, 9)],
    ['an older checkpoint', 409, ledger.body(3, 4)],
    ['no proof', 422, `old 5\n\n${note}`],
    ['a proof with a hash too many', 422, `old 5\n${proof([...right, right[0] ?? ''])}\n${note}`],
    ['a proof with a hash missing', 422, `old 5\n${proof(right.slice(1))}\n${note}`],
    ['hashes in another order', 422, `old 5\n${proof(right.toReversed())}\n${note}`],
    ['the same size with a proof', 422, `old 5\n${proof(right)}\n${ledger.note(5)}`],
  ] as const) {
    const answer = await post(body)
    t.equal(answer.status, status, what)
    t.notMatch(answer.text, '—', what)
    if (status === 409) t.match(answer, { type: 'text/x.tlog.size', text: '5\n' }, what)
  }
  t.match(await post(Uint8Array.of(0x6f, 0xff, 0xfe)), { status: 400 }, 'not UTF-8')
  t.match(await post('x'.repeat(70_000)), { status: 413 }, 'too long')
  t.match(await post(ledger.body(5, 9), '/other'), { status: 404 }, 'another path')
  const got = await fetch(`${url}/add-checkpoint`)
  t.equal(got.status, 405)
  t.equal(got.headers.get('allow'), 'POST')
  t.match(await post(ledger.body(5, 5)), { status: 200 }, 'the same checkpoint again')
  t.match(await post(ledger.body(5, 9)), { status: 200 }, 'none of this has changed anything')
})

t.test('a note of any ledger is cosigned, whichever of its keys signed it', async (t) => {
  const { post, state } = await started(t, { now: () => new Date(1_700_000_000_999) })
  const text = `${origin}\n3\n${ledger.root(3).toString('base64')}\nany line\nanother\n`
  const lines = [nextSigner, signer].map((one) => signatureOver(text, one)).join('')
  const foreign = `— post-quantum.example ${Buffer.alloc(2_500, 7).toString('base64')}\n`
  const answer = await post(`old 0\n\n${text}\n${foreign}${lines}`)
  t.equal(answer.status, 200)
  const signatures = readSignatures(answer.text) ?? []
  const [found] = cosignaturesOf({ text, signatures }, [state.signer])
  t.equal(found?.at, 1_700_000_000_000)
  t.equal(found?.line, answer.text)
  t.same(cosignaturesOf({ text: `${text} `, signatures }, [state.signer]), [])
})

t.test('submissions that race for a ledger are cosigned one after the other', async (t) => {
  const { add, state } = await started(t)
  await add(ledger.body(0, 4))
  const racing = Array.from({ length: 20 }, (_, n) => add(ledger.body(4, 5 + n)))
  const statuses = (await Promise.all(racing)).map(({ status }) => status)
  t.same(
    statuses.filter((status) => status === 200),
    [200],
    'one wins',
  )
  t.equal(state.seen(origin).size, 5 + statuses.indexOf(200))
})

t.test('what contradicts a cosigned checkpoint is kept as evidence', async (t) => {
  const { post, folder } = await started(t)
  await post(ledger.body(0, 4))
  const fork = growingLedger(signer, { name: 'fork', from: 2 })
  t.match(await post(fork.body(4, 4)), { status: 409 })
  t.match(await post(fork.body(4, 4)), { status: 409 })
  t.match(await post(fork.body(4, 6)), { status: 422 })
  const kept = (kind: string) =>
    readdirSync(folder)
      .filter((file) => file.startsWith(`${kind}-`))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
  t.same(kept('contradiction'), [fork.note(4)])
  t.same(kept('unproved'), [fork.note(6)])
})

t.test('a request that ends early, or has no length, takes nothing down', async (t) => {
  const { post, port } = await started(t)
  const socket = connect(port, '127.0.0.1')
  socket.write('POST /add-checkpoint HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\nold 0\n')
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.destroy()
  const status = await new Promise((resolve, reject) => {
    const chunked = request({ port, method: 'POST', path: '/add-checkpoint' }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    chunked.on('error', reject)
    for (const part of ledger.body(0, 2).match(/[\s\S]{1,50}/g) ?? []) chunked.write(part)
    chunked.end()
  })
  t.equal(status, 200)
  t.match(await post(ledger.body(2, 3)), { status: 200 })
})

t.test('a note with cosignatures is read like one without', async (t) => {
  const plain = ledger.note(7)
  const read = readNote(plain)
  const cosigner = signerOf('auditor.example/w1', randomBytes(32))
  const other = signerOf('auditor.example/w1', randomBytes(32))
  const line = cosign(read?.text ?? '', cosigner, 1_700_000_000n)
  const note = `${plain}${line}`
  t.same(signersOf(readNote(note) as NonNullable<typeof read>, [signer]).length, 1)
  t.same(missingWitnesses(note, [cosigner]), [])
  t.same(missingWitnesses(note, [cosigner, other]), [other], 'another key of the same name')
  t.same(missingWitnesses(plain, [cosigner]), [cosigner])
  const flipped = Buffer.from(line.split(' ')[2] ?? '', 'base64')
  flipped[11] = (flipped[11] ?? 0) ^ 1
  const forged = `${plain}— ${cosigner.name} ${flipped.toString('base64')}\n`
  t.same(missingWitnesses(forged, [cosigner]), [cosigner], 'the time is signed too')
  const key = witnessText(cosigner)
  t.match(key, /^auditor\.example\/w1\+[0-9a-f]{8}\+B/)
  t.same(readWitness(key)?.publicKey, cosigner.publicKey)
  t.equal(readWitness(key.replace('w1', 'w2')), null, 'its id is of another name')
})
