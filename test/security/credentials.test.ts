import { randomBytes } from 'node:crypto'
import t from 'tap'
import {
  openCredentials,
  rewrapCredentials,
  sealCredentials,
} from '../../src/service/security/encryption/credentials.ts'
import { SealBroken } from '../../src/service/security/encryption/encryption.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'

const secret = () => randomBytes(32).toString('base64')
const credentials = { username: 'shop-canary-user', password: 'shop-canary-password' }
const at = { organizationId: 'org_a', connectionId: 'ccn_a' }

t.test('credentials moved to another organization or connection do not open', async (t) => {
  const keys = masterKeys(secret())
  const sealed = sealCredentials(keys, { ...at, credentials })
  t.same(openCredentials(keys, { ...at, sealed }), credentials)
  t.throws(() => openCredentials(keys, { ...at, organizationId: 'org_b', sealed }), SealBroken)
  t.throws(() => openCredentials(keys, { ...at, connectionId: 'ccn_b', sealed }), SealBroken)
  t.throws(
    () => openCredentials(keys, { organizationId: 'org_', connectionId: 'accn_a', sealed }),
    SealBroken,
  )
})

t.test('stored credentials contain neither user name nor password in plaintext', async (t) => {
  const sealed = sealCredentials(masterKeys(secret()), { ...at, credentials })
  t.equal(sealed.includes(credentials.username), false)
  t.equal(sealed.includes(credentials.password), false)
})

t.test('rewrapped credentials open under the new master key alone', async (t) => {
  const [old, fresh] = [secret(), secret()]
  const sealed = sealCredentials(masterKeys(old), { ...at, credentials })
  const both = masterKeys(fresh, [old])
  t.same(openCredentials(both, { ...at, sealed }), credentials)
  const rewrapped = rewrapCredentials(both, { ...at, sealed })
  t.ok(rewrapped)
  if (rewrapped === null) return
  t.same(openCredentials(masterKeys(fresh), { ...at, sealed: rewrapped }), credentials)
  t.equal(rewrapCredentials(both, { ...at, sealed: rewrapped }), null)
})

t.test('truncated or foreign credential bytes do not open', async (t) => {
  const keys = masterKeys(secret())
  const sealed = sealCredentials(keys, { ...at, credentials })
  for (const length of [0, 1, 5, 11, 40, sealed.length - 1]) {
    t.throws(() => openCredentials(keys, { ...at, sealed: sealed.subarray(0, length) }), SealBroken)
  }
  t.throws(() => openCredentials(keys, { ...at, sealed: randomBytes(200) }), SealBroken)
})
