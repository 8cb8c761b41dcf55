import { createDecipheriv, randomBytes } from 'node:crypto'
import t from 'tap'
import {
  associatedData,
  deriveKey,
  newDataKey,
  SealBroken,
  seal,
  sealedOverheadBytes,
  unseal,
  unwrapKey,
  wrapKey,
} from '../../src/service/security/encryption/encryption.ts'
import { masterKey, masterKeys } from '../../src/service/security/encryption/master-keys.ts'

const plaintext = Buffer.from('Juana Quispe, DNI 40718824')
const secret = () => randomBytes(32).toString('base64')

t.test('a sealed value opens only with its key and its associated data', async (t) => {
  const key = newDataKey()
  const blob = seal(key, plaintext, ['a', 'b'])
  t.ok(unseal(key, blob, ['a', 'b']).equals(plaintext))
  t.equal(blob.length, plaintext.length + sealedOverheadBytes)
  t.equal(blob.includes(plaintext), false)
  t.throws(() => unseal(newDataKey(), blob, ['a', 'b']), SealBroken)
  t.throws(() => unseal(key, blob, ['a']), SealBroken)
  t.throws(() => unseal(key, blob, ['ab', '']), SealBroken)
})

t.test('a sealed value with any byte changed or cut off does not open', async (t) => {
  const key = newDataKey()
  const blob = seal(key, plaintext, ['a'])
  let accepted = 0
  for (let at = 0; at < blob.length; at++) {
    const changed = Buffer.from(blob)
    changed[at] = (changed[at] ?? 0) ^ 1
    for (const forged of [changed, blob.subarray(0, at), blob.subarray(at + 1)]) {
      try {
        unseal(key, forged, ['a'])
        accepted++
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
      }
    }
  }
  t.equal(accepted, 0)
})

t.test('a four-byte tag, which Node itself would accept, opens nothing', async (t) => {
  const key = newDataKey()
  const blob = seal(key, plaintext, ['a'])
  const short = blob.subarray(0, blob.length - 12)
  t.throws(() => unseal(key, short, ['a']), SealBroken)

  // The pitfall is real: without a fixed tag length the same bytes decrypt.
  const iv = blob.subarray(1, 13)
  const naive = createDecipheriv('aes-256-gcm', key, iv)
  naive.setAAD(associatedData(['a'])).setAuthTag(blob.subarray(-16).subarray(0, 4))
  const opened = Buffer.concat([naive.update(blob.subarray(13, -16)), naive.final()])
  t.ok(opened.equals(plaintext))
})

t.test('different lists of parts give different associated data', async (t) => {
  const lists = [
    [],
    [''],
    ['', ''],
    ['ab'],
    ['a', 'b'],
    ['', 'ab'],
    ['a', 'b', ''],
    ['á'],
    ['a\u0000'],
  ]
  const encoded = new Set(lists.map((parts) => associatedData(parts).toString('hex')))
  t.equal(encoded.size, lists.length)
})

t.test('sealing the same value twice gives different bytes', async (t) => {
  const key = newDataKey()
  t.notOk(seal(key, plaintext, []).equals(seal(key, plaintext, [])))
})

t.test('a wrapped key opens under a previous master key and not without it', async (t) => {
  const [old, fresh] = [secret(), secret()]
  const dataKey = newDataKey()
  const wrapped = wrapKey(masterKeys(old), dataKey, ['row'])
  t.ok(unwrapKey(masterKeys(fresh, [old]), wrapped, ['row']).equals(dataKey))
  t.throws(() => unwrapKey(masterKeys(fresh), wrapped, ['row']), SealBroken)
  t.throws(() => unwrapKey(masterKeys(old), wrapped, ['other row']), SealBroken)
  const relabelled = { ...wrapped, masterKeyId: masterKey(fresh).id }
  t.throws(() => unwrapKey(masterKeys(fresh, [old]), relabelled, ['row']), SealBroken)
})

t.test('a master key must be 32 bytes, and its id does not contain it', async (t) => {
  t.throws(() => masterKey(randomBytes(16).toString('base64')), /32 bytes/)
  const { id, key } = masterKey(secret())
  t.match(id, /^[0-9a-f]{16}$/)
  t.notOk(key.export().toString('hex').includes(id))
})

t.test('derived keys differ by purpose and are deterministic', async (t) => {
  const key = newDataKey()
  t.ok(deriveKey(key, 'a').equals(deriveKey(key, 'a')))
  t.notOk(deriveKey(key, 'a').equals(deriveKey(key, 'b')))
  t.equal(deriveKey(key, 'a').symmetricKeySize, 32)
})
