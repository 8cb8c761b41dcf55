import { createHash, createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import t from 'tap'
import { leafHash } from '../../../src/service/domain/ledger/merkle.ts'
import { readTilePath } from '../../../src/service/domain/ledger/tile-path.ts'
import { positionOf } from '../../../src/service/event-store/position.ts'
import { signCheckpoint } from '../../../src/service/ledger/checkpoints.ts'
import { signerOf } from '../../../src/service/ledger/signed-note.ts'
import {
  appendToTree,
  growing,
  nameTree,
  readTree,
  type Tree,
} from '../../../src/service/ledger/tree.ts'
import { type Service, service } from '../../support/service.ts'
import { serverUnderTest } from '../server-under-test.ts'

/* The tree as seen without a key. Everything fetched is verified from the specification alone. */

/** Two full tiles, a partial one, and a tile above them; then some unsigned leaves. */
const signedSize = 601
const unsigned = 30
const leaves = Array.from({ length: signedSize + unsigned }, () => randomBytes(32))

/** A service whose tree was filled directly. */
async function sealedShop(test: Parameters<typeof service>[0]): Promise<Service> {
  const shop = await service(test, { roles: ['api'] })
  const { db, checkpointKeys } = shop.parts
  await nameTree(db, 'shipping-ledger/abcdefghijklmnopqrstuv')
  let tree = await growing(db, (await readTree(db)) as Tree)
  const current = signerOf(tree.origin, checkpointKeys.current)
  const placed = leaves.map((leaf, at) => ({
    leaf,
    position: positionOf(at + 1),
    stream: 'shipment-x',
    eventId: randomUUID(),
    revision: at,
  }))
  tree = await appendToTree(db, tree, placed.slice(0, signedSize))
  await signCheckpoint(db, tree, { current, previous: null }, async () => undefined)
  await appendToTree(db, tree, placed.slice(signedSize))
  return shop
}

const sha256 = (...parts: readonly Uint8Array[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** RFC 9162, 2.1.1, over hashes of leaves or of full subtrees of one size. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes
  if (only === undefined) return sha256()
  if (hashes.length === 1) return only
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  return sha256(Buffer.of(1), rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)))
}

function hashesOf(tile: Buffer): readonly Buffer[] {
  return Array.from({ length: tile.length / 32 }, (_, at) => tile.subarray(32 * at, 32 * at + 32))
}

t.test('the tiles of the tree lead to the root of the checkpoint', async (t) => {
  const shop = await sealedShop(t)
  const get = async (path: string, init: RequestInit = {}) => fetch(`${shop.url}${path}`, init)
  const answered = await get('/ledger/checkpoint')
  t.equal(answered.status, 200)
  t.equal(answered.headers.get('content-type'), 'text/plain; charset=utf-8')
  t.equal(answered.headers.get('cache-control'), 'public, max-age=1')
  const note = await answered.text()
  const [origin = '', sizeText, rootText = ''] = note.split('\n')
  const size = Number(sizeText)
  t.equal(size, signedSize)

  const [key] = (await shop.call('/v1/ledger/keys')).body.data
  const der = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(key.public_key, 'base64'),
  ])
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const end = note.indexOf('\n\n')
  const blob = Buffer.from(note.slice(end + 2).split(' ')[2] ?? '', 'base64')
  t.ok(verify(null, Buffer.from(note.slice(0, end + 1)), publicKey, blob.subarray(4)))
  t.ok(note.slice(end + 2).startsWith(`— ${origin} `))

  const tileAt = async (level: number, index: number, width = 256) => {
    const name = String(index).padStart(3, '0')
    const path = `/ledger/tile/${level}/${name}${width === 256 ? '' : `.p/${width}`}`
    const tile = await get(path)
    t.equal(tile.status, 200, path)
    t.equal(tile.headers.get('content-type'), 'application/octet-stream')
    t.equal(tile.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    const bytes = Buffer.from(await tile.arrayBuffer())
    t.equal(bytes.length, 32 * width)
    return bytes
  }
  const fetched: Buffer[] = []
  const full = Math.floor(size / 256)
  for (let index = 0; index < full; index++) fetched.push(...hashesOf(await tileAt(0, index)))
  fetched.push(...hashesOf(await tileAt(0, full, size % 256)))
  t.equal(rootOf(fetched).toString('base64'), rootText)
  const above = hashesOf(await tileAt(1, 0, full))
  above.forEach((hash, at) => {
    t.same(hash, rootOf(fetched.slice(256 * at, 256 * (at + 1))), `the root over tile ${at}`)
  })
  t.same(fetched, leaves.slice(0, size).map(leafHash))
  t.same(
    await tileAt(0, 0, 7),
    (await tileAt(0, 0)).subarray(0, 7 * 32),
    'a width that it once had',
  )

  const head = await get('/ledger/tile/0/000', { method: 'HEAD' })
  t.equal(head.status, 200)
  t.equal(head.headers.get('content-length'), '8192')
  t.equal((await head.arrayBuffer()).byteLength, 0)
  t.equal((await get('/ledger/checkpoint', { method: 'HEAD' })).status, 200)
  const posted = await get('/ledger/checkpoint', { method: 'POST' })
  t.equal(posted.status, 405)
  t.equal(posted.headers.get('allow'), 'GET, HEAD')
  for (const path of [
    `0/${String(full).padStart(3, '0')}`,
    `0/${String(full).padStart(3, '0')}.p/${(size % 256) + 1}`,
    `1/000`,
    `1/000.p/${full + 1}`,
    '2/000.p/1',
    '63/000.p/1',
    '64/000',
    '00/000',
    '-1/000',
    '0/0',
    '0/1000',
    '0/x000/000',
    '0/x001/x234/067',
    '0/001/000',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/07',
    '0/000.p/',
    '0/000/',
    '0/',
    '',
    'entries/000',
    'entries/000.p/1',
    '0/%00',
    `0/${'x999/'.repeat(40)}999`,
  ]) {
    const missing = await get(`/ledger/tile/${path}`)
    t.equal(missing.status, 404, path)
    t.equal(missing.headers.get('cache-control'), 'no-store', 'it may exist later')
    await missing.body?.cancel()
  }
})

t.test('before anything is sealed, there is no public checkpoint and no tile', async (t) => {
  const shop = await service(t, { roles: ['api'] })
  for (const path of ['checkpoint', 'tile/0/000', 'tile/0/000.p/1']) {
    t.equal((await fetch(`${shop.url}/ledger/${path}`)).status, 404, path)
  }
})

t.test('one network asks for the tree so often in a minute and no more', async (t) => {
  let minutes = 0
  const { app } = await serverUnderTest(t, { rateClock: () => minutes * 60_000 })
  const statusOf = async () => (await app.inject('/ledger/checkpoint')).statusCode
  for (let n = 0; n < 1_200; n++) await statusOf()
  t.equal(await statusOf(), 429)
  minutes++
  t.equal(await statusOf(), 404)
})

t.test('indexes of tiles are written in groups of three digits', async (t) => {
  t.same(readTilePath('0/x001/x234/067'), { level: 0, index: 1_234_067, width: 256 })
  t.same(readTilePath('3/x001/000.p/255'), { level: 3, index: 1_000, width: 255 })
  t.equal(readTilePath('0/x000/x234/067'), null)
  t.equal(readTilePath('0/x001/234/067'), null)
  t.equal(readTilePath('0/X001/067'), null)
})
